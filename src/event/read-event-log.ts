import type { Event, Prisma } from '../../prisma/client/client.ts';
import type { Db } from '../kit/db.ts';
import { DomainError } from '../kit/errors.ts';
import type { MerchantScope } from '../kit/merchant-scope.ts';
import type { EventType } from './catalog.ts';

export type EventLogFilter = {
  types?: EventType[] | undefined;
  objectId?: string | undefined;
  createdAt?: { gte?: Date; lte?: Date } | undefined;
};

/** Returns the condition for the events of a log that match the filter. Test events are not in the log. */
export function buildEventFilter(scope: MerchantScope, filter: EventLogFilter): Prisma.EventWhereInput {
  const { types, objectId, createdAt } = filter;
  return {
    merchantId: scope.merchantId,
    mode: scope.mode,
    sequence: { not: null },
    ...(types && { type: { in: types } }),
    ...(objectId !== undefined && { objectId }),
    ...(createdAt && { createdAt }),
  };
}

/**
 * Returns the events of a merchant and mode after sequence number `after`, in order, with the selected
 * relations. Throws `event_cursor_expired` if later events were already pruned, because the reader has missed
 * them. It also throws if the log ends before `after`, as it may after a backup was restored.
 */
export async function readEventLog<Row = Event>(
  db: Db,
  options: MerchantScope & {
    after: bigint | null;
    limit: number;
    filter: EventLogFilter;
    selection: { include?: Prisma.EventInclude } | { select: Prisma.EventSelect };
  },
): Promise<Row[]> {
  const { merchantId, mode, after, limit, filter, selection } = options;
  const events = (await db.prisma.event.findMany({
    ...selection,
    where: { ...buildEventFilter(options, filter), sequence: { gt: after ?? 0n } },
    orderBy: { sequence: 'asc' },
    take: limit,
  })) as Row[];
  // No event has the number 0: such a reader has not received any, so that it has missed none.
  if (after === null || after === 0n) return events;
  // Read after the events, so that `prunedTo` covers every event that was pruned before the events were read.
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
    const message = `The cursor is beyond the last event, number ${last}. If you received it earlier, the database was restored from an older backup`;
    throw new DomainError('event_cursor_expired', message);
  }
  return events;
}
