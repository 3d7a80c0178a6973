import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

export async function getReceivingAccount(
  { prisma }: { prisma: Db['prisma'] | Tx },
  { merchantId, mode, id }: ScopedId,
): Promise<ReceivingAccount> {
  const account = await prisma.receivingAccount.findFirst({ where: { id, merchantId, mode } });
  if (!account) throw new DomainError('receiving_account_not_found', `Receiving account not found: ${id}`);
  return account;
}
