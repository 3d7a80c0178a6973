import { transact } from '../../kit/db.ts';
import type { Service } from '../service.ts';
import type { SweepTime } from '../test-clock/sweep-clocks.ts';
import { type Renewed, renewBatch, type Share } from './renew-batch.ts';

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
  const failures = new Map<string, unknown>();
  /** So many are taken one by one before the next batch. */
  let alone = 0;
  for (let total = 0; ; ) {
    const limit = alone > 0 ? 1 : batchSize;
    const ended = await tryBatch(service, time, { limit, except: [...failures.keys()] });
    alone = Math.max(0, alone - 1);
    if ('error' in ended) {
      if (ended.found.length === 1) failures.set(ended.found[0]!, ended.error);
      else alone = ended.found.length;
    } else {
      total += ended.taken;
      if (ended.found.length < limit || ended.taken === 0) return report(total, failures);
    }
    if (signal?.aborted) return report(total, failures);
  }
}

type Ended = Renewed | { found: string[]; error: unknown };

/** Errors: those of a database that does not even find what is due. */
async function tryBatch(service: Service, time: SweepTime, share: Share): Promise<Ended> {
  let found: string[] = [];
  const seen = (ids: string[]) => {
    found = ids;
  };
  try {
    return await transact(service, (tx) => renewBatch(service, tx, { time, share, seen }));
  } catch (error) {
    if (found.length === 0) throw error;
    return { found, error };
  }
}

function report(total: number, failures: ReadonlyMap<string, unknown>): number {
  if (failures.size === 0) return total;
  const ids = [...failures.keys()].join(', ');
  throw new AggregateError([...failures.values()], `these subscriptions could not be renewed: ${ids}`);
}
