import type { Merchant, Mode } from '../../../prisma/client/client.ts';
import { DomainError } from '../../kit/errors.ts';

export const permissions = ['read', 'write', 'refund', 'transfers', 'manage'] as const;
export type Permission = (typeof permissions)[number];

/** Who calls on behalf of a merchant: an API key. What it may, in which mode. */
export type Caller = {
  merchant: Merchant;
  mode: Mode;
  permissions: ReadonlySet<string>;
  /** As it stands in events and the audit trail: `key:key_…`. */
  actor: string;
};

/** Error: `permission_denied`. */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (caller.permissions.has(permission)) return;
  throw new DomainError('permission_denied', `The credentials do not have the permission ${permission}`);
}

/** Restricted operations are closed to live keys of merchants without access. Error: `restricted_endpoint`. */
export function requireRestrictedAccess(caller: Caller): void {
  if (caller.mode === 'sandbox' || caller.merchant.restrictedAccess === 'granted') return;
  throw new DomainError('restricted_endpoint', 'Ask for access in the dashboard');
}
