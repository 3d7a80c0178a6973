import type { Merchant, MerchantUser, Mode, UserSession } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';

export const permissions = ['read', 'write', 'refund', 'transfers', 'manage'] as const;
export type Permission = (typeof permissions)[number];

/** Who calls on behalf of a merchant: an API key, or a user of the dashboard. What they may, in which mode. */
export type MerchantCaller = {
  merchant: Merchant;
  mode: Mode;
  permissions: ReadonlySet<string>;
  /** As it stands in events and the audit trail: `key:key_…`, `user:usr_…`. */
  actor: string;
  /** Set for a user of the dashboard. */
  user?: MerchantUser;
  /** And theirs. */
  session?: UserSession;
};

/** A caller who does something, from which network address, and when by the wall clock: as the audit trail tells it. */
export type RequestContext = { caller: MerchantCaller; address?: string | undefined; now: Date };

/** Error: `permission_denied`. */
export function requirePermission(caller: MerchantCaller, permission: Permission): void {
  if (caller.permissions.has(permission)) return;
  throw new DomainError('permission_denied', `Missing permission: ${permission}`);
}
