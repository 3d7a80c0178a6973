import { Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { isLeaseActive } from '../../../kit/lease.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import { shiftTime } from './merchant-now.ts';

/**
 * The time of a sweep and the rows to which it applies: the rows of one sandbox with its own test clock, or all
 * rows except the sandbox rows of some merchants. `systemNow` is the system time, for data that no test clock
 * affects; it defaults to `now`.
 */
export type SweepScope = {
  now: MerchantTime;
  systemNow?: SystemTime;
  onlyMerchantId?: string;
  exceptMerchantIds?: readonly string[];
};

/**
 * Runs a sweep at the system time, and once for each sandbox whose test clock is ahead, at the time of that
 * clock. Skips a test clock that is being advanced, because `advanceTestClock` runs its own sweeps in order.
 * An error of one sweep does not stop the others; errors are thrown at the end.
 */
export async function forEachClock(
  db: Db,
  now: SystemTime,
  sweep: (scope: SweepScope) => Promise<unknown>,
): Promise<void> {
  const clocks = await db.prisma.merchant.findMany({
    where: { OR: [{ testClockOffsetMs: { gt: 0 } }, { testClockLeasedUntil: { gt: now } }] },
    select: { id: true, testClockOffsetMs: true, testClockLeasedUntil: true },
    orderBy: { id: 'asc' },
  });
  const scopes: SweepScope[] = [
    { now: shiftTime(now, 0n), systemNow: now, exceptMerchantIds: clocks.map(({ id }) => id) },
  ];
  for (const { id, testClockOffsetMs, testClockLeasedUntil } of clocks) {
    const isAdvancing = isLeaseActive(testClockLeasedUntil, now);
    if (!isAdvancing)
      scopes.push({ now: shiftTime(now, testClockOffsetMs), systemNow: now, onlyMerchantId: id });
  }
  const failures: unknown[] = [];
  for (const scope of scopes) {
    try {
      await sweep(scope);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'the sweep failed for several test clocks');
}

/** Returns a condition on `merchant_id` and `mode` for the rows to which the sweep applies. */
export function sweepScopeSql({ onlyMerchantId, exceptMerchantIds = [] }: SweepScope): Prisma.Sql {
  if (onlyMerchantId !== undefined)
    return Prisma.sql`(merchant_id = ${onlyMerchantId} AND mode = 'sandbox' AND ${isOfRunningMerchant})`;
  if (exceptMerchantIds.length === 0) return isOfRunningMerchant;
  return Prisma.sql`(NOT (mode = 'sandbox' AND merchant_id = ANY(${[...exceptMerchantIds]}::text[])) AND ${isOfRunningMerchant})`;
}
