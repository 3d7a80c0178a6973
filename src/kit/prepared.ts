import type { QueryResultRow } from 'pg';
import type { Db } from './db.ts';
import { statementNames } from './statement-names.ts';

const nameOf = statementNames('plain');

/** A pool, or one connection of it where statements belong together. */
export type Source = { pool: Pick<Db['pool'], 'query'> };

/**
 * A statement past Prisma, for the few reads whose time counts: PostgreSQL parses it once a connection. Values are given
 * apart as $1, $2, …; rows come as the driver reads them (bigint as text, timestamptz as Date, json parsed).
 */
export async function queryPrepared<Row extends QueryResultRow>(
  { pool }: Source,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name: nameOf({ sql: text }), text, values: [...values] });
  return rows;
}
