import { expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { resetSandbox } from '../../../src/domain/operations/sandbox/reset-sandbox.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

test('a reset also deletes money that a concurrent transaction applies to a charge', async ({
  service,
  merchant,
}) => {
  const { id: merchantId } = merchant.merchant;
  const charge = await seedCharge(service, merchant, { mode: 'sandbox', now: noon });
  await payCharge(service, merchant, charge, { now: noon });
  const client = await service.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO allocation SELECT (jsonb_populate_record(a, '{ "id": "al_concurrent" }')).* FROM allocation a
       WHERE charge_id = $1`,
      [charge.id],
    );
    // The deletion of the charge waits for this transaction.
    let commit: Promise<unknown> | undefined;
    const onProgress = (line: string) => {
      if (line.startsWith('allocation:')) commit = client.query('COMMIT');
    };
    await resetSandbox(service, { merchantId, actor: 'operator', now: noon, onProgress });
    await commit;
  } finally {
    client.release();
  }
  const where = { merchantId, mode: 'sandbox' } as const;
  expect(await service.prisma.allocation.count({ where })).toBe(0);
  expect(await service.prisma.charge.count({ where })).toBe(0);
});

/** Creates a sandbox whose log has one event. */
async function seedLog(service: Service, merchant: NewMerchant) {
  await seedCharge(service, merchant, { mode: 'sandbox', now: noon });
  await relayEvents(service, { now: noon });
  return { merchantId: merchant.merchant.id, mode: 'sandbox' } as const;
}

test('a reset deletes the log in batches from its start, and moves its start with each of them', async ({
  service,
  merchant,
}) => {
  const { pool, prisma } = service;
  const scope = await seedLog(service, merchant);
  const { merchantId } = scope;
  await pool.query(
    `INSERT INTO event SELECT (jsonb_populate_record(first, jsonb_build_object('id', first.id || n, 'object_version', n,
       'sequence', CASE WHEN n <= 2500 THEN n END, 'relayed_at', CASE WHEN n <= 2500 THEN first.relayed_at END))).*
     FROM event first, generate_series(2, 5000) n WHERE first.merchant_id = $1`,
    [merchantId],
  );
  await prisma.eventCounter.update({ where: { merchantId_mode: scope }, data: { last: 2_500 } });
  const readStarts = async () => {
    const { prunedTo } = await prisma.eventCounter.findUniqueOrThrow({ where: { merchantId_mode: scope } });
    const { _count, _min } = await prisma.event.aggregate({
      where: scope,
      _count: true,
      _min: { sequence: true },
    });
    return { prunedTo, count: _count, first: _min.sequence };
  };
  const client = await pool.connect();
  let reset: Promise<unknown>;
  try {
    await client.query('BEGIN');
    // The second batch waits for this lock.
    await client.query('SELECT FROM event WHERE merchant_id = $1 AND sequence = 2200 FOR UPDATE', [
      merchantId,
    ]);
    reset = resetSandbox(service, { merchantId, actor: 'operator', now: noon });
    await expect.poll(readStarts).toEqual({ prunedTo: 2_000n, count: 500, first: 2_001n });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await reset;
  expect(await readStarts()).toEqual({ prunedTo: 2_500n, count: 0, first: null });
  await expectInvariants(service);
});

test('a reset deletes no event that the relay is numbering, so that the log has no gap', async ({
  service,
  merchant,
}) => {
  const { pool, prisma } = service;
  const where = await seedLog(service, merchant);
  const { merchantId } = where;
  await seedCharge(service, merchant, { mode: 'sandbox', now: minutesAfter(noon, 60) });
  const client = await pool.connect();
  let relay: Promise<number>;
  let reset: Promise<number>;
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM event_counter WHERE merchant_id = $1 FOR UPDATE', [merchantId]);
    const countWaiting = async (lockType: string) => {
      const { rows } = await client.query(
        `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database OR database IS NULL
         WHERE datname = current_database() AND locktype = $1 AND NOT granted`,
        [lockType],
      );
      return rows.length;
    };
    relay = relayEvents(service, { now: noon });
    await expect.poll(() => countWaiting('transactionid')).toBe(1);
    reset = resetSandbox(service, { merchantId, actor: 'operator', now: noon });
    const isReached = async () =>
      (await countWaiting('advisory')) > 0 || (await prisma.event.count({ where })) < 2;
    await expect.poll(isReached).toBe(true);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(await relay).toBe(1);
  await reset;
  expect(await prisma.event.count({ where })).toBe(0);
  await expectInvariants(service);
});
