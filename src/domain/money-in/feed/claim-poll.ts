import type { BankFeed } from '../../../../prisma/client/client.ts';
import type { Clock, SystemTime } from '../../../kit/clock.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { getLeaseEnd, isLeaseFree, type Lease, startLeaseRenewal } from '../../../kit/lease.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';

/** If the worker of a poll stops, another worker repeats the poll after this time. */
const pollLeaseMs = minuteMs;

/** A feed that this process polls exclusively. */
export type ClaimedPoll = { feedId: string; leasedUntil: Date; claimedAt: SystemTime; plannedFor: Date };

/** Claims the feed that has been due for the longest time and that no other worker polls. */
export async function claimPoll({ prisma }: Db, now: Date): Promise<ClaimedPoll | undefined> {
  const leasedUntil = getLeaseEnd(now, pollLeaseMs);
  const [claimed] = await prisma.$queryRaw<{ id: string; plannedFor: Date }[]>`
    UPDATE bank_feed SET leased_until = ${leasedUntil} WHERE id = (
      SELECT id FROM bank_feed WHERE next_poll_at <= ${now} AND ${isLeaseFree(now)}
        AND status <> 'paused' AND deleted_at IS NULL AND ${isOfRunningMerchant}
      ORDER BY next_poll_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, next_poll_at AS "plannedFor"`;
  return claimed && { feedId: claimed.id, leasedUntil, claimedAt: now, plannedFor: claimed.plannedFor };
}

/** Renews the lease of a poll until `end`, which returns the claim with the current lease. */
export function renewPoll(
  { prisma }: Db,
  claim: ClaimedPoll,
  { clock, onError }: { clock: Clock; onError: (error: Error) => void },
): { end: () => Promise<ClaimedPoll> } {
  const renew = async ({ leasedUntil: before }: Lease, leasedUntil: Date) => {
    const { count } = await prisma.bankFeed.updateMany({
      where: { id: claim.feedId, leasedUntil: before },
      data: { leasedUntil },
    });
    return count > 0;
  };
  const renewal = startLeaseRenewal(claim, { clock, leaseMs: pollLeaseMs, renew, onError });
  return { end: async () => ({ ...claim, ...(await renewal.end()) }) };
}

/**
 * Ends the lease of a poll and plans the next one, which starts immediately if it was requested since the
 * claim. Returns false if another worker has taken over.
 */
export async function releasePoll(
  tx: Tx,
  { feedId, leasedUntil, plannedFor }: ClaimedPoll,
  data: Pick<BankFeed, 'nextPollAt' | 'lastPollAt'>,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE bank_feed SET leased_until = NULL, last_poll_at = ${data.lastPollAt},
      next_poll_at = CASE WHEN next_poll_at > ${plannedFor} THEN next_poll_at ELSE ${data.nextPollAt} END
    WHERE id = ${feedId} AND leased_until = ${leasedUntil}`;
  return count > 0;
}
