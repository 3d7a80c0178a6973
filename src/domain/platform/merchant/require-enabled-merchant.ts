import type { Merchant } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import { MerchantMovedError, merchantPausedError } from '../../../kit/moving-merchant.ts';

/**
 * Throws `account_disabled` if an operator disabled the merchant, `merchant_paused` during a move from or to another
 * installation, and `merchant_moved` after a move to another installation.
 */
export function requireEnabledMerchant(merchant: Merchant): void {
  requireMerchantHere(merchant);
  if (merchant.moveStatus !== null) throw merchantPausedError();
  if (merchant.disabledAt !== null) throw new DomainError('account_disabled');
}

/** Throws `merchant_moved` if the merchant runs in another installation. */
export function requireMerchantHere({ moveStatus, movedTo }: Merchant): void {
  if (moveStatus === 'moved') throw new MerchantMovedError(movedTo ?? undefined);
}
