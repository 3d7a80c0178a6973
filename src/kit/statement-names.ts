/** The maximum number of prepared statements per connection; all others are parsed at every use. */
const statementsMax = 500;
/** The maximum length of a prepared statement. Longer ones contain their values, so they rarely repeat. */
const statementLengthMax = 5_000;

const statementNames = new Map<string, string>();

/**
 * Returns a name for a statement, so that PostgreSQL parses it once per connection, or undefined to leave it
 * unprepared. Prisma and our own statements share the names because they share the connections.
 */
export function getStatementName(text: string): string | undefined {
  const existingName = statementNames.get(text);
  if (existingName !== undefined) return existingName;
  if (statementNames.size >= statementsMax || text.length > statementLengthMax) return undefined;
  const name = `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}
