import { DomainError } from '../../../kit/errors.ts';
import { type MerchantCaller, requirePermission } from '../api-key/permissions.ts';

/**
 * Requires an owner or a live key with `manage` to view users. Sandbox keys are shared for testing, so they
 * cannot. Throws `permission_denied`.
 */
export function requireUserReader(caller: MerchantCaller): void {
  if (caller.user?.role === 'owner') return;
  if (caller.user) throw new DomainError('permission_denied', 'Only an owner can view users');
  requirePermission(caller, 'manage');
  if (caller.mode !== 'live') throw new DomainError('permission_denied', 'A sandbox key cannot view users');
}
