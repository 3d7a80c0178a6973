import { DomainError } from '../../../kit/errors.ts';
import { type MerchantCaller, requirePermission } from './permissions.ts';

/**
 * Requires an owner or a key with `manage`, because the audit trail contains personal data of users. Throws
 * `permission_denied`.
 */
export function requireAuditor(caller: MerchantCaller): void {
  if (!caller.user) requirePermission(caller, 'manage');
  else if (caller.user.role !== 'owner')
    throw new DomainError('permission_denied', 'Only an owner can read the audit trail');
}
