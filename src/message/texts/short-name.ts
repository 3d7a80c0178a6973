/** A name longer than this would make two messages of one. */
const nameMax = 24;

/** On one line, and without what phones make a link of: the name is the merchant's own choice. */
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
