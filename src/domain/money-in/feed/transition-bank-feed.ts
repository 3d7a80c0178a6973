import type { BankFeed, BankFeedStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import { toStorableText } from '../../../kit/text.ts';
import type { AlertKind } from '../../accounts/alert/alert-kind.ts';
import type { Service } from '../../platform/service.ts';
import { bankFeedTransitions, listFeedSources } from './bank-feed-state.ts';

/** This many rejected deliveries in a row suggest wrong credentials rather than an attack. */
export const rejectionsMax = 5;
/** A busy feed updates the time of its last success only this often. */
const successIntervalMs = 10_000;

type FeedRef = Pick<BankFeed, 'id' | 'merchantId' | 'mode'>;

/** Records that a feed works: its failures end, and it becomes `connected` unless it is paused. */
export async function recordFeedSuccess(
  uow: UnitOfWork,
  feed: FeedRef,
  { hasTransfers, now }: { hasTransfers: boolean; now: Date },
): Promise<void> {
  const before = new Date(now.getTime() - successIntervalMs);
  const connectable = listFeedSources('connected').filter((status) => status !== 'paused');
  const changed = await uow.tx.$executeRaw`
    UPDATE bank_feed SET
      status = CASE WHEN status = ANY(${connectable}::bank_feed_status[]) THEN 'connected' ELSE status END,
      consecutive_failures = 0, failing_since = NULL, late_since = NULL, last_error = NULL, last_success_at = ${now},
      last_transfer_at = CASE WHEN ${hasTransfers} THEN ${now} ELSE last_transfer_at END, updated_at = ${now}
    WHERE id = ${feed.id} AND (status NOT IN ('connected', 'paused') OR consecutive_failures > 0
      OR coalesce(last_success_at, '-infinity') < ${before}
      OR (${hasTransfers} AND coalesce(last_transfer_at, '-infinity') < ${before}))`;
  if (changed > 0) announceFeed(uow, feed);
}

/**
 * Records that a poll succeeded. A new or failing feed is then `connected`. A feed that is late, or whose
 * deliveries have failed, only becomes `connected` after a successful delivery.
 */
export async function recordPollSuccess(uow: UnitOfWork, feed: FeedRef, now: Date): Promise<void> {
  await uow.tx.bankFeed.updateMany({ where: { id: feed.id }, data: { lastSuccessAt: now, updatedAt: now } });
  await uow.tx.$executeRaw`
    UPDATE bank_feed SET
      status = CASE WHEN status IN ('new', 'failing') THEN 'connected' ELSE status END,
      consecutive_failures = 0, failing_since = NULL, last_error = NULL
    WHERE id = ${feed.id} AND NOT EXISTS (SELECT 1 FROM feed_delivery d
      WHERE d.feed_id = ${feed.id} AND d.status = 'failed' AND d.processed_at >= bank_feed.failing_since)`;
  announceFeed(uow, feed);
}

/**
 * Counts a failed poll, or a rejected or failed delivery. After `failuresMin` in a row the feed is `failing`, and the
 * merchant is alerted, once for each incident.
 */
export async function recordFeedFailure(
  uow: UnitOfWork<Service>,
  feed: FeedRef,
  { failuresMin = 1, now, ...options }: { error: string; failuresMin?: number; now: Date },
): Promise<void> {
  // The sender may have written a part of the text.
  const error = toStorableText(options.error);
  const [updated] = await uow.tx.$queryRaw<
    { status: BankFeedStatus; failingSince: Date; failures: number }[]
  >`
    UPDATE bank_feed SET consecutive_failures = consecutive_failures + 1,
      failing_since = coalesce(failing_since, ${now}), last_error = ${error}, updated_at = ${now}
    WHERE id = ${feed.id}
    RETURNING status, failing_since AS "failingSince", consecutive_failures AS failures`;
  announceFeed(uow, feed);
  if (!updated || updated.failures < failuresMin) return;
  if (!bankFeedTransitions[updated.status].includes('failing')) return;
  await changeStatus(uow, { ...feed, status: updated.status }, 'failing', now);
  await alertAboutFeed(uow, feed, {
    kind: 'feed_failing',
    detail: error,
    incident: updated.failingSince,
    now,
  });
}

/**
 * Marks a connected feed as late and alerts the merchant. Returns false if its status or last success has
 * changed since `feed` was read.
 */
export async function markFeedLate(
  uow: UnitOfWork<Service>,
  feed: BankFeed,
  { detail, now }: { detail: string; now: Date },
): Promise<boolean> {
  const { count } = await uow.tx.bankFeed.updateMany({
    where: { id: feed.id, status: { in: listFeedSources('late') }, lastSuccessAt: feed.lastSuccessAt },
    data: { status: 'late', lateSince: now, updatedAt: now },
  });
  if (count === 0) return false;
  announceFeed(uow, feed);
  await alertAboutFeed(uow, feed, { kind: 'feed_late', detail, incident: now, now });
  return true;
}

/** Pauses or resumes a locked feed. Returns false if it already has that state. */
export async function setFeedPaused(
  uow: UnitOfWork,
  feed: BankFeed,
  { isPaused, now }: { isPaused: boolean; now: Date },
): Promise<boolean> {
  const resumed: BankFeedStatus = feed.lastSuccessAt === null ? 'new' : 'connected';
  const to = isPaused ? 'paused' : resumed;
  if (isPaused === (feed.status === 'paused')) return false;
  await changeStatus(uow, feed, to, now);
  return true;
}

async function changeStatus(
  uow: UnitOfWork,
  { id, merchantId, mode, status }: FeedRef & { status: BankFeedStatus },
  to: BankFeedStatus,
  now: Date,
): Promise<void> {
  if (!bankFeedTransitions[status].includes(to))
    throw new Error(`A bank feed cannot change from ${status} to ${to}`);
  await uow.tx.bankFeed.updateMany({
    where: { id, status },
    data: { status: to, lateSince: null, updatedAt: now },
  });
  announceFeed(uow, { id, merchantId, mode });
}

async function alertAboutFeed(
  { tx, settings }: UnitOfWork<Service>,
  { id, merchantId, mode }: FeedRef,
  { kind, detail, incident, now }: { kind: AlertKind; detail: string; incident: Date; now: Date },
): Promise<void> {
  await tx.alert.createMany({
    data: {
      id: newId('alert', now),
      merchantId,
      mode,
      kind,
      bankFeedId: id,
      url: `${settings.publicUrl}/dashboard/bank-feeds/${id}`,
      detail,
      dedupeKey: `${kind} ${id} ${incident.toISOString()}`,
      createdAt: now,
    },
    skipDuplicates: true,
  });
}

function announceFeed(uow: UnitOfWork, { id: objectId, merchantId, mode }: FeedRef): void {
  announceChange(uow, { objectId, merchantId, mode });
}
