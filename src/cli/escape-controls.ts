/** Control characters (except line feed and tab) and bidirectional controls, which terminals interpret, not display. */
const controlCharacters = /(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Escapes text for a terminal, because it may contain customer names or other servers' errors. Uses JSON
 * escapes, so that JSON output stays valid.
 */
export function escapeControls(text: string): string {
  return text.replace(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
