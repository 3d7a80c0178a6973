/**
 * Joins lines that a bank wrapped at a fixed width. A line as wide as the file's widest continues in the next
 * one without a space. A shorter one lost its trailing space or ended there.
 */
export function unwrap(lines: string[], { width }: { width: number }): string {
  return lines.reduce((text, next, index) => {
    if (index === 0) return next;
    const isCut = lines[index - 1]!.length >= width || next.startsWith(' ') || text.endsWith(' ');
    return isCut ? text + next : `${text} ${next}`;
  }, '');
}

/** Collapses whitespace and trims the ends. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
