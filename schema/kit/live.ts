import { isDeepStrictEqual } from 'node:util';
import { findChangedSince } from '../../src/domain/platform/audit/find-changed-since.ts';
import { readLastSequence } from '../../src/event/find-changed-objects.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { getIdType } from '../../src/kit/id.ts';
import { abortable } from '../../src/live/abortable.ts';
import { coalesceRead } from '../../src/live/coalesce-read.ts';
import { toMerchantTopic } from '../../src/live/hub.ts';
import { watchObject, watchTopic } from '../../src/live/watch.ts';
import { type GraphqlContext, getMerchantScope } from './graphql-context.ts';

/** The interval at which a stream reads its position in the event log again. */
const positionRefreshMs = minuteMs;
/**
 * The maximum number of objects whose last sent state a stream stores. The state of any other object may be
 * sent twice.
 */
const sentChangesMax = 1_000;

/**
 * The ID of a changed object, with the columns by which its states are compared. The subscription field
 * reads the row itself and passes the row that it sends to `markAsSent`.
 */
export type ObjectChange = { id: string; version: number };

const customerColumns = { email: true, phone: true, firstName: true, lastName: true } as const;

/**
 * The columns by which two states of an object are compared. The version is not enough, because some changes do
 * not increment it, such as the erasure of a customer or a replacement of a session's charge.
 */
export const comparedColumns = {
  charge: { id: true, version: true, amountReceived: true, note: true, ...customerColumns },
  refund: { id: true, version: true, detailsEncrypted: true, reopenReason: true },
  session: { id: true, version: true, customer: true, updatedAt: true },
  subscription: { id: true, version: true, ...customerColumns },
  transfer: { id: true, version: true },
} as const;

/**
 * Copies the columns of the sent row into the change, so that the same state is not sent again: the row may be newer
 * than the change. Returns the row.
 */
export function markAsSent<T extends ObjectChange>(change: ObjectChange, row: T): T {
  for (const name of Object.keys(change) as (keyof ObjectChange)[])
    Object.assign(change, { [name]: row[name] });
  return row;
}

/**
 * Yields the compared columns of one object immediately, and after each committed change by any process. If
 * `find` returns null, yields undefined once, for which the field sends null, and ends.
 */
export function watchObjectChanges(
  context: GraphqlContext,
  id: string,
  find: () => Promise<ObjectChange | null>,
): AsyncGenerator<ObjectChange | undefined> {
  return abortable(async function* (signal) {
    const { addIfChanged } = createSentChanges();
    let exists = false;
    for await (const row of watchObject(context.hub, { topic: id, read: find, signal })) {
      exists = true;
      // A copy, because streams share the row and `markAsSent` modifies the copy.
      const change = { ...row };
      if (addIfChanged(change)) yield change;
    }
    if (!exists && !signal.aborted) yield undefined;
  });
}

type WatchableType = 'charge' | 'refund' | 'subscription' | 'transfer';

/**
 * Yields the compared columns of the merchant's newest object of a type immediately, then of each created or
 * changed object. If change notices may have been lost, checks the objects that were sent and those that
 * changed since then.
 */
