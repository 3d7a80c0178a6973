/** Longer names exist in no common file system, and would take longer to compare. */
const nameLengthMax = 255;
const star = 42;
const questionMark = 63;

/**
 * Returns whether a file name matches a pattern, ignoring letter case. `*` matches any characters, `?` matches one,
 * and all other characters match themselves. Only the last `*` is tried again, so the number of comparisons is at
 * most the product of both lengths.
 */
export function matchesFileName(name: string, pattern: string): boolean {
  if (name.length > nameLengthMax) return false;
  const text = name.toLowerCase();
  const parts = pattern.toLowerCase();
  let i = 0;
  let j = 0;
  let textAfterStar = 0;
  let partAfterStar = -1;
  while (i < text.length) {
    const part = parts.charCodeAt(j);
    if (part === star) {
      j += 1;
      textAfterStar = i;
      partAfterStar = j;
    } else if (part === questionMark || part === text.charCodeAt(i)) {
      i += 1;
      j += 1;
    } else if (partAfterStar >= 0) {
      textAfterStar += 1;
      i = textAfterStar;
      j = partAfterStar;
    } else return false;
  }
  while (parts.charCodeAt(j) === star) j += 1;
  return j === parts.length;
}
