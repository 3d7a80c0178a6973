import type { Merchant, ReceivingAccount } from '../../../../prisma/client/client.ts';

/**
 * Returns whether no real money can move, so that demo rates may be used. A demo merchant may have added a
 * real account.
 */
export function canUseDemoRates(
  merchant: Pick<Merchant, 'demo'>,
  accounts: readonly Pick<ReceivingAccount, 'demo'>[],
): boolean {
  return merchant.demo && accounts.every(({ demo }) => demo);
}
