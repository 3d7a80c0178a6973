/**
 * Returns the values in a header for the placeholders of a pattern, such as `t={timestamp},v1={signature}`, or
 * undefined if the header does not match.
 */
export function readHeaderPattern(pattern: string, value: string): Record<string, string> | undefined {
  const names: string[] = [];
  const source = pattern
    .split(/\{(\w+)\}/)
    .map((text, i) => {
      if (i % 2 === 0) return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      names.push(text);
      return '([^,;\\s]+)';
    })
    .join('');
  const match = new RegExp(`^${source}$`).exec(value.trim());
  return match ? Object.fromEntries(names.map((name, i) => [name, match[i + 1]!])) : undefined;
}

/** Writes a header's value, the inverse of `readHeaderPattern`. */
export function writeHeaderPattern(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '');
}
