import type { WrappedLine } from './mt940-wrap.ts';

/**
 * The lengths of the longest lines of all fields 86 so far. The last line of a field is ignored, because it may
 * be shorter than the width.
 */
export type InfoWidths = { first: number; other: number };

/** The columns that the tag `:86:` takes on the first line. */
const tagWidth = 4;

/** Adds the lines of a field 86 to the widths. */
export function addInfoWidths(widths: InfoWidths, lines: string[]): void {
  const [first, ...others] = lines.slice(0, -1);
  if (first !== undefined) widths.first = Math.max(widths.first, first.length);
  widths.other = Math.max(widths.other, ...others.map(({ length }) => length));
}

/**
 * Returns the lines of a field 86 with their columns, and the width at which the bank wraps them. Some banks count the
 * tag, so that the first line has four characters less than the others.
 */
export function measureInfoLines(
  lines: string[],
  { first, other }: InfoWidths,
): { lines: WrappedLine[]; width: number } {
  const isTagCounted = first === other - tagWidth;
  return {
    lines: lines.map((text, index) => ({
      text,
      width: text.length + (isTagCounted && index === 0 ? tagWidth : 0),
    })),
    width: Math.max(first, other),
  };
}
