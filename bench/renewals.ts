/**
 * Measures how fast one worker, and then two workers, process 5,000 renewals that become due at the same time, with
 * 100,000 active subscriptions. Each renewal creates an invoice, its charge, two events and an email. Also measures
 * 5,000 subscriptions after 40 days without a worker: each gets an invoice and a reminder and is paused, on different
 * days.
 *   npm run bench -- renewals [--subscriptions 100000] [--due 5000]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { enrolIntoPlan } from '../src/domain/billing/subscription/enrol-into-plan.ts';
import { createSubscriptionPlan } from '../src/domain/billing/subscription-plan/create-subscription-plan.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { type BenchDatabase, openBenchDatabase } from './support/bench-database.ts';
import { type BenchProcess, startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readProcessCpuMs, readProcessTreeCpuMs } from './support/cpu.ts';
import { printTable } from './support/table.ts';

const goalSeconds = 60;

export const benchmark: Benchmark = async (options) => {
  const subscriptionCount = readCount(options, 'subscriptions', 100_000);
  const dueCount = readCount(options, 'due', 5_000);
  await using database = await openBenchDatabase('renewals');
  const { service } = database;
  const missingCount = subscriptionCount - dueCount - (await countActive(service));
  if (missingCount > 0) {
    console.log(`Seeding ${missingCount} subscriptions …`);
    await seedSubscriptions(service, { name: 'Base', count: missingCount, dueIn: '20 days' });
  }
  const rows = [];
  for (const workerCount of [1, 2])
    rows.push(await measure(database, { workerCount, dueCount, stoppedDays: 0 }));
  rows.push(await measure(database, { workerCount: 2, dueCount, stoppedDays: 40 }));
  printTable(rows);
};

async function countActive(service: Service): Promise<number> {
  const { rows } = await service.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM subscription WHERE status = 'active'`,
  );
  return rows[0]!.count;
}

/**
 * Measures how long it takes, from the due time, until every subscription has its invoice and, after downtime, is
 * paused. The workers are running before the due time.
 */
async function measure(
  database: BenchDatabase,
  { workerCount, dueCount, stoppedDays }: { workerCount: number; dueCount: number; stoppedDays: number },
) {
  const { service, connectionString, postgresPid } = database;
  const merchantId = await seedSubscriptions(service, { name: 'Due', count: dueCount, dueIn: '1 day' });
  await using disposables = new AsyncDisposableStack();
  const workerProcesses: BenchProcess[] = [];
  for (let i = 0; i < workerCount; i++) {
    workerProcesses.push(disposables.use(await startBenchService({ connectionString, role: 'worker' })));
  }
  const readCpuMs = () => workerProcesses.reduce((sum, { pid }) => sum + readProcessCpuMs(pid), 0);
  const [cpuMsBefore, postgresCpuMsBefore, startMs] = [
    readCpuMs(),
    readProcessTreeCpuMs(postgresPid),
    performance.now(),
  ];
  await (stoppedDays > 0
    ? simulateDowntime(service, merchantId, stoppedDays)
    : setDueDates(service, merchantId));
  const isDone = ({ invoices, paused }: RenewalCounts) =>
    invoices === dueCount && (stoppedDays === 0 || paused === dueCount);
  while (!isDone(await countInvoices(service, merchantId))) await delay(100);
  const seconds = (performance.now() - startMs) / 1_000;
  const counts = await countInvoices(service, merchantId);
  const row = {
    workers: workerCount,
    'days without': stoppedDays,
    renewals: dueCount,
    seconds,
    'goal seconds': goalSeconds,
    'renewals/s': dueCount / seconds,
    'CPU ms each': (readCpuMs() - cpuMsBefore) / dueCount,
    'PostgreSQL ms each': (readProcessTreeCpuMs(postgresPid) - postgresCpuMsBefore) / dueCount,
  };
  const isEachRenewedOnce =
    counts.invoices === dueCount && counts.subscriptions === dueCount && counts.lastNumber === dueCount;
  if (!isEachRenewedOnce)
    throw new Error(`not every subscription was renewed once: ${JSON.stringify(counts)}`);
  return row;
}

