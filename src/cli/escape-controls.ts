/** Controls but line ends and tabs, and what turns the direction of writing: a terminal obeys them, and shows nothing. */
const controls = /(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text for a terminal, which is to show it and do nothing else: names come from customers, faults from other servers.
 * Controls are written as JSON writes them, so that JSON stays what it is.
 */
export function escapeControls(text: string): string {
  return text.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
