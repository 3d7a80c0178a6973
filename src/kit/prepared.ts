import type { QueryResultRow } from 'pg';
import { namedStatement } from './named-statement.ts';
import { statementNames } from './statement-names.ts';
import type { Queryable } from './with-client.ts';

const nameOf = statementNames('plain');

/** As the driver takes a statement that is not its own, here and there. */
type Ask = (statement: object, callback: (error: unknown, rows?: unknown) => void) => void;

/**
 * A statement past Prisma, for the few reads whose time counts: PostgreSQL parses it once a connection. Values are given
 * apart as $1, $2, …; rows come as the driver reads them (bigint as text, timestamptz as Date, json parsed).
 */
export async function queryPrepared<Row extends QueryResultRow>(
  client: Queryable,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const name: string | undefined = nameOf({ sql: text });
  if (name === undefined) return (await client.query<Row>(text, [...values])).rows;
  const statement = namedStatement(name, text, values);
  return new Promise<Row[]>((resolve, reject) => {
    const ask = client.query.bind(client) as Ask;
    ask(statement, (error, rows) => (error ? reject(error) : resolve(rows as Row[])));
  });
}
