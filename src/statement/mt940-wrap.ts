/** A line of a field. `width` is the number of its columns in the file, with the tag of the field. */
export type WrappedLine = { text: string; width: number };

/**
 * Joins lines that a bank wrapped at a fixed width. After a line of at least `width` columns, the text continues on
 * the next line without a space. Other lines are joined by a space, because banks trim lines. `isCut` can recognize
 * further lines that continue without a space.
 */
export function joinWrappedLines(
  lines: WrappedLine[],
  { width, isCut = () => false }: { width: number; isCut?: (text: string, next: string) => boolean },
): string {
  return lines.reduce((text, { text: next }, index) => {
    if (index === 0) return next;
    const isWithoutSpace =
      lines[index - 1]!.width >= width || next.startsWith(' ') || text.endsWith(' ') || isCut(text, next);
    return isWithoutSpace ? text + next : `${text} ${next}`;
  }, '');
}

export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
