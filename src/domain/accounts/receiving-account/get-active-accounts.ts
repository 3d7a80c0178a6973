import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { type CachedReader, readCached } from '../../platform/read-cached.ts';

type ActiveAccounts = [ReceivingAccount, ...ReceivingAccount[]];

/**
 * Returns the active accounts of a method, which accept new charges, oldest first. Throws
 * `method_unavailable` if there are none in this mode.
 */
export async function getActiveAccounts(
  service: CachedReader,
  options: MerchantScope & { method: MethodCode },
): Promise<ActiveAccounts> {
  const { method } = options;
  const { currency } = paymentMethods[method];
  const { merchantId, mode } = options;
  const [first, ...others] = await readCached(service, {
    name: `accounts ${merchantId} ${mode} ${method}`,
    read: (prisma) =>
      prisma.receivingAccount.findMany({
        where: { merchantId, mode, method, currency, status: 'active' },
        orderBy: { id: 'asc' },
      }),
    getTopic: (accounts) => (accounts.length === 0 ? undefined : merchantId),
  });
  if (!first)
    throw new DomainError('method_unavailable', `There is no active receiving account for ${method}`);
  return [first, ...others];
}
