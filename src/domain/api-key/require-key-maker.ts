import { requireOwner } from '../user/require-owner.ts';
import { requireSecondFactor } from '../user/require-second-factor.ts';
import type { MerchantCaller } from './permissions.ts';

/**
 * Keys are made, changed and rotated by a signed-in owner; live, where they may do all that an owner may, by one who
 * has given the second factor again. Errors: `permission_denied`, `second_factor_required`.
 */
export function requireKeyMaker(caller: MerchantCaller, now: Date): void {
  requireOwner(caller, 'manages keys');
  if (caller.mode === 'live') requireSecondFactor(caller, now);
}
