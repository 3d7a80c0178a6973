import type { QueryResultRow } from 'pg';
import type { Db } from './db.ts';
import { namedStatement } from './named-statement.ts';
import { statementNames } from './statement-names.ts';

const nameOf = statementNames('plain');

/** A pool, or one connection of it where statements belong together. */
export type Source = { pool: Pick<Db['pool'], 'query'> };

/** As the driver takes a statement that is not its own, here and there. */
type Ask = (statement: object, callback: (error: unknown, rows?: unknown) => void) => void;

/**
 * A statement past Prisma, for the few reads whose time counts: PostgreSQL parses it once a connection. Values are given
 * apart as $1, $2, …; rows come as the driver reads them (bigint as text, timestamptz as Date, json parsed).
 */
export async function queryPrepared<Row extends QueryResultRow>(
  { pool }: Source,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const name: string | undefined = nameOf({ sql: text });
  if (name === undefined) return (await pool.query<Row>(text, [...values])).rows;
  const statement = namedStatement(name, text, values);
  return new Promise<Row[]>((resolve, reject) => {
    const ask = pool.query.bind(pool) as Ask;
    ask(statement, (error, rows) => (error ? reject(error) : resolve(rows as Row[])));
  });
}
