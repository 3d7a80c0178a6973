/**
 * Puts lines that a bank wrapped at a fixed width together again. A line as wide as the widest of its file was cut
 * in the midst of the text; a shorter one lost the space it ended with, or ended there.
 */
export function unwrap(lines: string[], { width }: { width: number }): string {
  return lines.reduce((text, next, index) => {
    if (index === 0) return next;
    const isCut = lines[index - 1]!.length >= width || next.startsWith(' ') || text.endsWith(' ');
    return isCut ? text + next : `${text} ${next}`;
  }, '');
}

/** Runs of spaces as one, none at the ends: how names and texts read. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
