/** The number of statements that are prepared on each connection; later ones are parsed on every use. */
const statementsMax = 500;
/** Longer texts list their values, so they rarely repeat. */
const lengthMax = 5_000;

const statementNames = new Map<string, string>();

/**
 * A name for a statement, so that PostgreSQL parses it once on each connection. Undefined leaves it unprepared.
 * Prisma and our own statements share the names, because they share the connections.
 */
export function getStatementName(text: string): string | undefined {
  const existingName = statementNames.get(text);
  if (existingName !== undefined) return existingName;
  if (statementNames.size >= statementsMax || text.length > lengthMax) return undefined;
  const name = `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}