export function watchListChanges(
  context: GraphqlContext,
  objectType: WatchableType,
): AsyncGenerator<ObjectChange> {
  const scope = getMerchantScope(context);
  // All delegates have the same interface; `comparedColumns` selects only columns that the table has.
  const delegate = context.service.prisma[
    objectType
  ] as unknown as GraphqlContext['service']['prisma']['charge'];
  const select = comparedColumns[objectType] as typeof comparedColumns.charge;
  return abortable(async function* (signal) {
    const topic = toMerchantTopic(scope.merchantId, scope.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const position = await createLogPosition(context);
    const { addIfChanged, sentIds } = createSentChanges();
    const newest = await delegate.findFirst({ where: scope, orderBy: { id: 'desc' }, select });
    if (newest && addIfChanged(newest)) yield newest;
    for await (const batch of changes) {
      await position.advance();
      const changed = batch ?? [...sentIds(), ...(await position.findMissed(objectType))];
      const ids = [...new Set(changed)].filter((id) => getIdType(id) === objectType);
      if (ids.length === 0) continue;
      const where = { id: { in: ids }, ...scope };
      const changedRows = await readCoalesced(context, { of: objectType, where }, () =>
        delegate.findMany({ where, orderBy: { id: 'asc' }, select }),
      );
      // Copies, because streams share the rows and `markAsSent` modifies the copies.
      for (const change of changedRows.map((row) => ({ ...row }))) if (addIfChanged(change)) yield change;
    }
  });
}

/** Runs `read` once for all streams of this process that need the same query after a change notice. */
export function readCoalesced<T>(
  { service: { prisma } }: GraphqlContext,
  query: object,
  read: () => Promise<T>,
): Promise<T> {
  const key = JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return coalesceRead(prisma, key, read);
}

/**
 * Creates the store of the states that a stream has sent, so that no state is sent twice: several notices may
 * refer to one change, or arrive after the change was read.
 */
function createSentChanges() {
  const changesById = new Map<string, ObjectChange>();
  return {
    /** Stores the change. Returns false if the same state was already stored. */
    addIfChanged(change: ObjectChange): boolean {
      if (isDeepStrictEqual(changesById.get(change.id), change)) return false;
      changesById.delete(change.id);
      changesById.set(change.id, change);
      if (changesById.size > sentChangesMax) changesById.delete(changesById.keys().next().value as string);
      return true;
    },
    /** Returns the IDs of the objects with a stored change. */
    sentIds: () => [...changesById.keys()],
  };
}

/**
 * Keeps the current and the previous position of a stream in the event log. `findMissed` searches from the previous
 * one, so that it finds changes whose notice was delayed.
 */
async function createLogPosition(context: GraphqlContext) {
  const scope = getMerchantScope(context);
  const readPosition = async (now: number) => ({
    sequence: await readLastSequence(context.service, scope),
    // A transaction that commits later may contain changes with an earlier time.
    time: new Date(now - positionRefreshMs),
  });
  let advancedAt = context.clock.now().getTime();
  let currentPosition = await readPosition(advancedAt);
  let previousPosition = currentPosition;
  return {
    async advance() {
      const now = context.clock.now().getTime();
      if (now - advancedAt < positionRefreshMs) return;
      advancedAt = now;
      previousPosition = currentPosition;
      currentPosition = await readPosition(now);
    },
    findMissed: (objectType: WatchableType) =>
      findChangedSince(context.service, { ...scope, objectType, since: previousPosition }),
  };
}

/**
 * Yields the ID of the newest notification immediately, then of each created or attempted notification. If
 * change notices may have been lost, yields the newest ID again.
 */
export function watchNotifications(context: GraphqlContext): AsyncGenerator<{ id: string }> {
  const scope = getMerchantScope(context);
  const { notification } = context.service.prisma;
  const findNewest = () =>
    notification.findFirst({ where: scope, orderBy: { id: 'desc' }, select: { id: true } });
  return abortable(async function* (signal) {
    const topic = toMerchantTopic(scope.merchantId, scope.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const newest = await findNewest();
    if (newest) yield newest;
    for await (const batch of changes) {
      const last = batch ? null : await findNewest();
      const ids = last ? [last.id] : [...(batch ?? [])];
      for (const id of ids) if (getIdType(id) === 'notification') yield { id };
    }
  });
}

/**
 * Yields the ID of one notification immediately, and after each attempt, resend or final status. Like
 * `watchObjectChanges`, but without versions.
 */
export function watchNotification(
  context: GraphqlContext,
  id: string,
): AsyncGenerator<{ id: string } | undefined> {
  const where = { id, ...getMerchantScope(context) };
  const read = () => context.service.prisma.notification.findFirst({ where, select: { id: true } });
  return abortable(async function* (signal) {
    let exists = false;
    for await (const change of watchObject(context.hub, { topic: id, read, signal })) {
      exists = true;
      yield change;
    }
    if (!exists && !signal.aborted) yield undefined;
  });
}
