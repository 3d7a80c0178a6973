import { findChangedObjects, readEventMark } from '../src/event/find-changed-objects.ts';
import { idPrefixes, nounOfId } from '../src/kit/id.ts';
import { merchantTopic } from '../src/live/hub.ts';
import { watchObject, watchTopic } from '../src/live/watch.ts';
import { type GraphqlContext, owned } from './graphql-context.ts';

/** How old a stream's credentials, and its place in the event log, may be when it tells something. */
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
    const recheck = everyMinute(context, () => context.authenticate());
    const isNews = remember();
    const read = async () => {
      await recheck();
      return find();
    };
    let isThere = false;
    for await (const hint of watchObject(context.hub, { topic: id, read, signal })) {
      isThere = true;
      if (isNews(hint)) yield hint;
    }
    if (!isThere && !signal.aborted) yield undefined;
  });
}

/** A hint for the newest charge at once, then for each charge that is made or changes. */
export function watchCharges(context: GraphqlContext): AsyncGenerator<Hint> {
  const { charge } = context.service.prisma;
  const owner = owned(context);
  return watchKind(context, {
    noun: 'charge',
    findNewest: () => charge.findFirst({ where: owner, orderBy: { id: 'desc' }, select: hintOf }),
    findAll: (ids) =>
      charge.findMany({ where: { id: { in: ids }, ...owner }, orderBy: { id: 'asc' }, select: hintOf }),
  });
}

/** A hint for the newest refund at once, then for each refund that is made or changes. */
export function watchRefunds(context: GraphqlContext): AsyncGenerator<Hint> {
  const { refund } = context.service.prisma;
  const owner = owned(context);
  return watchKind(context, {
    noun: 'refund',
    findNewest: () => refund.findFirst({ where: owner, orderBy: { id: 'desc' }, select: hintOf }),
    findAll: (ids) =>
      refund.findMany({ where: { id: { in: ids }, ...owner }, orderBy: { id: 'asc' }, select: hintOf }),
  });
}

/** A hint for the newest subscription at once, then for each subscription that is made or changes. */
export function watchSubscriptions(context: GraphqlContext): AsyncGenerator<Hint> {
  const { subscription } = context.service.prisma;
  const owner = owned(context);
  return watchKind(context, {
    noun: 'subscription',
    findNewest: () => subscription.findFirst({ where: owner, orderBy: { id: 'desc' }, select: hintOf }),
    findAll: (ids) =>
      subscription.findMany({ where: { id: { in: ids }, ...owner }, orderBy: { id: 'asc' }, select: hintOf }),
  });
}

/** A hint for the newest transfer at once, then for each that becomes an exception or is decided about. */
export function watchTransfers(context: GraphqlContext): AsyncGenerator<Hint> {
  const { transfer } = context.service.prisma;
  const owner = owned(context);
  return watchKind(context, {
    noun: 'transfer',
    findNewest: () => transfer.findFirst({ where: owner, orderBy: { id: 'desc' }, select: hintOf }),
    findAll: (ids) =>
      transfer.findMany({ where: { id: { in: ids }, ...owner }, orderBy: { id: 'asc' }, select: hintOf }),
  });
}

type Kind = {
  noun: 'charge' | 'refund' | 'subscription' | 'transfer';
  findNewest: () => Promise<Hint | null>;
  findAll: (ids: string[]) => Promise<Hint[]>;
};

/** When notices may have been missed, the event log says what changed meanwhile. */
function watchKind(context: GraphqlContext, { noun, findNewest, findAll }: Kind): AsyncGenerator<Hint> {
  const owner = owned(context);
  return endable(async function* (signal) {
    const topic = merchantTopic(owner.merchantId, owner.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const place = await eventPlace(context);
    const recheck = everyMinute(context, () => Promise.all([context.authenticate(), place.move()]));
    const isNews = remember();
    const newest = await findNewest();
    if (newest && isNews(newest)) yield newest;
    for await (const batch of changes) {
      await recheck();
      const changed = batch ?? (await place.changed(noun));
      const ids = [...changed].filter((id) => nounOfId(id) === noun);
      if (ids.length === 0) continue;
      for (const hint of await findAll(ids)) if (isNews(hint)) yield hint;
    }
  });
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
  return {
    async move() {
      older = newer;
      newer = await readEventMark(context.service, owner);
    },
    changed: (noun: Kind['noun']) =>
      findChangedObjects(context.service, { ...owner, idPrefix: idPrefixes[noun], since: older }),
  };
}

function everyMinute(context: GraphqlContext, work: () => Promise<unknown>): () => Promise<void> {
  let doneAt = context.clock.now().getTime();
  return async () => {
    const now = context.clock.now().getTime();
    if (now - doneAt < refreshMs) return;
    doneAt = now;
    await work();
  };
}

/** A generator that waits does not hear its `return`: the signal ends what it waits for. */
function endable<T>(make: (signal: AbortSignal) => AsyncGenerator<T>): AsyncGenerator<T> {
  const ended = new AbortController();
  const generator = make(ended.signal);
  const finish = generator.return.bind(generator);
  generator.return = (value) => {
    ended.abort();
    return finish(value);
  };
  return generator;
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
    const recheck = everyMinute(context, () => context.authenticate());
    const newest = await findNewest();
    if (newest) yield newest;
    for await (const batch of changes) {
      await recheck();
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
  return endable(async function* (signal) {
    const recheck = everyMinute(context, () => context.authenticate());
    const read = async () => {
      await recheck();
      return context.service.prisma.notification.findFirst({ where, select: { id: true } });
    };
    let isThere = false;
    for await (const hint of watchObject(context.hub, { topic: id, read, signal })) {
      isThere = true;
      yield hint;
    }
    if (!isThere && !signal.aborted) yield undefined;
  });
}
