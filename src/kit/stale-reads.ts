import type { PrismaClient } from '../../prisma/client/client.ts';
import type { Db } from './db.ts';

type Method =
  | 'findUnique'
  | 'findUniqueOrThrow'
  | 'findFirst'
  | 'findFirstOrThrow'
  | 'findMany'
  | 'count'
  | 'aggregate'
  | 'groupBy';
type Model = Exclude<keyof PrismaClient, `$${string}` | symbol>;

/**
 * Reads that may return data of some seconds ago, because a standby may answer them. Only functions whose
 * result is shown or written to a file take this type: reports, exports and counts. It is not assignable to
 * `Db` or `Tx`, so that no function that decides about a change can read through it.
 */
export type StaleReads = {
  stale: { [Name in Model]: Pick<PrismaClient[Name], Method & keyof PrismaClient[Name]> } & Pick<
    PrismaClient,
    '$queryRaw'
  >;
  select<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>;
};

export function toStaleReads({ prisma, pool }: Db): StaleReads {
  return {
    stale: prisma,
    select: async <Row extends object>(text: string, values: readonly unknown[]) =>
      (await pool.query<Row>(text, [...values])).rows,
  };
}
