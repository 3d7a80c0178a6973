import pg, { type QueryResultRow } from 'pg';
import { Prisma } from '../../prisma/client/client.ts';
import { getStatementName } from './statement-names.ts';
import type { Queryable } from './with-client.ts';

/**
 * Runs SQL with values as $1, $2, …. Both Prisma transactions and `pg` connections (through `createSql`) implement this
 * type, and both return rows in Prisma's types. Pass times as ISO 8601, and large integers as text.
 */
export type Sql = {
  $queryRawUnsafe<Rows extends object[]>(text: string, ...values: unknown[]): Promise<Rows>;
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>;
};

export function createSql(client: Queryable): Sql {
  return {
    async $queryRawUnsafe<Rows extends object[]>(text: string, ...values: unknown[]) {
      return (await queryPrepared(client, text, values)) as Rows;
    },
    async $executeRawUnsafe(text, ...values) {
      return (await client.query({ name: getStatementName(text), text, values })).rowCount ?? 0;
    },
  };
}

/**
 * Runs a prepared statement without Prisma, for statements on the hot path. PostgreSQL parses the statement once per
 * connection.
 */
export async function queryPrepared<Row extends QueryResultRow>(
  client: Queryable,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const query = { name: getStatementName(text), text, values: [...values], types: prismaTypes };
  return (await client.query<Row>(query)).rows;
}

type ValueParser = (text: string) => unknown;

const prismaParsers = new Map<number, ValueParser>([
  [pg.types.builtins.INT8, BigInt],
  [pg.types.builtins.NUMERIC, (text) => new Prisma.Decimal(text)],
]);
const prismaTypes = {
  getTypeParser: ((type: number, format: 'text') =>
    prismaParsers.get(type) ?? pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
};
