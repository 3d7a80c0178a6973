import { isDeepStrictEqual } from 'node:util';
import { findChangedSince } from '../../src/domain/platform/audit/find-changed-since.ts';
import { readLastSequence } from '../../src/event/find-changed-objects.ts';
import { getIdNoun } from '../../src/kit/id.ts';
import { abortable } from '../../src/live/abortable.ts';
import { coalesceRead } from '../../src/live/coalesce-read.ts';
import { toMerchantTopic } from '../../src/live/hub.ts';
import { watchObject, watchTopic } from '../../src/live/watch.ts';
import { type GraphqlContext, getMerchantScope } from './graphql-context.ts';

/** How old a stream's place in the event log may be when it tells something. */
const positionRefreshMs = 60_000;
/** How many objects a stream remembers as it told them; one that is forgotten may be told of twice. */
const deduperSizeMax = 1_000;

/** That an object changed, and as what it was found. The field reads the row, and says with `tell` what it tells. */
export type ChangeHint = { id: string; version: number };

const customerColumns = { email: true, phone: true, firstName: true, lastName: true } as const;

/**
 * What is read of an object to see whether it changed: its version, which follows its events, and what changes without
 * one, when money is taken back or a person is erased.
 */
export const hintColumns = {
  charge: { id: true, version: true, amountReceived: true, ...customerColumns },
  refund: { id: true, version: true, detailsEncrypted: true, reopenReason: true },
  session: { id: true, version: true, customer: true },
  subscription: { id: true, version: true, ...customerColumns },
  transfer: { id: true, version: true },
} as const;

/** The row that the field answers for a hint: it may be newer than what was found. */
export function acknowledge<T extends ChangeHint>(hint: ChangeHint, row: T): T {
  for (const name of Object.keys(hint) as (keyof ChangeHint)[]) Object.assign(hint, { [name]: row[name] });
  return row;
}

/**
 * A hint at once and after each committed change of one object, from whichever process. `find` answers null where there
 * is no such object for the caller: then one undefined (the field answers null), and the end.
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
      // What was found may be other streams' too; the field writes into it.
      const hint = { ...row };
      if (isNew(hint)) yield hint;
    }
    if (!exists && !signal.aborted) yield undefined;
  });
}

/** What can be followed as a whole. */
type WatchableNoun = 'charge' | 'refund' | 'subscription' | 'transfer';

/**
 * A hint for the merchant's newest object of a kind at once, then for each that is made or changes. When notices may
 * have been missed, it looks again at what it told before, and at what was written down of the others meanwhile.
 */
export function watchNoun(context: GraphqlContext, noun: WatchableNoun): AsyncGenerator<ChangeHint> {
  const scope = getMerchantScope(context);
  // Each has the columns that are asked of it.
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
      const ids = [...new Set(changed)].filter((id) => getIdNoun(id) === noun);
      if (ids.length === 0) continue;
      const where = { id: { in: ids }, ...scope };
      const changedRows = await readCoalesced(context, { of: noun, where }, () =>
        delegate.findMany({ where, orderBy: { id: 'asc' }, select }),
      );
      // What was found is other streams' too; the field writes into what it is given.
      for (const hint of changedRows.map((row) => ({ ...row }))) if (isNew(hint)) yield hint;
    }
  });
}

/** What `asked` says, read once for all the streams of the process that a notice has woken. */
export function readCoalesced<T>(
  { service: { prisma } }: GraphqlContext,
  query: object,
  read: () => Promise<T>,
): Promise<T> {
  const key = JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return coalesceRead(prisma, key, read);
}

/** Knows what has been told: several notices may speak of one change, or come after it was read. */
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
    /** The ids of what is remembered. */
    sentIds: () => [...sent.keys()],
  };
}

/** Where a stream stands in what is written down: the older of two marks, so that a notice on its way is not skipped. */
async function createLogPosition(context: GraphqlContext) {
  const scope = getMerchantScope(context);
  const readMark = async (now: number) => ({
    sequence: await readLastSequence(context.service, scope),
    // What commits now may have begun before.
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
    findMissed: (noun: WatchableNoun) => findChangedSince(context.service, { ...scope, noun, since: older }),
  };
}

/**
 * A hint for the newest notification at once, then for each one that is made or tried. When notices may have been
 * missed: for the newest again.
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
      for (const id of ids) if (getIdNoun(id) === 'notification') yield { id };
    }
  });
}

/** That a notification is there, at once and after each attempt, resend or end of it; as watchOne without versions. */
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
