import type { Mode, ReceivingAccount } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { MethodCode } from '../../method/catalogue.ts';

/**
 * The account that takes the next charge of a method: the one with the fewest open charges for its weight. Error:
 * `method_unavailable` when the merchant has no active account for it in this mode.
 */
export async function chooseReceivingAccount(
  db: Db,
  options: { merchantId: string; mode: Mode; method: MethodCode },
): Promise<ReceivingAccount> {
  const { merchantId, mode, method } = options;
  const accounts = await db.prisma.receivingAccount.findMany({
    where: { merchantId, mode, method, status: 'active' },
    orderBy: { id: 'asc' },
  });
  const [only] = accounts;
  if (!only) throw new DomainError('method_unavailable', `There is no receiving account for ${method}`);
  if (accounts.length === 1) return only;
  const open = await countOpenCharges(db, accounts);
  const load = (account: ReceivingAccount) => (open.get(account.id) ?? 0) / account.weight;
  return accounts.reduce((best, account) => (load(account) < load(best) ? account : best));
}

async function countOpenCharges(db: Db, accounts: ReceivingAccount[]): Promise<Map<string, number>> {
  const groups = await db.prisma.charge.groupBy({
    by: ['receivingAccountId'],
    where: { receivingAccountId: { in: accounts.map((account) => account.id) }, status: 'pending' },
    _count: true,
  });
  return new Map(groups.map((group) => [group.receivingAccountId, group._count]));
}
