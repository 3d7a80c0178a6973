import type { Mode, ReceivingAccount } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { type MethodCode, paymentMethods } from '../../method/catalogue.ts';

export type ActiveAccounts = [ReceivingAccount, ...ReceivingAccount[]];

/**
 * The accounts that take new charges of a method, in its currency, oldest first. Error: `method_unavailable` when the
 * merchant has none in this mode.
 */
export async function getActiveAccounts(
  db: Db,
  options: { merchantId: string; mode: Mode; method: MethodCode },
): Promise<ActiveAccounts> {
  const { method } = options;
  const { currency } = paymentMethods[method];
  const [first, ...others] = await db.prisma.receivingAccount.findMany({
    where: { ...options, currency, status: 'active' },
    orderBy: { id: 'asc' },
  });
  if (!first) throw new DomainError('method_unavailable', `There is no receiving account for ${method}`);
  return [first, ...others];
}
