import type { BankFeed } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { dayMs, hourMs, minuteMs } from '../../../kit/duration.ts';
import type { Service } from '../../platform/service.ts';
import { markFeedLate } from './transition-bank-feed.ts';

/** The longest interval between deliveries in this period is the usual one. */
const learningMs = 28 * dayMs;
/** With fewer deliveries or days with deliveries, the usual interval is unknown. */
const deliveriesMin = 20;
const learningDaysMin = 7;
/** A feed is late after 1.5 times its usual interval, and at least an hour. */
const silenceFactor = 1.5;
const silenceMinMs = hourMs;

/**
 * Alerts merchants about connected feeds that have been silent for longer than configured or, by default,
 * than usual. Returns the number of feeds that became late.
 */
export async function markLateFeeds(
  service: Service,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const feeds = await service.prisma.bankFeed.findMany({
    where: { status: 'connected', deletedAt: null, merchant: { moveStatus: null } },
  });
  let lateCount = 0;
  for (const feed of feeds) {
    if (signal?.aborted) break;
    const silenceMs = now.getTime() - (await findLastReport(service, feed)).getTime();
    // Skips the query for feeds that cannot be late yet.
    if (silenceMs < (feed.silenceMinutes === null ? silenceMinMs : feed.silenceMinutes * minuteMs)) continue;
    const limitMs = await findSilenceLimit(service, feed, now);
    if (limitMs === undefined || silenceMs < limitMs) continue;
    const detail = `no delivery for ${formatDuration(silenceMs)}, usually at most ${formatDuration(limitMs)}`;
    if (await transact(service, (uow) => markFeedLate(uow, feed, { detail, now }))) lateCount += 1;
  }
  return lateCount;
}

/** Returns when a feed last reported something. A poll that found nothing is a success, but not a report. */
async function findLastReport({ prisma }: Service, feed: BankFeed): Promise<Date> {
  if (feed.nextPollAt === null) return feed.lastSuccessAt ?? feed.createdAt;
  const last = await prisma.feedDelivery.findFirst({
    where: { feedId: feed.id, status: { not: 'rejected' } },
    orderBy: { id: 'desc' },
    select: { createdAt: true },
  });
  return last?.createdAt ?? feed.createdAt;
}

/** Returns how long a feed may be silent: as configured, or as learned; undefined if neither is known. */
async function findSilenceLimit(
  { prisma }: Pick<Service, 'prisma'>,
  { id, silenceMinutes }: Pick<BankFeed, 'id' | 'silenceMinutes'>,
  now: Date,
): Promise<number | undefined> {
  if (silenceMinutes !== null) return silenceMinutes * minuteMs;
  const [intervals] = await prisma.$queryRaw<{ count: number; days: number; longestMs: number | null }[]>`
    SELECT count(*)::int AS count, count(DISTINCT created_at::date)::int AS days,
      max(extract(epoch FROM gap) * 1000)::float8 AS "longestMs"
    FROM (SELECT created_at, created_at - lag(created_at) OVER (ORDER BY id) AS gap FROM feed_delivery
      WHERE feed_id = ${id} AND status <> 'rejected' AND created_at > ${new Date(now.getTime() - learningMs)}) delivery`;
  if (!intervals || intervals.count < deliveriesMin || intervals.days < learningDaysMin) return undefined;
  return Math.max(silenceMinMs, (intervals.longestMs ?? 0) * silenceFactor);
}

function formatDuration(ms: number): string {
  if (ms < 2 * hourMs) return `${Math.round(ms / minuteMs)} minutes`;
  return ms < 2 * dayMs ? `${Math.round(ms / hourMs)} hours` : `${Math.round(ms / dayMs)} days`;
}
