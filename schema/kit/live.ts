import { isDeepStrictEqual } from 'node:util';
import { findMissed } from '../../src/domain/platform/audit/find-missed.ts';
import { readEventMark } from '../../src/event/find-changed-objects.ts';
import { nounOfId } from '../../src/kit/id.ts';
import { endable } from '../../src/live/endable.ts';
import { merchantTopic } from '../../src/live/hub.ts';
import { shareRead } from '../../src/live/share-read.ts';
import { watchObject, watchTopic } from '../../src/live/watch.ts';
import { type GraphqlContext, owned } from './graphql-context.ts';

/** How old a stream's place in the event log may be when it tells something. */
const refreshMs = 60_000;
/** How many objects a stream remembers as it told them; one that is forgotten may be told of twice. */
const rememberedMax = 1_000;

/** That an object changed, and as what it was found. The field reads the row, and says with `tell` what it tells. */
export type Hint = { id: string; version: number };

const person = { email: true, phone: true, firstName: true, lastName: true } as const;

/**
 * What is read of an object to see whether it changed: its version, which follows its events, and what changes without
 * one, when money is taken back or a person is erased.
 */
export const hintOf = {
  charge: { id: true, version: true, amountReceived: true, ...person },
  refund: { id: true, version: true, detailsEncrypted: true, reopenReason: true },
  session: { id: true, version: true, customer: true },
  subscription: { id: true, version: true, ...person },
  transfer: { id: true, version: true },
} as const;

/** The row that the field answers for a hint: it may be newer than what was found. */
export function tell<T extends Hint>(hint: Hint, row: T): T {
  for (const name of Object.keys(hint) as (keyof Hint)[]) Object.assign(hint, { [name]: row[name] });
  return row;
}

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
    const { isNews } = remember();
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
 * have been missed, it looks again at what it told before, and at what was written down of the others meanwhile.
 */
export function watchKind(context: GraphqlContext, noun: Kind): AsyncGenerator<Hint> {
  const owner = owned(context);
  // Each has the columns that are asked of it.
  const rows = context.service.prisma[noun] as unknown as GraphqlContext['service']['prisma']['charge'];
  const select = hintOf[noun] as typeof hintOf.charge;
  return endable(async function* (signal) {
    const topic = merchantTopic(owner.merchantId, owner.mode);
    const changes = watchTopic(context.hub, { topic, signal });
    const place = await placeInLog(context);
    const { isNews, told } = remember();
    const newest = await rows.findFirst({ where: owner, orderBy: { id: 'desc' }, select });
    if (newest && isNews(newest)) yield newest;
    for await (const batch of changes) {
      await place.keepUp();
      const changed = batch ?? [...told(), ...(await place.missed(noun))];
      const ids = [...new Set(changed)].filter((id) => nounOfId(id) === noun);
      if (ids.length === 0) continue;
      const where = { id: { in: ids }, ...owner };
      const found = await readForAll(context, { of: noun, where }, () =>
        rows.findMany({ where, orderBy: { id: 'asc' }, select }),
      );
      // What was found is other streams' too; the field writes into what it is given.
      for (const hint of found.map((one) => ({ ...one }))) if (isNews(hint)) yield hint;
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

/** Knows what has been told: several notices may speak of one change, or come after it was read. */
function remember() {
  const sent = new Map<string, Hint>();
  return {
    isNews(hint: Hint): boolean {
      if (isDeepStrictEqual(sent.get(hint.id), hint)) return false;
      sent.delete(hint.id);
      sent.set(hint.id, hint);
      if (sent.size > rememberedMax) sent.delete(sent.keys().next().value as string);
      return true;
    },
    /** The ids of what is remembered. */
    told: () => [...sent.keys()],
  };
}

/** Where a stream stands in what is written down: the older of two marks, so that a notice on its way is not skipped. */
async function placeInLog(context: GraphqlContext) {
  const owner = owned(context);
  const mark = async (now: number) => ({
    sequence: await readEventMark(context.service, owner),
    // What commits now may have begun before.
    time: new Date(now - refreshMs),
  });
  let movedAt = context.clock.now().getTime();
  let newer = await mark(movedAt);
  let older = newer;
  return {
    async keepUp() {
      const now = context.clock.now().getTime();
      if (now - movedAt < refreshMs) return;
      movedAt = now;
      older = newer;
      newer = await mark(now);
    },
    missed: (noun: Kind) => findMissed(context.service, { ...owner, noun, since: older }),
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
