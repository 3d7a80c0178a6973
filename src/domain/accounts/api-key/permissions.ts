import type { Merchant, MerchantUser, Mode, UserSession } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';

export const permissions = ['read', 'write', 'refund', 'transfers', 'manage'] as const;
/** Only users can have `sell`, because a sale at the counter belongs to a user. */
export const userPermissions = [...permissions, 'sell'] as const;
export type Permission = (typeof userPermissions)[number];

/** An API key or a dashboard user that acts for a merchant in one mode. */
export type MerchantCaller = {
  merchant: Merchant;
  mode: Mode;
  permissions: ReadonlySet<string>;
  /** As recorded in events and the audit trail: `key:key_…` or `user:usr_…`. */
  actor: string;
  /** Only for dashboard users. */
  user?: MerchantUser;
  /** Only for dashboard users. */
  session?: UserSession;
};

/**
 * The caller, the IP address of the client and the system time of a request, as recorded in the audit trail.
 */
export type RequestContext = { caller: MerchantCaller; ipAddress?: string | undefined; now: Date };

export function requirePermission(caller: MerchantCaller, permission: Permission): void {
  requireAnyPermission(caller, [permission]);
}

/** Throws `permission_denied` if the caller has none of the permissions. */
export function requireAnyPermission(caller: MerchantCaller, permissions: readonly Permission[]): void {
  if (permissions.some((permission) => caller.permissions.has(permission))) return;
  const names = permissions.map((permission) => `"${permission}"`).join(' or ');
  throw new DomainError('permission_denied', `This operation requires the permission ${names}`);
}

/**
 * Requires a signed-in owner; API keys never pass. `action` completes the error message, for example `manage
 * API keys`. Throws `permission_denied`.
 */
export function requireOwner({ user }: MerchantCaller, action: string): MerchantUser {
  if (user?.role === 'owner') return user;
  throw new DomainError('permission_denied', `Only an owner signed in to the dashboard can ${action}`);
}

/**
 * Requires an owner or a key with `manage`, because the audit trail contains personal data of users. Throws
 * `permission_denied`.
 */
export function requireAuditor(caller: MerchantCaller): void {
  if (!caller.user) requirePermission(caller, 'manage');
  else if (caller.user.role !== 'owner')
    throw new DomainError('permission_denied', 'Only an owner can read the audit trail');
}
