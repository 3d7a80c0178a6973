import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { pruneEvents } from '../../src/event/prune-events.ts';
import { readEventLog } from '../../src/event/read-event-log.ts';
import { recordEvent } from '../../src/event/record-event.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact, type UnitOfWork } from '../../src/event/unit-of-work.ts';
import { closeDb, type Db, openDb } from '../../src/kit/db.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import { count } from '../setup/counts.ts';
import type { GraphqlApp, Json } from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { noon, seedMerchant } from '../setup/seed.ts';

const test = graphqlTest
  .extend('merchant', ({ app }) => app.merchant)
  .extend('partTable', { scope: 'file' }, async ({ service }) => {
    await service.prisma.$executeRaw`CREATE TABLE part (key text PRIMARY KEY)`;
  });

const daysAfter = (days: number) => new Date(noon.getTime() + days * dayMs);

const recordAndRelay = async (service: Service, merchant: NewMerchant, now: Date) => {
  await seedEvent(service, merchant, { now });
  await relayEvents(service, { now });
};

const readPage = async (app: GraphqlApp, after: string | null): Promise<Json> => {
  const query = `query ($after: String) { events(after: $after, first: 50) { nodes { sequence } pageInfo { endCursor } } }`;
  const { data, errors } = await app.ask(query, { variables: { after } });
  if (errors) return errors[0].extensions.code;
  return data.events.nodes.map(({ sequence }: Json) => Number(sequence));
};

/** The number of the newest event. */
const readLast = async (service: Service, merchant: NewMerchant) => {
  const { id: merchantId } = merchant.merchant;
  return (await service.prisma.eventCounter.findFirstOrThrow({ where: { merchantId } })).last;
};

const writers = 50;

const eventsEach = count(4, 100);

const objects = 20;

const connect = ({ connectionString }: GraphqlApp, poolSize: number): Db =>
  openDb({ connectionString, poolSize, onError: console.error });

/** Runs transactions whose commits are in another order than the IDs of their events. */
async function runWriter(merchant: NewMerchant, db: Db, writer: number): Promise<void> {
  for (let i = 0; i < eventsEach; i++) {
    await transact(db, async (uow) => {
      recordEvent(uow, {
        merchantId: merchant.merchant.id,
        mode: 'live',
        type: 'charge_part_paid',
        objectId: `ch_log_${writer % objects}`,
        objectVersion: i * writers + writer,
        payload: {},
        actor: 'key:test',
        now: new Date(),
      });
      await uow.tx.$executeRaw`SELECT pg_sleep(random() * 0.03)`;
    });
  }
}

type Read = { id: string; sequence: bigint | null };

/** Reads page by page until the log has ended. */
async function follow(
  service: Service,
  merchant: NewMerchant,
  pageSize: number,
  hasEnded: () => boolean,
): Promise<Read[]> {
  const read: Read[] = [];
  let after = 0n;
  for (;;) {
    const wasOver = hasEnded();
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const selection = { include: {} };
    const page = await readEventLog(service, { ...owner, after, limit: pageSize, filter: {}, selection });
    read.push(...page);
    after = page.at(-1)?.sequence ?? after;
    if (wasOver && page.length === 0) return read;
  }
}

function record(uow: UnitOfWork, objectId: string, objectVersion = 1) {
  recordEvent(uow, {
    merchantId: 'mer_1',
    mode: 'live',
    type: 'charge_created',
    objectId,
    objectVersion,
    payload: { objectId, objectVersion },
    actor: 'job:test',
    now: noon,
  });
}

const listRecorded = async (db: Pick<Db, 'prisma'>, prefix: string) => {
  const where = { objectId: { startsWith: prefix } };
  const events = await db.prisma.event.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ objectId, objectVersion }) => `${objectId} ${objectVersion}`);
};

describe('the event log', () => {
  test('is pruned from its beginning after 400 days, and an earlier cursor is rejected', async ({
    app,
    service,
    merchant,
  }) => {
    for (let day = 1; day <= 10; day++) await recordAndRelay(service, merchant, daysAfter(day));
    expect(await readPage(app, null)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await pruneEvents(service, { now: daysAfter(400) })).toBe(0);
    expect(await pruneEvents(service, { now: daysAfter(404.5) })).toBe(4);
    expect(await readPage(app, null)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await readPage(app, '0')).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await readPage(app, '1')).toBe('event_cursor_expired');
    expect(await readPage(app, '3')).toBe('event_cursor_expired');
    expect(await pruneEvents(service, { now: daysAfter(399) })).toBe(0);
    expect(await service.prisma.retentionWatermark.findUnique({ where: { name: 'event' } })).toMatchObject({
      prunedTo: daysAfter(4.5),
    });
    expect(await readPage(app, '4')).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await readPage(app, '10')).toEqual([]);
    await expectInvariants(service);
    expect(await pruneEvents(service, { now: daysAfter(800) })).toBe(6);
    expect(await readPage(app, '10')).toEqual([]);
    await recordAndRelay(service, merchant, daysAfter(801));
    expect(await readPage(app, '10')).toEqual([11]);
    await expectInvariants(service);
  });

  test('preserves an event that still has a notification, and all later ones', async ({
    app,
    service,
    merchant,
  }) => {
    await recordAndRelay(service, merchant, daysAfter(802));
    const before = await readLast(service, merchant);
    const webhook = await seedWebhook(service, merchant, { url: 'http://127.0.0.1:9/' });
    await recordAndRelay(service, merchant, daysAfter(803));
    const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
    await deleteWebhook(service, { ...owner, id: webhook.id, actor: 'user:test', now: noon });
    await recordAndRelay(service, merchant, daysAfter(804));
    await pruneEvents(service, { now: daysAfter(1_300) });
    expect(await readPage(app, `${before - 1n}`)).toBe('event_cursor_expired');
    expect(await readPage(app, `${before}`)).toEqual([Number(before) + 1, Number(before) + 2]);
  });
});

