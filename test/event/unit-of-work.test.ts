import { beforeAll, expect, test } from 'vitest';
import { recordEvent } from '../../src/event/record-event.ts';
import { transact, type UnitOfWork, withSavepoint } from '../../src/event/unit-of-work.ts';
import type { Db } from '../../src/kit/db.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { noon } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);

beforeAll(async () => {
  await service.prisma.$executeRaw`CREATE TABLE part (key text PRIMARY KEY)`;
});

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

const recorded = async (db: Pick<Db, 'prisma'>, prefix: string) => {
  const where = { objectId: { startsWith: prefix } };
  const events = await db.prisma.event.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ objectId, objectVersion }) => `${objectId} ${objectVersion}`);
};

test('The events of a unit of work are written in their order at its end, and none of work that fails', async () => {
  const failing = transact(service, async (uow) => {
    record(uow, 'order_lost');
    throw new Error('stop');
  });
  await expect(failing).rejects.toThrow('stop');
  const done = await transact(service, async (uow) => {
    record(uow, 'order_b');
    record(uow, 'order_a');
    record(uow, 'order_b', 2);
    expect(await recorded(uow, 'order_')).toEqual([]);
    return 'done';
  });
  expect(done).toBe('done');
  expect(await recorded(service, 'order_')).toEqual(['order_b 1', 'order_a 1', 'order_b 2']);
});

test('A savepoint rolls back alone, with its events and calls, or together with the transaction', async () => {
  const called: string[] = [];
  const insert = (uow: UnitOfWork, key: string, fails = false) =>
    withSavepoint(uow, async (part) => {
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
      expect(await recorded(uow, 'part_')).toEqual(['part_zeroth 1', 'part_first 1']);
      await expect(insert(uow, 'second', true)).rejects.toThrow('second fails');
      // A statement that fails ends its savepoint only.
      await expect(insert(uow, 'first')).rejects.toThrow('23505');
      await withSavepoint(uow, async (part) => {
        await insert(part, 'third');
        await expect(insert(part, 'fourth', true)).rejects.toThrow('fourth fails');
      });
      if (fails) throw new Error('the whole fails');
    });
  await expect(run(true)).rejects.toThrow('the whole fails');
  expect(called).toEqual([]);
  expect(await recorded(service, 'part_')).toEqual([]);
  await run(false);
  const rows = await service.prisma.$queryRaw<{ key: string }[]>`SELECT key FROM part ORDER BY key`;
  expect(rows.map(({ key }) => key)).toEqual(['first', 'third']);
  expect(await recorded(service, 'part_')).toEqual(['part_zeroth 1', 'part_first 1', 'part_third 1']);
  expect(called).toEqual(['first', 'third']);
});

test('An operation given a unit of work joins it', async () => {
  const operation = (by: Db) => transact(by, async (uow) => record(uow, 'join_1'));
  const failing = transact(service, async (uow) => {
    await operation(uow);
    expect(await recorded(uow, 'join_')).toEqual(['join_1 1']);
    throw new Error('stop');
  });
  await expect(failing).rejects.toThrow('stop');
  expect(await recorded(service, 'join_')).toEqual([]);
});
