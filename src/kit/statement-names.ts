/** So many statements are prepared on each connection; those that come after are sent whole every time. */
const preparedMax = 500;
/** A longer one is a list of values, which seldom comes again. */
const lengthMax = 5_000;

/**
 * Names for statements, so that PostgreSQL parses each once a connection. The same text has the same name, which begins
 * with the prefix, so that those who send through one pool keep apart;
 * no name (`undefined`) leaves a statement unprepared.
 */
export function statementNames(prefix: string): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // The adapter hands the name to pg as it is, where none is undefined.
    if (names.size >= preparedMax || sql.length > lengthMax) return undefined as unknown as string;
    const name = `${prefix}_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
