import type { Prisma } from '../../prisma/client/client.ts';
import type { Db } from '../kit/db.ts';
import { DomainError } from '../kit/errors.ts';
import type { MerchantScope } from '../kit/merchant-scope.ts';

/**
 * The events of a merchant and mode with a higher number than `after`, in order, with what the selection asks for. Error:
 * `event_cursor_expired` when some of them are no longer kept, or the log ends before `after`, as once a backup was
 * restored: a reader must learn that it has missed them, or will.
 */
export async function readEventLog<Selection extends { include: Prisma.EventInclude }>(
  db: Db,
  options: MerchantScope & { after: bigint | null; limit: number; selection: Selection },
) {
  const { merchantId, mode, after, limit, selection } = options;
  const events = await db.prisma.event.findMany({
    ...selection,
    where: { merchantId, mode, sequence: { gt: after ?? 0n } },
    orderBy: { sequence: 'asc' },
    take: limit,
  });
  if (after === null) return events;
  // Looked at afterwards: what was pruned before the events were read shows here.
  const counter = await db.prisma.eventCounter.findUnique({
    where: { merchantId_mode: { merchantId, mode } },
    select: { prunedTo: true, last: true },
  });
  if (counter && after < counter.prunedTo) {
    const message = `Events up to number ${counter.prunedTo} are no longer available; continue after that number`;
    throw new DomainError('event_cursor_expired', message);
  }
  const last = counter?.last ?? 0n;
  if (after > last) {
    const message = `The event log ends at number ${last}: it was restored from a backup older than your cursor`;
    throw new DomainError('event_cursor_expired', message);
  }
  return events;
}
