import { findChangedObjects, readEventMark } from '../src/event/find-changed-objects.ts';
import { type IdNoun, idPrefixes, nounOfId } from '../src/kit/id.ts';
import { merchantTopic } from '../src/live/hub.ts';
import { watchObject, watchTopic } from '../src/live/watch.ts';
import { type GraphqlContext, owned } from './graphql-context.ts';

/** How old a stream's credentials, and its place in the event log, may be when it tells something. */
const refreshMs = 60_000;

/** That an object changed; the field reads the row. */
export type Hint = { id: string };

/**
 * A hint at once and after each committed change of one object, from whichever process. An object that does not exist
 * for the caller gives one hint (the field then answers null) and ends.
 */
export function watchOne(
  context: GraphqlContext,
  id: string,
  exists: () => Promise<unknown>,
): AsyncGenerator<Hint> {
  return endable(async function* (signal) {
    const recheck = everyMinute(context, () => context.authenticate());
    let known = false;
    const read = async () => {
      await recheck();
      known ||= (await exists()) !== null;
      return known ? { id } : null;
    };
    yield* watchObject(context.hub, { topic: id, read, signal });
    if (!known && !signal.aborted) yield { id };
  });
}

/**
 * A hint for the newest object of a noun at once, then for each one that changes. When notices may have been missed,
 * the event log says what changed meanwhile.
 */
export function watchAll(
  context: GraphqlContext,
  options: { noun: IdNoun; newest: () => Promise<Hint | null> },
): AsyncGenerator<Hint> {
  const { merchantId, mode } = owned(context);
  return endable(async function* (signal) {
    const topic = merchantTopic(merchantId, mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const place = await eventPlace(context);
    const recheck = everyMinute(context, () => Promise.all([context.authenticate(), place.move()]));
    const newest = await options.newest();
    if (newest) yield newest;
    for await (const batch of changes) {
      await recheck();
      for (const id of batch ?? (await place.changed(options.noun))) {
        if (nounOfId(id) === options.noun) yield { id };
      }
    }
  });
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
    changed: (noun: IdNoun) =>
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
