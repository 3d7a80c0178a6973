import { DomainError } from '../../../kit/errors.ts';
import { type MerchantCaller, requirePermission } from '../api-key/permissions.ts';

/**
 * Who the merchant's people are, is for owners, and live keys that may `manage`: a sandbox key is given away for trying
 * out. Error: `permission_denied`.
 */
export function requireUserReader(caller: MerchantCaller): void {
  if (caller.user?.role === 'owner') return;
  if (caller.user) throw new DomainError('permission_denied', 'Only an owner can view users');
  requirePermission(caller, 'manage');
  if (caller.mode !== 'live') throw new DomainError('permission_denied', 'A sandbox key cannot view users');
}
