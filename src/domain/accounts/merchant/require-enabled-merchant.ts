import type { Merchant } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';

/** Error: `account_disabled`. */
export function requireEnabledMerchant(merchant: Merchant): void {
  if (merchant.disabledAt !== null) throw new DomainError('account_disabled');
}
