import { Prisma } from '../../../../prisma/client/client.ts';
import type { MachineTime, MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { shiftTime } from './merchant-now.ts';

/**
 * The time of a sweep and the rows it applies to: `only` one sandbox with its own clock, or all `except` those.
 * `machineNow` is for data that no test clock affects; it defaults to `now`.
 */
export type SweepScope = {
  now: MerchantTime;
  machineNow?: MachineTime;
  only?: string;
  except?: readonly string[];
};

/**
 * Runs a sweep at the machine's time, and for each sandbox whose test clock is ahead at its own time. Skips a
 * test clock that is being advanced, because that operation runs its own sweeps in order. An error of one sweep
 * does not stop the others and is thrown at the end.
 */
export async function forEachClock(
  db: Db,
  now: MachineTime,
  sweep: (scope: SweepScope) => Promise<unknown>,
): Promise<void> {
  const clocks = await db.prisma.merchant.findMany({
    where: { OR: [{ testClockOffsetMs: { gt: 0 } }, { testClockLeasedUntil: { gt: now } }] },
    select: { id: true, testClockOffsetMs: true, testClockLeasedUntil: true },
    orderBy: { id: 'asc' },
  });
  const scopes: SweepScope[] = [
    { now: shiftTime(now, 0n), machineNow: now, except: clocks.map(({ id }) => id) },
  ];
  for (const { id, testClockOffsetMs, testClockLeasedUntil } of clocks) {
    const isAdvancing = testClockLeasedUntil !== null && testClockLeasedUntil > now;
    if (!isAdvancing) scopes.push({ now: shiftTime(now, testClockOffsetMs), machineNow: now, only: id });
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

/** Returns a condition on `merchant_id` and `mode` for the rows of the sweep. */
export function sweepScopeSql({ only, except = [] }: SweepScope): Prisma.Sql {
  if (only !== undefined) return Prisma.sql`(merchant_id = ${only} AND mode = 'sandbox')`;
  if (except.length === 0) return Prisma.sql`TRUE`;
  return Prisma.sql`NOT (mode = 'sandbox' AND merchant_id = ANY(${[...except]}::text[]))`;
}
