/**
 * Measures the time to return the total of each list that counts its rows on each request:
 *   npm run bench -- totals [--rows 1000000] [--rounds 5]
 * All rows belong to one merchant and are copies of one transfer, one event, one refund and one customer, so that most
 * filters match all rows. The totals of charges are precomputed; the benchmark `lists` measures them.
 */
import type { Pool } from 'pg';
import { createMerchant, type ModeKeys } from '../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { recordTransfers } from '../src/domain/money-in/transfer/record/record-transfers.ts';
import { createCharge } from '../src/domain/payments/charge/create-charge.ts';
import { createRefund } from '../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { basicAuth } from '../test/setup/api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { median, printTable } from './support/table.ts';

const goalMs = 300;

export const benchmark: Benchmark = async (options) => {
  const rows = readCount(options, 'rows', 1_000_000);
  const rounds = readCount(options, 'rounds', 5);
  await using database = await openBenchDatabase(`totals-${rows}`);
  const keys = await seedTotals(database.service, rows);
  await using service = await startBenchService({ connectionString: database.connectionString, role: 'api' });
  const authorization = basicAuth(keys);
  const results = [];
  for (const list of lists) {
    const request = () => fetchTotal(service.url, { authorization, list });
    const total = await request();
    const durations = [];
    for (let i = 0; i < rounds; i++) {
      const startMs = performance.now();
      await request();
      durations.push(performance.now() - startMs);
    }
    results.push({ list, total, 'p50 ms': median(durations), goal: goalMs });
  }
  printTable(results);
};

const lists = [
  'transfers',
  'transfers(filter: { statuses: exception })',
  'transfers(filter: { reasons: missing_reference })',
  'transfers(filter: { direction: credit })',
  'transfers(filter: { sources: feed })',
  'transfers(filter: { paidFrom: "2020-01-01T00:00:00Z" })',
  'transfers(filter: { search: "rent" })',
  'transfers(filter: { search: "nowhere" })',
  'events',
  'refunds',
  'refunds(filter: { statuses: initiated })',
  'refunds(filter: { createdFrom: "2020-01-01T00:00:00Z" })',
  'refunds(filter: { customerCurrency: "HKD" })',
  'customers',
];

async function fetchTotal(url: string, options: { authorization: string; list: string }): Promise<number> {
  const { authorization, list } = options;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ list: ${list} { totalCount } }` }),
  });
  const { data, errors } = (await response.json()) as {
    data?: { list: { totalCount: number } };
    errors?: unknown;
  };
  if (!data || errors) throw new Error(`${list}: ${JSON.stringify(errors)}`);
  return data.list.totalCount;
}

/** Seeds the rows unless they exist. Returns the merchant's keys. */
async function seedTotals(service: Service, rows: number): Promise<ModeKeys> {
  const { pool } = service;
  await pool.query('CREATE TABLE IF NOT EXISTS bench_seed (keys jsonb)');
  const previousSeed = await pool.query('SELECT keys FROM bench_seed');
  if (previousSeed.rows[0]) return previousSeed.rows[0].keys as ModeKeys;
  console.log(`Seeding ${rows} rows of each …`);
  const now = new Date();
  const { merchant, keys } = await createMerchant(service, { input: { name: 'Totals' }, now });
  const merchantContext = { merchant, mode: 'sandbox', actor: 'job:bench', now } as const;
  const scope = { merchantId: merchant.id, mode: 'sandbox', actor: 'job:bench', now } as const;
  const { charge } = await createCharge(service, {
    ...merchantContext,
    input: { email: 'ada@shop.example', merchantAmount: 25, merchantCurrency: 'HKD', method: 'fps' },
  });
  await completeSandboxCharge(service, { ...scope, id: charge.id });
  await createRefund(service, { ...scope, input: { chargeId: charge.id, customerAmount: 1 } });
  const { account } = charge.destination as { account: string };
  const payment = { amount: 25, currency: 'HKD', reference: 'rent', paidAt: now.toISOString() };
  const items = [{ id: 'bank-0', method: 'fps', account, payerName: 'Tan Mei Ling', ...payment }];
  await recordTransfers(service, { ...merchantContext, items });
  await copyRows(pool, rows);
  await pool.query('INSERT INTO bench_seed VALUES ($1)', [keys.sandbox]);
  return keys.sandbox;
}

/** The SQL of the columns in which copy `n` of each table's row differs. */
const changedColumns = {
  transfer: `'id', id || lpad(n::text, 8, '0'), 'bank_reference', 'bank-' || n`,
  event: `'id', id || lpad(n::text, 8, '0'), 'sequence', n, 'relayed_at', created_at`,
  refund: `'id', id || lpad(n::text, 8, '0'), 'payout_reference', 'payout-' || n`,
  customer: `'id', id || lpad(n::text, 8, '0'), 'email', 'buyer' || n || '@shop.example'`,
};

async function copyRows(pool: Pool, rows: number): Promise<void> {
  for (const [table, columns] of Object.entries(changedColumns)) {
    await pool.query(
      `INSERT INTO ${table} SELECT copied.* FROM (SELECT * FROM ${table} LIMIT 1) model, generate_series(1, $1::int) n,
        jsonb_populate_record(NULL::${table}, to_jsonb(model) || jsonb_build_object(${columns})) copied`,
      [rows],
    );
  }
  await pool.query('VACUUM ANALYZE');
}