async function setDueDates(service: Service, merchantId: string): Promise<void> {
  await service.pool.query('UPDATE subscription SET due_at = now() WHERE merchant_id = $1', [merchantId]);
}

/** Makes each subscription due at a different time in the last `days` days, as if no worker had run since then. */
async function simulateDowntime(service: Service, merchantId: string, days: number): Promise<void> {
  await service.pool.query(
    `WITH numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS i FROM subscription WHERE merchant_id = $1),
       timed AS (SELECT id, now() - interval '1 day' - interval '7 minutes' * (i * 7919 % ($2::int * 200)) AS due FROM numbered)
     UPDATE subscription SET next_payment = due, active_until = due, due_at = due - interval '2 days',
       paid_at = now() - interval '100 days' FROM timed WHERE timed.id = subscription.id`,
    [merchantId, days],
  );
}

type RenewalCounts = { invoices: number; subscriptions: number; lastNumber: number; paused: number };

async function countInvoices(service: Service, merchantId: string): Promise<RenewalCounts> {
  const { rows } = await service.pool.query<RenewalCounts>(
    `SELECT count(*)::int AS invoices, count(DISTINCT subscription_id)::int AS subscriptions,
       coalesce(max(number), 0) AS "lastNumber",
       (SELECT count(*)::int FROM subscription WHERE merchant_id = $1 AND status = 'inactive') AS paused
     FROM invoice WHERE merchant_id = $1`,
    [merchantId],
  );
  return rows[0]!;
}

/**
 * Creates a merchant with active subscriptions, each with its own customer and its next payment after `dueIn`. The
 * service creates one subscription; SQL copies it. Returns the ID of the merchant.
 */
async function seedSubscriptions(
  service: Service,
  { name, count, dueIn }: { name: string; count: number; dueIn: string },
): Promise<string> {
  const now = new Date();
  const { merchant } = await createMerchant(service, { input: { name, hasDemoAccounts: true }, now });
  const plan = await createSubscriptionPlan(service, {
    ...{ merchant, mode: 'live' as const, now },
    input: {
      name: 'Tea of the month',
      currency: 'HKD',
      recurringPayment: { amount: 128, period: 'months', count: 1 },
      initialPayment: { amount: 0, period: 'days', count: 30 },
      orders: [{ id: 'tea-7', name: 'A tin of tea', quantity: 1, amount: 128 }],
    },
  });
  const { subscription } = await enrolIntoPlan(service, {
    ...{ merchant, mode: 'live' as const, actor: 'key:bench', now },
    input: { subscriptionPlanId: plan.id, method: 'fps', customer: { email: 'sample@example.com' } },
  });
  const { pool } = service;
  await pool.query(
    `INSERT INTO customer SELECT copied.* FROM customer, generate_series(2, $2::int) AS i,
       LATERAL jsonb_populate_record(customer, jsonb_build_object(
         'id', customer.id || 'x' || i, 'email', 'c' || i || '@example.com')) AS copied
     WHERE customer.id = $1`,
    [subscription.customerId, count],
  );
  await pool.query(
    `INSERT INTO subscription SELECT copied.* FROM subscription, generate_series(2, $2::int) AS i,
       LATERAL jsonb_populate_record(subscription, jsonb_build_object(
         'id', subscription.id || 'x' || i, 'customer_id', subscription.customer_id || 'x' || i, 'email', 'c' || i || '@example.com')) AS copied
     WHERE subscription.id = $1`,
    [subscription.id, count],
  );
  // Nothing is due for the workers until the measurement changes `due_at`.
  await pool.query(
    `UPDATE subscription SET next_payment = now() + $2::interval, active_until = now() + $2::interval,
       due_at = now() + interval '10 days' WHERE merchant_id = $1`,
    [merchant.id, dueIn],
  );
  await pool.query('VACUUM ANALYZE subscription, customer');
  return merchant.id;
}
