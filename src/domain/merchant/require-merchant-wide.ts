import { DomainError } from '../../kit/errors.ts';
import { type MerchantCaller, requirePermission } from '../api-key/permissions.ts';

/**
 * What holds for both modes at once is changed by an owner, or by a live key that may `manage`: never with what is
 * given away for trying out, a sandbox key or a developer's rights in the sandbox. Error: `permission_denied`, which
 * calls it `what`.
 */
export function requireMerchantWide(caller: MerchantCaller, what: string): void {
  if (caller.user) {
    if (caller.user.role === 'owner') return;
    throw new DomainError('permission_denied', `Only an owner changes the ${what}`);
  }
  requirePermission(caller, 'manage');
  if (caller.mode === 'live') return;
  throw new DomainError('permission_denied', `The ${what} hold for live mode too: use a live key`);
}
