import type { ReceivingAccount } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';

/**
 * Accounts in the order in which they should take the next charge: the one with the fewest open charges for its weight
 * first, so that each carries its share; among equals the oldest.
 */
export async function rankReceivingAccounts(
  db: Db,
  accounts: readonly ReceivingAccount[],
): Promise<ReceivingAccount[]> {
  if (accounts.length <= 1) return [...accounts];
  const open = await countOpenCharges(db, accounts);
  return rankByLoad(accounts.map((account) => ({ ...account, open: open.get(account.id) ?? 0 })));
}

type Loaded = { id: string; weight: number; open: number };

/** By load (open charges for each unit of weight), in whole numbers so that equal loads are equal. */
export function rankByLoad<Account extends Loaded>(accounts: readonly Account[]): Account[] {
  return accounts.toSorted((a, b) => a.open * b.weight - b.open * a.weight || (a.id < b.id ? -1 : 1));
}

async function countOpenCharges(db: Db, accounts: readonly ReceivingAccount[]): Promise<Map<string, number>> {
  const groups = await db.prisma.charge.groupBy({
    by: ['receivingAccountId'],
    where: { receivingAccountId: { in: accounts.map((account) => account.id) }, status: 'pending' },
    _count: true,
  });
  return new Map(groups.map((group) => [group.receivingAccountId, group._count]));
}
