import type { ForexRate } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { compareByAge, crossBase } from './quotes.ts';

/** `isApplicable` marks the rate that applies to its currency in live mode. */
export type ListedRate = ForexRate & { isApplicable: boolean };

/** Returns all stored rates by currency; of each currency, the rate that applies comes first. */
export async function listRates(db: Pick<Db, 'prisma'>): Promise<ListedRate[]> {
  const rows = await db.prisma.forexRate.findMany({ where: { base: crossBase } });
  rows.sort((a, b) => (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : compareByAge(b, a)));
  return rows.map((row, i) => ({ ...row, isApplicable: rows[i - 1]?.currency !== row.currency }));
}
