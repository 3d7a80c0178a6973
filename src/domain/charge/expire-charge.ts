import type { Charge } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { orphanPartPayments } from '../transfer/orphan-part-payments.ts';
import { transitionCharge } from './transition-charge.ts';

/** Ends a locked, pending charge whose time is over. What it had received in part becomes exceptions. */
export async function expireCharge(tx: Tx, charge: Charge, now: Date): Promise<Charge> {
  const change = { now, actor: 'job:expire-charges' };
  const expired = await transitionCharge(tx, charge, 'expired', change);
  await orphanPartPayments(tx, expired, { reason: 'charge_expired', ...change });
  return expired;
}

/** Whether it can no longer be paid in time, also before the job has said so. */
export function isOver(charge: Pick<Charge, 'status' | 'expiresAt'>, now: Date): boolean {
  return charge.status === 'pending' && charge.expiresAt < now;
}
