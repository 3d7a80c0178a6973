import type { Merchant } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';

/** Throws `account_disabled` if an operator disabled the merchant. */
export function requireEnabledMerchant(merchant: Merchant): void {
  if (merchant.disabledAt !== null) throw new DomainError('account_disabled');
}
