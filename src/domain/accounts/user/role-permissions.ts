import type { Mode, UserRole } from '../../../../prisma/client/client.ts';
import type { Permission } from '../api-key/permissions.ts';

/**
 * The permissions of dashboard users. The sandbox moves no money, so developers may do everything there. In
 * live mode, refunds and receiving accounts are reserved for owners, and transfers for owners and accountants.
 * Cashiers can only sell at the counter. Operators act for no merchant.
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
