import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';

/**
 * Sorts accounts by preference for the next charge: accounts with the fewest open charges relative to their
 * weight first, and the oldest first among equals.
 */
export async function rankReceivingAccounts(
  db: Db,
  accounts: readonly ReceivingAccount[],
): Promise<ReceivingAccount[]> {
  if (accounts.length <= 1) return [...accounts];
  const openCounts = await countOpenCharges(db, accounts);
  return rankByLoad(accounts.map((account) => ({ ...account, openCount: openCounts.get(account.id) ?? 0 })));
}

type AccountLoad = { id: string; weight: number; openCount: number };

/**
 * Sorts by open charges per unit of weight. Compares cross products instead of quotients, which rounding
 * could make unequal for equal loads.
 */
export function rankByLoad<Account extends AccountLoad>(accounts: readonly Account[]): Account[] {
  return accounts.toSorted(
    (a, b) => a.openCount * b.weight - b.openCount * a.weight || (a.id < b.id ? -1 : 1),
  );
}

/**
 * Uses raw SQL, because PostgreSQL uses the partial index only for the literal 'pending', and Prisma would
 * send a parameter.
 */
async function countOpenCharges(
  { prisma }: Pick<Db, 'prisma'>,
  accounts: readonly ReceivingAccount[],
): Promise<Map<string, number>> {
  const ids = accounts.map((account) => account.id);
  const counts = await prisma.$queryRaw<{ id: string; open: number }[]>`
    SELECT receiving_account_id AS id, count(*)::int AS open FROM charge
    WHERE receiving_account_id = ANY (${ids}) AND status = 'pending' GROUP BY receiving_account_id`;
  return new Map(counts.map(({ id, open }) => [id, open]));
}
