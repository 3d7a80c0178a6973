import { DomainError } from '../../../kit/errors.ts';
import { type MerchantCaller, requirePermission } from './permissions.ts';

/** The audit trail names people and addresses: for owners, and keys that may `manage`. Error: `permission_denied`. */
export function requireAuditor(caller: MerchantCaller): void {
  if (!caller.user) requirePermission(caller, 'manage');
  else if (caller.user.role !== 'owner')
    throw new DomainError('permission_denied', 'Only an owner can read the audit trail');
}
