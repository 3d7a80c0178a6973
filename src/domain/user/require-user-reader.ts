import { DomainError } from '../../kit/errors.ts';
import { type Caller, requirePermission } from '../api-key/permissions.ts';

/** Who the merchant's people are, is for owners, and keys that may `manage`. Error: `permission_denied`. */
export function requireUserReader(caller: Caller): void {
  if (!caller.user) requirePermission(caller, 'manage');
  else if (caller.user.role !== 'owner')
    throw new DomainError('permission_denied', 'Only an owner sees the users');
}
