/**
 * Measures whether the jobs that delete expired rows keep up with 5,000,000 rows a day, and what they leave
 * to VACUUM:
 *   npm run bench -- retention [--rows 10000000] [--merchants 1000] [--autovacuum off]
 * The rows are copies of the event, notification, attempt, message, transfer and audit entry of one payment.
 * They are two days of data, of which the first has expired. With `--autovacuum off`, dead rows remain until
 * VACUUM is measured at the end. A writer inserts 50 payments a second, before and during the deletion.
 */
import { statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { pruneNotifications } from '../src/domain/accounts/notification/prune-notifications.ts';
import { createWebhook } from '../src/domain/accounts/webhook/create-webhook.ts';
import { completeSandboxCharge } from '../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { recordTransfers } from '../src/domain/money-in/transfer/record/record-transfers.ts';
import { createCharge } from '../src/domain/payments/charge/create-charge.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { pruneEvents } from '../src/event/prune-events.ts';
import { relayEvents } from '../src/event/relay-events.ts';
import { dayMs } from '../src/kit/duration.ts';
import { getLowestId } from '../src/kit/id.ts';
import { pruneMessages } from '../src/message/prune-messages.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { type Benchmark, readCount, readOption } from './support/benchmark.ts';
import { copyRows, type RetentionTable, retentionTables } from './support/copy-retention-rows.ts';
import { readProcessTreeCpuMs } from './support/cpu.ts';
import { percentile, printTable } from './support/table.ts';

const goalPerDay = 5_000_000;
const writesPerSecond = 50;
const bytesPerRow = 1_500;

const prunedTables = ['notification', 'notification_attempt', 'event', 'message'] as const;

export const benchmark: Benchmark = async (options) => {
  const rows = readCount(options, 'rows', 10_000_000);
  const merchants = readCount(options, 'merchants', 1_000);
  await using disposables = new AsyncDisposableStack();
  // Registered first, so that the folder is removed after PostgreSQL has stopped.
  let folder: string | undefined;
  disposables.defer(async () => {
    if (folder) await rm(folder, { recursive: true });
  });
  const database = disposables.use(await openBenchDatabase(`retention-${Date.now()}`));
  const { service, postgresPid } = database;
  const { pool } = service;
  const { rows: folders } = await pool.query(`SELECT current_setting('data_directory') AS path`);
  folder = join(folders[0].path, '..', '..');
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < rows * bytesPerRow) throw new Error(`There is no space for ${rows} rows: use --rows`);
  const firstDay = Date.now();
  await seedPayment(service, new Date(firstDay));
  const seedStart = performance.now();
  await copyRows(pool, { rows, merchants, firstDay });
  console.log(`Seeded in ${Math.round((performance.now() - seedStart) / 1000)} s`);
  printTable(await readSizes(pool));

  if (readOption(options, 'autovacuum') === 'off')
    for (const table of prunedTables)
      await pool.query(`ALTER TABLE "${table}" SET (autovacuum_enabled = off)`);
  const expiry = (days: number) => new Date(firstDay + (days + 1) * dayMs);
  const steps: [string, () => Promise<number>][] = [
    ['notifications with their attempts', () => pruneNotifications(service, { now: expiry(90) })],
    ['events', () => pruneEvents(service, { now: expiry(400) })],
    ['messages', () => pruneMessages(service, { now: expiry(90) })],
  ];
  const idle = await measureWrites(service, () => delay(20_000));
  const results: Record<string, string | number>[] = [];
  for (const [name, prune] of steps) {
    const { value, writes } = await measureWrites(service, () => measureUse(pool, postgresPid, prune));
    const deleted = name.startsWith('notifications') ? 2 * value.value : value.value;
    results.push({
      deleted: name,
      rows: deleted,
      seconds: value.seconds,
      'rows/s': Math.round(deleted / value.seconds),
      'hours for 5,000,000': (goalPerDay / deleted) * (value.seconds / 3600),
      'CPU each (ms)': value.cpuMs / deleted,
      'WAL each (bytes)': Math.round(value.walBytes / deleted),
      'writes, p50 ms': percentile(writes, 0.5),
      'p99 ms': percentile(writes, 0.99),
    });
  }
  printTable(results);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(idle.writes, share).toFixed(1));
  console.log(`Writes without deletion: ${p50} ms (p50), ${p99} ms (p99)\n`);
  const vacuumed = [];
  for (const table of prunedTables) vacuumed.push(await vacuum(pool, postgresPid, table));
  printTable(vacuumed);
};

