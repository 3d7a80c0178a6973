import { isDeepStrictEqual } from 'node:util';
import { findChangedSince } from '../../src/domain/platform/audit/find-changed-since.ts';
import { readLastSequence } from '../../src/event/find-changed-objects.ts';
import { getIdType } from '../../src/kit/id.ts';
import { abortable } from '../../src/live/abortable.ts';
import { coalesceRead } from '../../src/live/coalesce-read.ts';
import { toMerchantTopic } from '../../src/live/hub.ts';
import { watchObject, watchTopic } from '../../src/live/watch.ts';
import { type GraphqlContext, getMerchantScope } from './graphql-context.ts';

/** How often a stream refreshes its position in the event log. */
const positionRefreshMs = 60_000;
/** How many objects a stream remembers; a forgotten object may be sent twice. */
const deduperSizeMax = 1_000;

/**
 * An object id and the last seen version. The field reads the row and reports the sent version with
 * `acknowledge`.
 */
export type ChangeHint = { id: string; version: number };

const customerColumns = { email: true, phone: true, firstName: true, lastName: true } as const;

/**
 * The columns that reveal a change of an object. Most changes record an event and increment the version.
 * Others do not, for example when money is unassigned or a customer is erased.
 */
export const hintColumns = {
  charge: { id: true, version: true, amountReceived: true, ...customerColumns },
  refund: { id: true, version: true, detailsEncrypted: true, reopenReason: true },
  session: { id: true, version: true, customer: true },
  subscription: { id: true, version: true, ...customerColumns },
  transfer: { id: true, version: true },
} as const;

/**
 * Copies the sent row's values into the hint, so that the same state is not sent again. The row may be newer
 * than the hint.
 */
export function acknowledge<T extends ChangeHint>(hint: ChangeHint, row: T): T {
  for (const name of Object.keys(hint) as (keyof ChangeHint)[]) Object.assign(hint, { [name]: row[name] });
  return row;
}

/**
 * Yields a hint immediately, and after each committed change of one object by any process. If `find` returns
 * null, the object does not exist for the caller: yields undefined once, for which the field sends null, and
 * ends.
 */
export function watchOne(
  context: GraphqlContext,
  id: string,
  find: () => Promise<ChangeHint | null>,
): AsyncGenerator<ChangeHint | undefined> {
  return abortable(async function* (signal) {
    const { isNew } = createDeduper();
    let exists = false;
    for await (const row of watchObject(context.hub, { topic: id, read: find, signal })) {
      exists = true;
      // A copy, because streams share the row and `acknowledge` changes the hint.
      const hint = { ...row };
      if (isNew(hint)) yield hint;
    }
    if (!exists && !signal.aborted) yield undefined;
  });
}

type WatchableNoun = 'charge' | 'refund' | 'subscription' | 'transfer';

/**
 * Yields a hint for the merchant's newest object of a kind immediately, then for each created or changed one.
 * After possibly missed change notices, checks the objects sent before and those changed since according to
 * the database.
 */
export function watchNoun(context: GraphqlContext, noun: WatchableNoun): AsyncGenerator<ChangeHint> {
  const scope = getMerchantScope(context);
  // Every delegate has the columns that are selected from it.
  const delegate = context.service.prisma[noun] as unknown as GraphqlContext['service']['prisma']['charge'];
  const select = hintColumns[noun] as typeof hintColumns.charge;
  return abortable(async function* (signal) {
    const topic = toMerchantTopic(scope.merchantId, scope.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const position = await createLogPosition(context);
    const { isNew, sentIds } = createDeduper();
    const newest = await delegate.findFirst({ where: scope, orderBy: { id: 'desc' }, select });
    if (newest && isNew(newest)) yield newest;
    for await (const batch of changes) {
      await position.advance();
      const changed = batch ?? [...sentIds(), ...(await position.findMissed(noun))];
      const ids = [...new Set(changed)].filter((id) => getIdType(id) === noun);
      if (ids.length === 0) continue;
      const where = { id: { in: ids }, ...scope };
      const changedRows = await readCoalesced(context, { of: noun, where }, () =>
        delegate.findMany({ where, orderBy: { id: 'asc' }, select }),
      );
      // Copies, because streams share the rows and `acknowledge` changes the hints.
      for (const hint of changedRows.map((row) => ({ ...row }))) if (isNew(hint)) yield hint;
    }
  });
}

/** Runs `read` once for all streams of this process that a change notice wakes with the same query. */
export function readCoalesced<T>(
  { service: { prisma } }: GraphqlContext,
  query: object,
  read: () => Promise<T>,
): Promise<T> {
  const key = JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return coalesceRead(prisma, key, read);
}

/**
 * Recognizes states that were already sent: several notices may refer to one change, or arrive after it was
 * read.
 */
function createDeduper() {
  const sent = new Map<string, ChangeHint>();
  return {
    isNew(hint: ChangeHint): boolean {
      if (isDeepStrictEqual(sent.get(hint.id), hint)) return false;
      sent.delete(hint.id);
      sent.set(hint.id, hint);
      if (sent.size > deduperSizeMax) sent.delete(sent.keys().next().value as string);
      return true;
    },
    /** The ids of all remembered objects. */
    sentIds: () => [...sent.keys()],
  };
}

/**
 * Tracks the position of a stream in the event log. Reads from the older of two marks, so that changes with a
 * delayed notice are not skipped.
 */
async function createLogPosition(context: GraphqlContext) {
  const scope = getMerchantScope(context);
  const readMark = async (now: number) => ({
    sequence: await readLastSequence(context.service, scope),
    // Transactions that commit now may have started earlier.
    time: new Date(now - positionRefreshMs),
  });
  let advancedAt = context.clock.now().getTime();
  let newer = await readMark(advancedAt);
  let older = newer;
  return {
    async advance() {
      const now = context.clock.now().getTime();
      if (now - advancedAt < positionRefreshMs) return;
      advancedAt = now;
      older = newer;
      newer = await readMark(now);
    },
    findMissed: (noun: WatchableNoun) =>
      findChangedSince(context.service, { ...scope, objectType: noun, since: older }),
  };
}

/**
 * Yields a hint for the newest notification immediately, then for each created or attempted one. After
 * possibly missed change notices, yields the newest again.
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
