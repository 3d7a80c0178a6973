import type { BankFeed } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Clock, SystemTime } from '../../../kit/clock.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { hourMs, minuteMs } from '../../../kit/duration.ts';
import { getLeaseEnd, isLeaseFree, type Lease, startLeaseRenewal } from '../../../kit/lease.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import { createWorkSlots, type WorkSlots } from '../../../kit/work-slots.ts';
import type { Service } from '../../platform/service.ts';
import { fetchFiles } from './fetch-files.ts';
import { fetchTransactions } from './fetch-transactions.ts';
import { type OpenBankFeed, openBankFeed } from './open-bank-feed.ts';
import { getPollIntervalMs, type PollOutcome, type PollRun, toPullError } from './poll-run.ts';
import { recordFeedFailure, recordPollSuccess } from './transition-bank-feed.ts';

/** This many failed polls in a row are more than a short interruption. */
const failuresMin = 3;
/** A failing feed is polled at least this often, unless its interval is longer. */
const backoffMaxMs = hourMs;
/** A longer poll ends after the current file or batch, or during a call of an API. The next poll continues. */
const pollTimeoutMs = 15 * minuteMs;

/**
 * Polls a claimed feed, and records whether the poll succeeded. Files and transactions are stored during the poll,
 * so any worker can repeat an interrupted poll without loss.
 */
export async function pollBankFeed(
  service: Service,
  claim: ClaimedPoll,
  run: Omit<PollRun, 'startedAt'>,
): Promise<void> {
  const renewal = renewPoll(service, claim, run);
  let open: OpenBankFeed | undefined;
  let result: PollOutcome;
  try {
    open = await openBankFeed(service, claim.feedId);
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(pollTimeoutMs)]);
    const fetchNew = open.definition.pull?.kind === 'files' ? fetchFiles : fetchTransactions;
    result = await fetchNew(service, open, { ...run, signal, startedAt: claim.claimedAt });
  } catch (error) {
    result = { error: toPullError(error as Error, run) };
  }
  const current = await renewal.end();
  // The feed may have been deleted since the claim, and a stopped worker leaves the poll to another one.
  if (!open || run.signal.aborted) return releaseUnfinished(service, current);
  await recordPoll(service, open, { claim: current, result, now: run.clock.now() });
}

async function releaseUnfinished({ prisma }: Service, { feedId, leasedUntil }: ClaimedPoll): Promise<void> {
  await prisma.bankFeed.updateMany({ where: { id: feedId, leasedUntil }, data: { leasedUntil: null } });
}

async function recordPoll(
  service: Service,
  { feed, settings }: OpenBankFeed,
  { claim, result, now }: { claim: ClaimedPoll; result: PollOutcome; now: Date },
): Promise<void> {
  const { error, pollState, fetchedUntil, nextInMs } = result;
  const intervalMs = getPollIntervalMs(settings);
  // The feed was read before the poll, so this failure is not counted yet.
  const backoffMs = Math.min(intervalMs * 2 ** feed.consecutiveFailures, Math.max(intervalMs, backoffMaxMs));
  const delayMs = nextInMs ?? (error ? backoffMs : intervalMs);
  await transact(service, async (uow) => {
    const plan = { lastPollAt: claim.claimedAt, nextPollAt: new Date(now.getTime() + delayMs) };
    if (!(await releasePoll(uow.tx, claim, plan))) return;
    const { hostKeyFingerprint: presentedHostKeyFingerprint } = error ?? {};
    const nextState =
      presentedHostKeyFingerprint === undefined
        ? pollState
        : { ...(feed.pollState as object), presentedHostKeyFingerprint };
    await uow.tx.bankFeed.update({
      where: { id: feed.id },
      data: {
        ...(nextState !== undefined && { pollState: nextState as object }),
        ...(fetchedUntil !== undefined && { fetchedUntil }),
      },
    });
    if (!error) return await recordPollSuccess(uow, feed, now);
    await recordFeedFailure(uow, feed, {
      error: `${error.reason}: ${error.message}`,
      failuresMin: error.isPermanent ? 1 : failuresMin,
      now,
    });
  });
}

/** The number of concurrent polls, so that a slow server does not delay the other feeds. */
const concurrency = 4;

/** Starts the poller of a process. Polls may take longer than a run of a job, so a job only starts them. */
export function startFeedPoller(
  service: Service,
  { clock, isPaused, onError }: { clock: Clock; isPaused?: () => boolean; onError: (error: Error) => void },
): WorkSlots {
  return createWorkSlots({
    concurrency,
    claim: () => claimPoll(service, clock.now()),
    work: (claim, signal) => pollBankFeed(service, claim, { clock, signal, onError }),
    isPaused,
    onError,
  });
}

/** If the worker of a poll stops, another worker repeats the poll after this time. */
const pollLeaseMs = minuteMs;

/** A feed that this process polls exclusively. */
type ClaimedPoll = { feedId: string; leasedUntil: Date; claimedAt: SystemTime; plannedFor: Date };

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
function renewPoll(
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
async function releasePoll(
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
