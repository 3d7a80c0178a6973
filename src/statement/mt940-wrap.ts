/**
 * Joins lines that a bank wrapped at a fixed width. After a line of at least `width` characters, the text continues on
 * the next line without a space. Other lines are joined by a space, because banks trim lines.
 */
export function joinWrappedLines(lines: string[], { width }: { width: number }): string {
  return lines.reduce((text, next, index) => {
    if (index === 0) return next;
    const isCut = lines[index - 1]!.length >= width || next.startsWith(' ') || text.endsWith(' ');
    return isCut ? text + next : `${text} ${next}`;
  }, '');
}

/** Collapses whitespace and trims the ends. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
