import { isDeepStrictEqual } from 'node:util';
import { findChangedSince } from '../../src/domain/platform/audit/find-changed-since.ts';
import { readLastSequence } from '../../src/event/find-changed-objects.ts';
import { getIdType } from '../../src/kit/id.ts';
import { abortable } from '../../src/live/abortable.ts';
import { coalesceRead } from '../../src/live/coalesce-read.ts';
import { toMerchantTopic } from '../../src/live/hub.ts';
import { watchObject, watchTopic } from '../../src/live/watch.ts';
import { type GraphqlContext, getMerchantScope } from './graphql-context.ts';

/** The interval at which a stream reads its position in the event log again. */
const positionRefreshMs = 60_000;
/** The maximum number of sent hints that a stream stores. The state of an object without one may be sent twice. */
const sentHintsMax = 1_000;

/**
 * The ID of a changed object, with the columns by which its states are compared. The field reads the row itself
 * and calls `acknowledge` with the row that it sends.
 */
export type ChangeHint = { id: string; version: number };

const customerColumns = { email: true, phone: true, firstName: true, lastName: true } as const;

/**
 * The columns by which two states of an object are compared. The version is not enough, because some changes do
 * not increment it, such as the erasure of a customer.
 */
export const hintColumns = {
  charge: { id: true, version: true, amountReceived: true, ...customerColumns },
  refund: { id: true, version: true, detailsEncrypted: true, reopenReason: true },
  session: { id: true, version: true, customer: true },
  subscription: { id: true, version: true, ...customerColumns },
  transfer: { id: true, version: true },
} as const;

/**
 * Copies the columns of the sent row into the hint, so that the same state is not sent again: the row may be newer
 * than the hint. Returns the row.
 */
export function acknowledge<T extends ChangeHint>(hint: ChangeHint, row: T): T {
  for (const name of Object.keys(hint) as (keyof ChangeHint)[]) Object.assign(hint, { [name]: row[name] });
  return row;
}

/**
 * Yields a hint of one object immediately, and after each committed change by any process. If `find` returns null,
 * yields undefined once, for which the field sends null, and ends.
 */
export function watchObjectHints(
  context: GraphqlContext,
  id: string,
  find: () => Promise<ChangeHint | null>,
): AsyncGenerator<ChangeHint | undefined> {
  return abortable(async function* (signal) {
    const { addIfChanged } = createSentHints();
    let exists = false;
    for await (const row of watchObject(context.hub, { topic: id, read: find, signal })) {
      exists = true;
      // A copy, because streams share the row and `acknowledge` changes the hint.
      const hint = { ...row };
      if (addIfChanged(hint)) yield hint;
    }
    if (!exists && !signal.aborted) yield undefined;
  });
}

type WatchableType = 'charge' | 'refund' | 'subscription' | 'transfer';

/**
 * Yields a hint of the merchant's newest object of a type immediately, then of each created or changed object. If
 * change notices may have been lost, checks the objects that were sent and those that changed since then.
 */
export function watchListHints(
  context: GraphqlContext,
  objectType: WatchableType,
): AsyncGenerator<ChangeHint> {
  const scope = getMerchantScope(context);
  // All delegates have the same interface; `hintColumns` selects only columns that the table has.
  const delegate = context.service.prisma[
    objectType
  ] as unknown as GraphqlContext['service']['prisma']['charge'];
  const select = hintColumns[objectType] as typeof hintColumns.charge;
  return abortable(async function* (signal) {
    const topic = toMerchantTopic(scope.merchantId, scope.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const position = await createLogPosition(context);
    const { addIfChanged, sentIds } = createSentHints();
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
      // Copies, because streams share the rows and `acknowledge` changes the hints.
      for (const hint of changedRows.map((row) => ({ ...row }))) if (addIfChanged(hint)) yield hint;
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
 * Creates the store of the hints that a stream has sent. It prevents sending a state twice, because several notices
 * may refer to one change, or arrive after the change was read.
 */
function createSentHints() {
  const hintsById = new Map<string, ChangeHint>();
  return {
    /** Stores the hint. Returns false if the same state was already stored. */
    addIfChanged(hint: ChangeHint): boolean {
      if (isDeepStrictEqual(hintsById.get(hint.id), hint)) return false;
      hintsById.delete(hint.id);
      hintsById.set(hint.id, hint);
      if (hintsById.size > sentHintsMax) hintsById.delete(hintsById.keys().next().value as string);
      return true;
    },
    /** Returns the IDs of the objects with a stored hint. */
    sentIds: () => [...hintsById.keys()],
  };
}

/**
 * Tracks the position of a stream in the event log. Searches from the previous of two positions, so that changes
 * whose notice was delayed are found.
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
 * Yields a hint of the newest notification immediately, then of each created or attempted notification. If change
 * notices may have been lost, yields the newest again.
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
 * Yields a hint immediately, and after each attempt, resend or final status of one notification. Like
 * `watchOne`, but without versions.
 */
export function watchNotification(
  context: GraphqlContext,
  id: string,
): AsyncGenerator<{ id: string } | undefined> {
  const where = { id, ...getMerchantScope(context) };
  const read = () => context.service.prisma.notification.findFirst({ where, select: { id: true } });
  return abortable(async function* (signal) {
    let exists = false;
    for await (const hint of watchObject(context.hub, { topic: id, read, signal })) {
      exists = true;
      yield hint;
    }
    if (!exists && !signal.aborted) yield undefined;
  });
}
