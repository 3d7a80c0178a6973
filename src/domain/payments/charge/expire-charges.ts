import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { inSweep, type SweepTime } from '../../platform/clock/sweep-clocks.ts';
import type { Service } from '../../platform/service.ts';
import { expireTogether } from './end-together.ts';

const batchSize = 200;

/** Moves every due charge to `expired`, in batches that several workers may share. Returns how many. */
export async function expireCharges(
  service: Service,
  time: SweepTime,
  signal?: AbortSignal,
): Promise<number> {
  return processDue({ batchSize, failed: 'some charges could not be expired', signal }, (batch) =>
    transact(service, (uow) => expireBatch(uow, { time, batch })),
  );
}

async function expireBatch(
  uow: UnitOfWork<Service>,
  { time, batch }: { time: SweepTime; batch: DueBatch },
): Promise<number> {
  const { now } = time;
  const due = await uow.tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge WHERE status = 'pending' AND expires_at < ${now} AND ${inSweep(time)}
      AND id <> ALL(${[...batch.except]}::text[])
    ORDER BY expires_at LIMIT ${batch.limit} FOR UPDATE SKIP LOCKED`;
  const ids = due.map(({ id }) => id);
  batch.onFound(ids);
  const charges = await uow.tx.charge.findMany({ where: { id: { in: ids } } });
  await expireTogether(uow, charges, now);
  return charges.length;
}
