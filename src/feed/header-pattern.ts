/** A delimiter of values. A value contains none, so text with one between two values separates them unambiguously. */
const delimiter = /[,;\s]/;

/** Returns the fixed texts of a pattern, and the names of the placeholders between them. */
function splitPattern(pattern: string): { texts: string[]; names: string[] } {
  const parts = pattern.split(/\{(\w+)\}/);
  return { texts: parts.filter((_part, i) => i % 2 === 0), names: parts.filter((_part, i) => i % 2 === 1) };
}

/**
 * Returns whether a pattern contains `{signature}` once, `{timestamp}` at most once and no other placeholder, with a
 * delimiter between the two.
 */
export function isHeaderPattern(pattern: string): boolean {
  const { texts, names } = splitPattern(pattern);
  return (
    names.includes('signature') &&
    names.every((name) => name === 'signature' || name === 'timestamp') &&
    new Set(names).size === names.length &&
    texts.slice(1, -1).every((text) => delimiter.test(text))
  );
}

/**
 * Returns the values in a header for the placeholders of a pattern, such as `t={timestamp},v1={signature}`, or
 * undefined if the header does not match. Anyone can send a header, so the time must be linear in its length.
 */
export function readHeaderPattern(pattern: string, header: string): Record<string, string> | undefined {
  const { texts, names } = splitPattern(pattern);
  const [first = '', ...others] = texts;
  const text = header.trim();
  if (!text.startsWith(first)) return undefined;
  const values: Record<string, string> = {};
  let start = first.length;
  for (const [i, name] of names.entries()) {
    const next = others[i]!;
    const isLast = i === names.length - 1;
    const end = isLast ? text.length - next.length : text.indexOf(next, start);
    const value = text.slice(start, end);
    if (end <= start || (isLast && !text.endsWith(next)) || delimiter.test(value)) return undefined;
    values[name] = value;
    start = end + next.length;
  }
  return values;
}

/** Writes a header's value, the inverse of `readHeaderPattern`. */
export function writeHeaderPattern(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '');
}
