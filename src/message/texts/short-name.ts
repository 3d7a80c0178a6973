/** The maximum length of a name in an SMS. With a longer name, the SMS could need two parts. */
const nameLengthMax = 24;

/**
 * Returns the name on one line, shortened if necessary. Merchants choose their names, so characters that make phones
 * show a link are removed.
 */
export function shortName(name: string): string {
  const singleLine = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[./:]+(?=\S)/g, ' ')
    .trim();
  return singleLine.length > nameLengthMax
    ? `${singleLine
        .slice(0, nameLengthMax - 1)
        .toWellFormed()
        .trimEnd()}…`
    : singleLine;
}
