import { findChangedObjects, readEventMark } from '../../src/event/find-changed-objects.ts';
import { idPrefixes, nounOfId } from '../../src/kit/id.ts';
import { endable } from '../../src/live/endable.ts';
import { merchantTopic } from '../../src/live/hub.ts';
import { shareRead } from '../../src/live/share-read.ts';
import { watchObject, watchTopic } from '../../src/live/watch.ts';
import { type GraphqlContext, owned } from './graphql-context.ts';

/** How old a stream's place in the event log may be when it tells something. */
const refreshMs = 60_000;
/** How many objects' versions a stream remembers; one that is forgotten may be told of twice. */
const rememberedMax = 1_000;

/** That an object changed, and its version. The field reads the row, and says here which version it found. */
export type Hint = { id: string; version: number };
const hintOf = { id: true, version: true } as const;

/**
 * A hint at once and after each committed change of one object, from whichever process. `find` answers null where there
 * is no such object for the caller: then one undefined (the field answers null), and the end.
 */
export function watchOne(
  context: GraphqlContext,
  id: string,
  find: () => Promise<Hint | null>,
): AsyncGenerator<Hint | undefined> {
  return endable(async function* (signal) {
    const isNews = remember();
    let isThere = false;
    for await (const found of watchObject(context.hub, { topic: id, read: find, signal })) {
      isThere = true;
      // What was found may be other streams' too; the field writes into it.
      const hint = { ...found };
      if (isNews(hint)) yield hint;
    }
    if (!isThere && !signal.aborted) yield undefined;
  });
}

/** What can be followed as a whole. */
type Kind = 'charge' | 'refund' | 'subscription' | 'transfer';

/**
 * A hint for the merchant's newest object of a kind at once, then for each that is made or changes. When notices may
 * have been missed, the event log says what changed meanwhile.
 */
export function watchKind(context: GraphqlContext, noun: Kind): AsyncGenerator<Hint> {
  const owner = owned(context);
  // All four have the columns that are asked for.
  const rows = context.service.prisma[noun] as unknown as GraphqlContext['service']['prisma']['charge'];
  return endable(async function* (signal) {
    const topic = merchantTopic(owner.merchantId, owner.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const place = await eventPlace(context);
    const isNews = remember();
    const newest = await rows.findFirst({ where: owner, orderBy: { id: 'desc' }, select: hintOf });
    if (newest && isNews(newest)) yield newest;
    for await (const batch of changes) {
      await place.keepUp();
      const changed = batch ?? (await place.changed(noun));
      const ids = [...changed].filter((id) => nounOfId(id) === noun);
      if (ids.length === 0) continue;
      const where = { id: { in: ids }, ...owner };
      const found = await readForAll(context, { of: noun, where }, () =>
        rows.findMany({ where, orderBy: { id: 'asc' }, select: hintOf }),
      );
      for (const hint of found) if (isNews(hint)) yield { ...hint };
    }
  });
}

/** What `asked` says, read once for all the streams of the process that a notice has woken. */
export function readForAll<T>(
  { service: { prisma } }: GraphqlContext,
  asked: object,
  read: () => Promise<T>,
): Promise<T> {
  const name = JSON.stringify(asked, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return shareRead(prisma, name, read);
}

/** Tells a version that has not been sent yet; several notices may speak of one change, or come late. */
function remember(): (hint: Hint) => boolean {
  const sent = new Map<string, Hint>();
  return (hint) => {
    const last = sent.get(hint.id);
    if (last && hint.version <= last.version) return false;
    sent.delete(hint.id);
    sent.set(hint.id, hint);
    if (sent.size > rememberedMax) sent.delete(sent.keys().next().value as string);
    return true;
  };
}

/** Where a stream stands in the event log: the older of two marks, so that a notice still on its way is not skipped. */
async function eventPlace(context: GraphqlContext) {
  const owner = owned(context);
  let newer = await readEventMark(context.service, owner);
  let older = newer;
  let movedAt = context.clock.now().getTime();
  return {
    async keepUp() {
      const now = context.clock.now().getTime();
      if (now - movedAt < refreshMs) return;
      movedAt = now;
      older = newer;
      newer = await readEventMark(context.service, owner);
    },
    changed: (noun: Kind) =>
      findChangedObjects(context.service, { ...owner, idPrefix: idPrefixes[noun], since: older }),
  };
}

/**
 * A hint for the newest notification at once, then for each one that is made or tried. When notices may have been
 * missed: for the newest again.
 */
export function watchNotifications(context: GraphqlContext): AsyncGenerator<{ id: string }> {
  const owner = owned(context);
  const { notification } = context.service.prisma;
  const findNewest = () =>
    notification.findFirst({ where: owner, orderBy: { id: 'desc' }, select: { id: true } });
  return endable(async function* (signal) {
    const topic = merchantTopic(owner.merchantId, owner.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const newest = await findNewest();
    if (newest) yield newest;
    for await (const batch of changes) {
      const last = batch ? null : await findNewest();
      const ids = last ? [last.id] : [...(batch ?? [])];
      for (const id of ids) if (nounOfId(id) === 'notification') yield { id };
    }
  });
}

/** That a notification is there, at once and after each attempt, resend or end of it; as watchOne without versions. */
export function watchNotification(
  context: GraphqlContext,
  id: string,
): AsyncGenerator<{ id: string } | undefined> {
  const where = { id, ...owned(context) };
  const read = () => context.service.prisma.notification.findFirst({ where, select: { id: true } });
  return endable(async function* (signal) {
    let isThere = false;
    for await (const hint of watchObject(context.hub, { topic: id, read, signal })) {
      isThere = true;
      yield hint;
    }
    if (!isThere && !signal.aborted) yield undefined;
  });
}
