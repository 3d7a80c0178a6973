/**
 * Returns the smallest number of edits between the reference and any substring of the folded text. An edit
 * changes, removes or inserts a character, or swaps two neighbors (optimal string alignment).
 */
export function getReferenceDistance(folded: string, reference: string): number {
  const width = reference.length;
  // Each row has the distances between the best suffix of the text so far and each prefix of the reference.
  let previous: number[] = [];
  let row = Array.from({ length: width + 1 }, (_, j) => j);
  let best = width;
  for (let i = 0; i < folded.length; i++) {
    const next = [0];
    for (let j = 1; j <= width; j++) {
      const isEqual = folded[i] === reference[j - 1];
      const isSwap = i > 0 && j > 1 && folded[i] === reference[j - 2] && folded[i - 1] === reference[j - 1];
      next[j] = Math.min(
        row[j - 1]! + (isEqual ? 0 : 1),
        row[j]! + 1,
        next[j - 1]! + 1,
        isSwap ? previous[j - 2]! + 1 : width,
      );
    }
    [previous, row] = [row, next];
    best = Math.min(best, row[width]!);
  }
  return best;
}