/** Creates one payment, whose rows are copied. */
async function seedPayment(service: Service, now: Date): Promise<void> {
  const { merchant } = await createMerchant(service, { input: { name: 'Retention' }, now });
  const scope = { merchantId: merchant.id, mode: 'sandbox', actor: 'job:bench', now } as const;
  await createWebhook(service, {
    ...scope,
    input: { url: 'https://shop.example/hooks', username: 'shop', password: 'open sesame' },
  });
  const { charge } = await createCharge(service, {
    merchant,
    mode: 'sandbox',
    actor: 'job:bench',
    now,
    input: { email: 'ada@shop.example', merchantAmount: 25, merchantCurrency: 'HKD', method: 'fps' },
  });
  await completeSandboxCharge(service, { ...scope, id: charge.id });
  const { account } = charge.destination as { account: string };
  const payment = { amount: 25, currency: 'HKD', reference: 'Rent for November', paidAt: now.toISOString() };
  const items = [{ id: 'bank-0', method: 'fps', account, payerName: 'Tan Mei Ling', ...payment }];
  await recordTransfers(service, { merchant, mode: 'sandbox', actor: 'job:bench', items, now });
  await relayEvents(service, { now });
  await service.pool.query(
    `UPDATE notification SET status = 'delivered', finished_at = created_at, attempt_count = 1`,
  );
  await service.pool.query(
    `INSERT INTO notification_attempt (id, notification_id, number, started_at, duration_ms, response_status, response_body)
     SELECT $1 || '0000000000000000', id, 1, created_at, 84, 200, repeat('{"received":true}', 8) FROM notification LIMIT 1`,
    [getLowestId('attempt', now)],
  );
  await service.pool.query(
    `INSERT INTO message (id, merchant_id, mode, audience, channel, kind, recipient, subject, language, dedupe_key, status,
       attempt_count, finished_at, created_at)
     VALUES ($1 || '0000000000000000', $2, 'sandbox', 'customer', 'email', 'refund-link', 'ada@shop.example',
       'Your refund of HKD 25.00 from Retention', 'en', 'refund-link:0', 'sent', 1, $3, $3)`,
    [getLowestId('message', now), merchant.id, now],
  );
}

async function readSizes(pool: Pool) {
  const { rows } = await pool.query<{ table: string; rows: string; heap: string; indexes: string }>(
    `SELECT relname AS table, reltuples::bigint AS rows, pg_table_size(oid) AS heap, pg_indexes_size(oid) AS indexes
     FROM pg_class WHERE relname = ANY ($1) AND relkind = 'r' ORDER BY relname`,
    [retentionTables],
  );
  return rows.map(({ table, rows: count, heap, indexes }) => ({
    table,
    rows: Number(count),
    'bytes each': Math.round(Number(heap) / Number(count)),
    'MB with indexes': Math.round((Number(heap) + Number(indexes)) / 1_000_000),
  }));
}

/** Runs the work while a writer inserts payments. Returns the milliseconds that each insertion took. */
async function measureWrites<T>(
  { pool }: Service,
  work: () => Promise<T>,
): Promise<{ value: T; writes: number[] }> {
  const writes: number[] = [];
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const start = performance.now();
      await insertPayment(pool);
      writes.push(performance.now() - start);
      await delay(Math.max(0, 1000 / writesPerSecond - (performance.now() - start)));
    }
  };
  const writing = write();
  try {
    return { value: await work(), writes };
  } finally {
    isOver = true;
    await writing;
  }
}

let inserted = 0;

/** Inserts the rows of one more payment, which has not expired, in one transaction. */
async function insertPayment(pool: Pool): Promise<void> {
  inserted++;
  const now = new Date(Date.now() + 3 * dayMs);
  const suffix = inserted.toString(16).padStart(16, '0');
  const id = (type: 'event' | 'notification' | 'attempt') => getLowestId(type, now) + suffix;
  await pool.query(
    `WITH event_row AS (
       INSERT INTO event (id, merchant_id, mode, type, object_id, object_version, payload, actor, created_at)
       SELECT $1, merchant_id, mode, type, object_id, object_version, payload, actor, $4 FROM (SELECT * FROM event LIMIT 1) model
     ), notification_row AS (
       INSERT INTO notification (id, merchant_id, mode, event_id, event_type, kind, webhook_id, url, queue_key, status, created_at)
       SELECT $2, merchant_id, mode, $1, event_type, kind, webhook_id, url, queue_key, 'delivered', $4
       FROM (SELECT * FROM notification LIMIT 1) model
     )
     INSERT INTO notification_attempt (id, notification_id, number, started_at, duration_ms, response_status, response_body)
     SELECT $3, $2, 1, $4, duration_ms, response_status, response_body FROM (SELECT * FROM notification_attempt LIMIT 1) model`,
    [id('event'), id('notification'), id('attempt'), now],
  );
}

async function measureUse(pool: Pool, postgresPid: number, work: () => Promise<number>) {
  const readWal = async () =>
    Number((await pool.query(`SELECT pg_current_wal_lsn() - '0/0' AS bytes`)).rows[0].bytes);
  const before = { wal: await readWal(), cpu: readProcessTreeCpuMs(postgresPid), start: performance.now() };
  const value = await work();
  return {
    value,
    seconds: (performance.now() - before.start) / 1000,
    cpuMs: readProcessTreeCpuMs(postgresPid) - before.cpu,
    walBytes: (await readWal()) - before.wal,
  };
}

/** Vacuums a table as autovacuum does, with its default delay. */
async function vacuum(pool: Pool, postgresPid: number, table: RetentionTable) {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `SELECT n_dead_tup AS dead, autovacuum_count AS done, pg_total_relation_size(relid) AS bytes
     FROM pg_stat_user_tables WHERE relname = $1`,
    [table],
  );
  const client = await pool.connect();
  await client.query('SET vacuum_cost_delay = 2');
  const used = await measureUse(pool, postgresPid, async () => {
    await client.query(`VACUUM "${table}"`);
    return 0;
  });
  client.release(true);
  return {
    table,
    'dead rows': Number(rows[0].dead),
    'MB with indexes': Math.round(Number(rows[0].bytes) / 1_000_000),
    'autovacuum runs before': Number(rows[0].done),
    'vacuum, s': used.seconds,
    'CPU, s': used.cpuMs / 1000,
    'WAL, MB': Math.round(used.walBytes / 1_000_000),
  };
}
