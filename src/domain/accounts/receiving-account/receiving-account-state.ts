import type { ReceivingAccountStatus } from '../../../../prisma/client/client.ts';

/** A retired account takes no new charges and may be taken up again; what is open on it still completes. */
export const accountTransitions: Record<ReceivingAccountStatus, readonly ReceivingAccountStatus[]> = {
  active: ['retired'],
  retired: ['active'],
};

export function isActive(account: { status: ReceivingAccountStatus }): boolean {
  return account.status === 'active';
}
