/**
 * Measures the move of a merchant between two installations, from `merchant pause` to `merchant activate`:
 *   npm run bench -- moves [--charges 1000000]
 * Each charge has a customer and two events. Completed charges have a transfer with its allocation, and some a refund.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { activateMerchant } from '../src/domain/operations/move/activate-merchant.ts';
import { completeMove } from '../src/domain/operations/move/complete-move.ts';
import { exportMerchant } from '../src/domain/operations/move/export-merchant.ts';
import { importMerchant } from '../src/domain/operations/move/import-merchant.ts';
import { pauseMerchant } from '../src/domain/operations/move/pause-merchant.ts';
import { systemClock } from '../src/kit/clock.ts';
import { benchAppSecret, openBenchDatabase } from './support/bench-database.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readPeakMiB } from './support/cpu.ts';
import { seedCharges } from './support/seed-charges.ts';
import { printTable } from './support/table.ts';

const actor = 'operator';
const onProgress = () => {};

export const benchmark: Benchmark = async (options) => {
  const charges = readCount(options, 'charges', 1_000_000);
  await using disposables = new AsyncDisposableStack();
  const folder = await mkdtemp(join(process.env.BENCH_DATA_DIR ?? tmpdir(), 'causeway-move-'));
  disposables.defer(() => rm(folder, { recursive: true }));
  const source = disposables.use(await openBenchDatabase(join(folder, 'source')));
  const target = disposables.use(await openBenchDatabase(join(folder, 'target')));
  const { merchantId } = await seedCharges(source.service, charges, { merchants: 1 });
  await seedPayments(source.service.pool);
  const file = join(folder, 'merchant.causeway');
  const key = 'a passphrase of several words';
  const getContext = () => ({ merchantId, actor, now: systemClock.now(), onProgress });
  const rows: Record<string, string | number>[] = [];
  const measure = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const value = await work();
    rows.push({ step, seconds: (performance.now() - start) / 1000 });
    return value;
  };
  await measure('merchant pause', () =>
    pauseMerchant(source.service, { ...getContext(), clock: systemClock }),
  );
  const tables = await measure('merchant export', () =>
    exportMerchant(source.service, {
      ...getContext(),
      file,
      key,
      connectionString: source.connectionString,
      sources: { appSecret: benchAppSecret, appSecretPrevious: undefined, dataDir: folder },
    }),
  );
  await measure('merchant import', () =>
    importMerchant(target.service, {
      ...getContext(),
      file,
      key,
      connectionString: target.connectionString,
    }),
  );
  const { code } = await measure('merchant complete-move', () =>
    completeMove(source.service, { ...getContext(), movedTo: 'https://pay2.example.com' }),
  );
  await measure('merchant activate', () => activateMerchant(target.service, { ...getContext(), code }));
  printTable(rows);
  const rowCount = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const { size } = await stat(file);
  printTable([
    {
      charges,
      rows: rowCount,
      'file, MiB': size / 2 ** 20,
      'memory of both commands, MiB': readPeakMiB(process.pid),
    },
  ]);
};

/** Adds events, transfers and allocations to the charges. */
async function seedPayments(pool: Pool): Promise<void> {
  console.log('Seeding events and transfers …');
  const client = await pool.connect();
  try {
    await client.query(`SET session_replication_role = 'replica'`);
    for (const sql of seedSql) await client.query(sql);
    await client.query('DROP TABLE bench_seed, bench_sample, bench_customer');
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release(true);
  }
}

const seedSql = [
  `INSERT INTO event (id, merchant_id, mode, type, object_id, object_version, payload, actor, sequence, relayed_at, created_at)
   SELECT bench_id('ev', charge.created_at, 2 * n + copy), merchant_id, mode, type, charge.id, copy, payload, actor,
     1000 + 2 * n + copy, charge.created_at, charge.created_at
   FROM (SELECT id, created_at, row_number() OVER (ORDER BY id) AS n FROM charge) charge, generate_series(1, 2) copy,
     (SELECT merchant_id, mode, type, payload, actor FROM event ORDER BY length(payload) DESC LIMIT 1) model`,
  `INSERT INTO transfer (id, merchant_id, mode, receiving_account_id, source, bank_reference, fingerprint, amount, currency,
     reference, paid_at, status, allocated, created_at, updated_at)
   SELECT bench_id('tr', created_at, row_number() OVER (ORDER BY id)), merchant_id, mode, receiving_account_id, 'feed',
     id, md5(id), customer_amount, customer_currency, payment_reference, created_at, 'matched', customer_amount,
     created_at, created_at
   FROM charge WHERE status = 'completed'`,
  `INSERT INTO allocation (id, merchant_id, mode, transfer_id, charge_id, amount, actor, reason, created_at)
   SELECT bench_id('al', created_at, row_number() OVER (ORDER BY id)), merchant_id, mode, id, bank_reference, amount,
     'job:bench', 'matched', created_at
   FROM transfer`,
];
