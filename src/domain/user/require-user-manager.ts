import type { MerchantUser } from '../../../prisma/client/client.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';
import { requireOwner } from './require-owner.ts';
import { requireSecondFactor } from './require-second-factor.ts';

/**
 * Another owner may do all that this one may, without the second factor of this one: who makes one has given it again.
 * Errors: `permission_denied`, `second_factor_required`.
 */
export function requireOwnerMaker(caller: MerchantCaller, now: Date): void {
  requireUserManager(caller);
  requireSecondFactor(caller, now);
}

/** Users are invited, changed and removed by a signed-in owner, never by a key. Error: `permission_denied`. */
export function requireUserManager(caller: MerchantCaller): MerchantUser {
  return requireOwner(caller, 'manages users');
}
