import type { Mode, UserRole } from '../../../../prisma/client/client.ts';
import type { Permission } from '../api-key/permissions.ts';

/**
 * What a user of the dashboard may do for the merchant. In the sandbox nobody moves money, so a developer may try
 * everything there; live, the money is the owner's: refunds, transfers, and where customers pay to. Support helps a
 * customer: sees, makes a link, cancels. An operator runs the installation and acts for no merchant.
 */
export const rolePermissions: Record<UserRole, Record<Mode, readonly Permission[]>> = {
  owner: {
    live: ['read', 'write', 'refund', 'transfers', 'manage'],
    sandbox: ['read', 'write', 'refund', 'transfers', 'manage'],
  },
  developer: {
    live: ['read', 'write'],
    sandbox: ['read', 'write', 'refund', 'transfers', 'manage'],
  },
  support: {
    live: ['read', 'write'],
    sandbox: ['read', 'write'],
  },
  operator: { live: [], sandbox: [] },
};
