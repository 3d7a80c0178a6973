import type { MerchantUser, Mode, UserRole } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import {
  type MerchantCaller,
  type Permission,
  requireOwner,
  requirePermission,
} from '../api-key/permissions.ts';
import { lockUser } from './lock-user.ts';

/** The roles that a merchant may assign. Only the command line creates operators. */
export const merchantRoles: readonly UserRole[] = [
  'owner',
  'developer',
  'accountant',
  'support',
  'cashier',
  'read_only',
];

/** Returns a role that a merchant may assign. Throws 400 for `operator`. */
export function checkRole(role: UserRole): UserRole {
  if (!merchantRoles.includes(role))
    throw invalidInputError('/role', `must be one of ${merchantRoles.join(', ')}`);
  return role;
}

/**
 * Throws `last_owner` if the user is the merchant's last owner. The caller must hold the merchant's lock, so that two
 * owners who remove each other concurrently cannot both succeed.
 */
export async function assertNotLastOwner(tx: Tx, { id, merchantId, role }: MerchantUser): Promise<void> {
  if (role !== 'owner') return;
  const otherOwners = await tx.merchantUser.count({
    where: { merchantId, role: 'owner', removedAt: null, id: { not: id } },
  });
  if (otherOwners === 0) throw new DomainError('last_owner', 'An account must have at least one owner');
}

/**
 * The permissions of dashboard users. The sandbox moves no money, so developers may do everything there. In live mode,
 * only owners have `refund` and `manage`, and only owners and accountants have `transfers`. Cashiers can only sell at
 * the counter. Operators act for no merchant.
 */
export const rolePermissions: Record<UserRole, Record<Mode, readonly Permission[]>> = {
  owner: {
    live: ['read', 'write', 'refund', 'transfers', 'manage', 'sell'],
    sandbox: ['read', 'write', 'refund', 'transfers', 'manage', 'sell'],
  },
  developer: {
    live: ['read', 'write', 'sell'],
    sandbox: ['read', 'write', 'refund', 'transfers', 'manage', 'sell'],
  },
  accountant: {
    live: ['read', 'transfers'],
    sandbox: ['read', 'transfers'],
  },
  support: {
    live: ['read', 'write', 'sell'],
    sandbox: ['read', 'write', 'sell'],
  },
  cashier: { live: ['sell'], sandbox: ['sell'] },
  read_only: { live: ['read'], sandbox: ['read'] },
  operator: { live: [], sandbox: [] },
};

/** Roles that can receive notices, which report all payments of the merchant. */
export const noticeRoles = merchantRoles.filter((role) => rolePermissions[role].live.includes('read'));

/**
 * Requires a signed-in owner to invite, change or remove users; API keys never pass. Throws
 * `permission_denied`.
 */
export function requireUserManager(caller: MerchantCaller): MerchantUser {
  return requireOwner(caller, 'manage users');
}

/**
 * Locks the merchant, and requires again that the caller is an owner, because another owner may have demoted or
 * removed the caller concurrently. Throws `permission_denied`, or `user_not_found` for a removed caller.
 */
export async function lockUserManager(tx: Tx, caller: MerchantCaller): Promise<MerchantUser> {
  const { id } = requireUserManager(caller);
  await lockMerchant(tx, caller.merchant.id);
  return requireUserManager({ ...caller, user: await lockUser(tx, id, caller.merchant.id) });
}

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