test('a cursor beyond the end of a log restored from an older backup is rejected', async ({
  app,
  service,
  merchant,
}) => {
  await recordAndRelay(service, merchant, daysAfter(1_400));
  const end = await readLast(service, merchant);
  expect(await readPage(app, `${end}`)).toEqual([]);
  expect(await readPage(app, `${end + 1n}`)).toBe('event_cursor_expired');
});

test('readers receive each event once and in order during the commits of 50 writers', async ({
  app,
  service,
}) => {
  const merchant = await seedMerchant(service);
  const db = connect(app, writers);
  const relaying = [connect(app, 3), connect(app, 3)];
  let wroteAll = false;
  let relayedAll = false;
  const writing = Promise.all(
    Array.from({ length: writers }, (_, writer) => runWriter(merchant, db, writer)),
  ).then(() => {
    wroteAll = true;
  });
  const relays = Promise.all(
    relaying.map(async (relay) => {
      for (let last = false; !last; ) {
        last = wroteAll;
        await relayEvents(relay, { now: new Date() });
      }
    }),
  ).then(() => {
    relayedAll = true;
  });
  const reading = Promise.all(
    [1, 7, 50].map((pageSize) => follow(service, merchant, pageSize, () => relayedAll)),
  );
  await Promise.all([writing, relays]);
  const readers = await reading;
  for (const used of [db, ...relaying]) await closeDb(used);

  const where = { merchantId: merchant.merchant.id, mode: 'live' as const };
  const all = await service.prisma.event.findMany({ where, orderBy: { sequence: 'asc' } });
  expect(all).toHaveLength(writers * eventsEach);
  const ids = all.map(({ id }) => id);
  // If the order were equal, paging by ID would also pass.
  expect(ids).not.toEqual(ids.toSorted());
  for (const read of readers) {
    expect(read.map(({ sequence }) => Number(sequence))).toEqual(ids.map((_, i) => i + 1));
    expect(read.map(({ id }) => id)).toEqual(ids);
  }
});

describe('unit of work', () => {
  test('writes its events in order at its end, and none when it fails', async ({ service }) => {
    const failing = transact(service, async (uow) => {
      record(uow, 'order_lost');
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    const done = await transact(service, async (uow) => {
      record(uow, 'order_b');
      record(uow, 'order_a');
      record(uow, 'order_b', 2);
      expect(await listRecorded(uow, 'order_')).toEqual([]);
      return 'done';
    });
    expect(done).toBe('done');
    expect(await listRecorded(service, 'order_')).toEqual(['order_b 1', 'order_a 1', 'order_b 2']);
  });

  test('rolls back a savepoint alone, with its events and calls, or together with the transaction', async ({
    service,
    partTable: _,
  }) => {
    const called: string[] = [];
    const insert = (uow: UnitOfWork, key: string, fails = false) =>
      transact(uow, async (part) => {
        await part.tx.$executeRaw`INSERT INTO part (key) VALUES (${key})`;
        record(part, `part_${key}`);
        part.afterCommit(() => called.push(key));
        if (fails) throw new Error(`${key} fails`);
      });
    const run = (fails: boolean) =>
      transact(service, async (uow) => {
        record(uow, 'part_zeroth');
        await insert(uow, 'first');
        // An idempotent mutation selects the events of its own changes.
        expect(await listRecorded(uow, 'part_')).toEqual(['part_zeroth 1', 'part_first 1']);
        await expect(insert(uow, 'second', true)).rejects.toThrow('second fails');
        // A statement that fails ends its savepoint only.
        await expect(insert(uow, 'first')).rejects.toThrow('23505');
        await transact(uow, async (part) => {
          await insert(part, 'third');
          await expect(insert(part, 'fourth', true)).rejects.toThrow('fourth fails');
        });
        if (fails) throw new Error('the whole fails');
      });
    await expect(run(true)).rejects.toThrow('the whole fails');
    expect(called).toEqual([]);
    expect(await listRecorded(service, 'part_')).toEqual([]);
    await run(false);
    const rows = await service.prisma.$queryRaw<{ key: string }[]>`SELECT key FROM part ORDER BY key`;
    expect(rows.map(({ key }) => key)).toEqual(['first', 'third']);
    expect(await listRecorded(service, 'part_')).toEqual(['part_zeroth 1', 'part_first 1', 'part_third 1']);
    expect(called).toEqual(['first', 'third']);
  });

  test('is joined by operations that receive it', async ({ service }) => {
    const operation = (by: Db) => transact(by, async (uow) => record(uow, 'join_1'));
    const failing = transact(service, async (uow) => {
      await operation(uow);
      expect(await listRecorded(uow, 'join_')).toEqual(['join_1 1']);
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await listRecorded(service, 'join_')).toEqual([]);
  });
});
