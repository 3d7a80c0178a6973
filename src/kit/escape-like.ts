/** Escapes the wildcards of ILIKE, which Prisma uses for case-insensitive comparisons without escaping them. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
