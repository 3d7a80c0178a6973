/** The number of statements that are prepared on each connection; later ones are parsed on every use. */
const preparedMax = 500;
/** Longer texts list their values, so they rarely repeat. */
const lengthMax = 5_000;

const names = new Map<string, string>();

/**
 * A name for a statement, so that PostgreSQL parses it once on each connection. Undefined leaves it unprepared.
 * Prisma and our own statements share the names, because they share the connections.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= preparedMax || text.length > lengthMax) return undefined;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
