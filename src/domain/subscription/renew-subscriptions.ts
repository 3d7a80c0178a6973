import { transact } from '../../event/unit-of-work.ts';
import { processDue } from '../../kit/process-due.ts';
import type { Service } from '../service.ts';
import type { SweepTime } from '../test-clock/sweep-clocks.ts';
import { renewBatch } from './renew-batch.ts';

const batchSize = 100;

/**
 * Makes the invoices that are due, reminds of them, and pauses what was not paid, in the order of the times these were
 * due at, in batches that several workers may share; answers how many steps were taken. A subscription that cannot be
 * renewed keeps no other: its batch is done again one by one, and what failed is thrown at the end.
 */
export async function renewSubscriptions(
  service: Service,
  time: SweepTime,
  signal?: AbortSignal,
): Promise<number> {
  const failed = 'these subscriptions could not be renewed';
  return processDue({ batchSize, failed, signal }, (dueBatch) =>
    transact(service, (uow) => renewBatch(uow, { time, dueBatch })),
  );
}
