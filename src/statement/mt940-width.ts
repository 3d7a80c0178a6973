import type { WrappedLine } from './mt940-wrap.ts';

/**
 * The greatest lengths, over all fields 86 so far, of first lines (`first`) and of further lines (`other`). The last
 * line of a field is ignored, because it may be shorter than the width.
 */
export type Field86Widths = { first: number; other: number };

/** The columns that the tag `:86:` takes on the first line. */
const tagWidth = 4;

/** Raises the widths to those of the lines of another field 86, in place. */
export function raiseField86Widths(widths: Field86Widths, lines: string[]): void {
  const [first, ...others] = lines.slice(0, -1);
  if (first !== undefined) widths.first = Math.max(widths.first, first.length);
  widths.other = Math.max(widths.other, ...others.map(({ length }) => length));
}

/**
 * Returns the lines of a field 86 with their widths in the file, and the width at which the bank wraps them. Some banks
 * include the tag in the width, so that the first line has four characters fewer than the others.
 */
export function measureField86Lines(
  lines: string[],
  { first, other }: Field86Widths,
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
