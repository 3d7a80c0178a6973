import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';

/**
 * Accounts in the order in which they should take the next charge: the one with the fewest open charges for its weight
 * first, so that each carries its share; among equals the oldest.
 */
export async function rankReceivingAccounts(
  db: Db,
  accounts: readonly ReceivingAccount[],
): Promise<ReceivingAccount[]> {
  if (accounts.length <= 1) return [...accounts];
  const openCounts = await countOpenCharges(db, accounts);
  return rankByLoad(accounts.map((account) => ({ ...account, open: openCounts.get(account.id) ?? 0 })));
}

type AccountLoad = { id: string; weight: number; open: number };

/** By load (open charges for each unit of weight), in whole numbers so that equal loads are equal. */
export function rankByLoad<Account extends AccountLoad>(accounts: readonly Account[]): Account[] {
  return accounts.toSorted((a, b) => a.open * b.weight - b.open * a.weight || (a.id < b.id ? -1 : 1));
}

/** In SQL: the index of open charges is found by the word itself, not by a value that Prisma sends. */
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
