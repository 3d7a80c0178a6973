import type { ReceivingAccountStatus } from '../../../../prisma/client/client.ts';

/**
 * The allowed status changes. A retired account accepts no new charges, but its open charges can still
 * complete.
 */
export const accountTransitions: Record<ReceivingAccountStatus, readonly ReceivingAccountStatus[]> = {
  active: ['retired'],
  retired: ['active'],
};

export function isActive(account: { status: ReceivingAccountStatus }): boolean {
  return account.status === 'active';
}
