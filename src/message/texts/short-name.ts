/** A longer name could split the SMS into two. */
const nameMax = 24;

/**
 * Returns the name on one line, without characters that phones turn into links, because the merchant chose
 * it.
 */
export function shortName(name: string): string {
  const singleLine = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[./:]+(?=\S)/g, ' ')
    .trim();
  return singleLine.length > nameMax
    ? `${singleLine
        .slice(0, nameMax - 1)
        .toWellFormed()
        .trimEnd()}…`
    : singleLine;
}
