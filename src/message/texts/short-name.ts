/**
 * The maximum length of a name in an SMS. The three dots belong to the alphabet of GSM, unlike an ellipsis, which
 * would more than halve the length of a segment.
 */
const defaultLengthMax = 24;

/**
 * Returns the name on one line, shortened if necessary. Merchants choose their names, so characters that make phones
 * show a link are removed.
 */
export function shortName(name: string, lengthMax = defaultLengthMax): string {
  const singleLine = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[./:]+(?=\S)/g, ' ')
    .trim();
  return singleLine.length > lengthMax
    ? `${singleLine
        .slice(0, lengthMax - 3)
        .toWellFormed()
        .trimEnd()}...`
    : singleLine;
}
