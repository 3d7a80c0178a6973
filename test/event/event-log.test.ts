import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { readEventLog } from '../../src/event/read-event-log.ts';
import { recordEvent } from '../../src/event/record-event.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { closeDb, type Db, openDb } from '../../src/kit/db.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** A merchant that was down catches up from the event log: each event once, in order, whatever happens meanwhile. */

const writers = 50;
const eventsEach = count(4, 100);
const objects = 20;

let service: Service & { connectionString: string };
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
});

const connect = (poolSize: number): Db =>
  openDb({ connectionString: service.connectionString, poolSize, onError: console.error });

/** Transactions that commit in another order than that of their events' ids. */
async function write(db: Db, writer: number): Promise<void> {
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

/** Reads on from its cursor, page by page, until the log has ended and nothing more comes. */
async function follow(pageSize: number, hasEnded: () => boolean): Promise<Read[]> {
  const read: Read[] = [];
  let after = 0n;
  for (;;) {
    const wasOver = hasEnded();
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const selection = { include: {} };
    const page = await readEventLog(service, { ...owner, after, limit: pageSize, selection });
    read.push(...page);
    after = page.at(-1)?.sequence ?? after;
    if (wasOver && page.length === 0) return read;
  }
}

test('readers who page while 50 writers commit, in whatever order, get each event once and in order', async () => {
  const db = connect(writers);
  const relaying = [connect(3), connect(3)];
  let wroteAll = false;
  let relayedAll = false;
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(db, writer))).then(() => {
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
  const reading = Promise.all([1, 7, 50].map((pageSize) => follow(pageSize, () => relayedAll)));
  await Promise.all([writing, relays]);
  const readers = await reading;
  for (const used of [db, ...relaying]) await closeDb(used);

  const where = { merchantId: merchant.merchant.id, mode: 'live' as const };
  const all = await service.prisma.event.findMany({ where, orderBy: { sequence: 'asc' } });
  expect(all).toHaveLength(writers * eventsEach);
  const ids = all.map(({ id }) => id);
  // Else this would prove nothing: a reader that pages by id would have missed some.
  expect(ids).not.toEqual(ids.toSorted());
  for (const read of readers) {
    expect(read.map(({ sequence }) => Number(sequence))).toEqual(ids.map((_, i) => i + 1));
    expect(read.map(({ id }) => id)).toEqual(ids);
  }
});
