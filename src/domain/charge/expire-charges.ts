import { type Db, type Tx, transact } from '../../kit/db.ts';
import { inBatches } from '../../kit/in-batches.ts';
import { inSweep, type SweepTime } from '../test-clock/sweep-clocks.ts';
import { expireTogether } from './end-together.ts';

const batchSize = 200;

/** Moves every due charge to `expired`, in batches that several workers may share; answers how many. */
export async function expireCharges(db: Db, time: SweepTime, signal?: AbortSignal): Promise<number> {
  return inBatches(batchSize, () => transact(db, (tx) => expireBatch(tx, time)), signal);
}

async function expireBatch(tx: Tx, time: SweepTime): Promise<number> {
  const { now } = time;
  const due = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge WHERE status = 'pending' AND expires_at < ${now} AND ${inSweep(time)}
    ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`;
  const charges = await tx.charge.findMany({ where: { id: { in: due.map((row) => row.id) } } });
  await expireTogether(tx, charges, now);
  return charges.length;
}
