import type { Charge } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { orphanPartPayments } from '../transfer/orphan-part-payments.ts';
import { transitionCharges } from './transition-charge.ts';

/** Ends locked, pending charges whose time is over. What they had received in part becomes exceptions. */
export async function expireTogether(tx: Tx, charges: readonly Charge[], now: Date): Promise<void> {
  const change = { now, actor: 'job:expire-charges' };
  const steps = charges.map((charge) => ({ charge, to: 'expired' as const }));
  const expired = await transitionCharges(tx, steps, change);
  for (const charge of expired) await orphanPartPayments(tx, charge, { reason: 'charge_expired', ...change });
}

/** Whether it can no longer be paid in time, also before the job has said so. */
export function isOver(charge: Pick<Charge, 'status' | 'expiresAt'>, now: Date): boolean {
  return charge.status === 'pending' && charge.expiresAt < now;
}
