import { Prisma } from '../../prisma/client/client.ts';
import type { Clock } from './clock.ts';

/**
 * A lease lets one process at a time work on a row. `leased_until` is also the token of the lease: each write of the
 * process requires the value that its claim or last renewal set. A process that has lost its lease therefore changes
 * nothing, and another process may claim the row when the time has passed.
 */
export type Lease = { leasedUntil: Date };

export function getLeaseEnd(now: Date, leaseMs: number): Date {
  return new Date(now.getTime() + leaseMs);
}

export function isLeaseActive(leasedUntil: Date | null, now: Date): boolean {
  return leasedUntil !== null && leasedUntil > now;
}

/** The SQL condition for rows that a process may claim. */
export function isLeaseFree(now: Date): Prisma.Sql {
  return Prisma.sql`(leased_until IS NULL OR leased_until <= ${now})`;
}

/**
 * Renews a lease three times per period, so that one missed renewal does not lose it. `renew` returns whether the lease
 * was still valid; its errors are reported to `onError`.
 */
export function startLeaseRenewal(
  initialLease: Lease,
  options: {
    clock: Clock;
    leaseMs: number;
    renew: (lease: Lease, leasedUntil: Date) => Promise<boolean>;
    onError: (error: Error) => void;
  },
): { end: () => Promise<Lease> } {
  const { clock, leaseMs, renew, onError } = options;
  let lease = initialLease;
  let pendingRenewal: Promise<void> = Promise.resolve();
  const renewOnce = async () => {
    const leasedUntil = getLeaseEnd(clock.now(), leaseMs);
    if (await renew(lease, leasedUntil)) lease = { leasedUntil };
  };
  const timer = setInterval(() => {
    pendingRenewal = pendingRenewal.then(renewOnce).catch(onError);
  }, leaseMs / 3);
  return {
    /** Stops the renewal and returns the current lease. */
    async end() {
      clearInterval(timer);
      await pendingRenewal;
      return lease;
    },
  };
}
