/**
 * Measures how fast one worker and two workers process renewals that fall due at once. Each creates an invoice, its
 * charge, two events and an email. Of 100,000 active subscriptions 5,000 are due. Then measures as many after 40 days
 * without a worker: an invoice, a reminder and a pause each, on different days.
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
import { processCpuMs, processTreeCpuMs } from './support/cpu.ts';
import { printTable } from './support/table.ts';

const goalSeconds = 60;

export const benchmark: Benchmark = async (options) => {
  const subscriptions = readCount(options, 'subscriptions', 100_000);
  const due = readCount(options, 'due', 5_000);
  await using database = await openBenchDatabase('renewals');
  const { service } = database;
  const missingCount = subscriptions - due - (await countActive(service));
  if (missingCount > 0) {
    console.log(`Seeding ${missingCount} subscriptions …`);
    await seedSubscriptions(service, { name: 'Base', count: missingCount, dueIn: '20 days' });
  }
  const rows = [];
  for (const workers of [1, 2]) rows.push(await measure(database, { workers, due, stoppedDays: 0 }));
  rows.push(await measure(database, { workers: 2, due, stoppedDays: 40 }));
  printTable(rows);
};

async function countActive(service: Service): Promise<number> {
  const { rows } = await service.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM subscription WHERE status = 'active'`,
  );
  return rows[0]!.count;
}

/**
 * Measures from the due time until every subscription has its invoice, and after downtime is paused. The
 * workers are already running.
 */
async function measure(
  database: BenchDatabase,
  { workers, due, stoppedDays }: { workers: number; due: number; stoppedDays: number },
) {
  const { service, connectionString, postgresPid } = database;
  const merchantId = await seedSubscriptions(service, { name: 'Due', count: due, dueIn: '1 day' });
  await using disposables = new AsyncDisposableStack();
  const workerProcesses: BenchProcess[] = [];
  for (let i = 0; i < workers; i++) {
    workerProcesses.push(disposables.use(await startBenchService({ connectionString, role: 'worker' })));
  }
  const cpu = () => workerProcesses.reduce((sum, { pid }) => sum + processCpuMs(pid), 0);
  const [cpuBefore, postgresBefore, startMs] = [cpu(), processTreeCpuMs(postgresPid), performance.now()];
  await (stoppedDays > 0
    ? simulateDowntime(service, merchantId, stoppedDays)
    : makeDueNow(service, merchantId));
  const isDone = ({ invoices, paused }: RenewalCounts) =>
    invoices === due && (stoppedDays === 0 || paused === due);
  while (!isDone(await countInvoices(service, merchantId))) await delay(100);
  const seconds = (performance.now() - startMs) / 1_000;
  const counts = await countInvoices(service, merchantId);
  const row = {
    workers,
    'days without': stoppedDays,
    renewals: due,
    seconds,
    'goal seconds': goalSeconds,
    'renewals/s': due / seconds,
    'CPU ms each': (cpu() - cpuBefore) / due,
    'PostgreSQL ms each': (processTreeCpuMs(postgresPid) - postgresBefore) / due,
  };
  const isOnce = counts.invoices === due && counts.subscriptions === due && counts.last === due;
  if (!isOnce) throw new Error(`not each renewal was made once: ${JSON.stringify(counts)}`);
  return row;
}

async function makeDueNow(service: Service, merchantId: string): Promise<void> {
  await service.pool.query('UPDATE subscription SET due_at = now() WHERE merchant_id = $1', [merchantId]);
}

/** Simulates downtime of some days: each subscription became due on one of them, at its own time. */
async function simulateDowntime(service: Service, merchantId: string, days: number): Promise<void> {
  await service.pool.query(
    `WITH numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS i FROM subscription WHERE merchant_id = $1),
       timed AS (SELECT id, now() - interval '1 day' - interval '7 minutes' * (i * 7919 % ($2::int * 200)) AS due FROM numbered)
     UPDATE subscription SET next_payment = due, active_until = due, due_at = due - interval '2 days',
       paid_at = now() - interval '100 days' FROM timed WHERE timed.id = subscription.id`,
    [merchantId, days],
  );
}

type RenewalCounts = { invoices: number; subscriptions: number; last: number; paused: number };

async function countInvoices(service: Service, merchantId: string): Promise<RenewalCounts> {
  const { rows } = await service.pool.query<RenewalCounts>(
    `SELECT count(*)::int AS invoices, count(DISTINCT subscription_id)::int AS subscriptions,
       coalesce(max(number), 0) AS last,
       (SELECT count(*)::int FROM subscription WHERE merchant_id = $1 AND status = 'inactive') AS paused
     FROM invoice WHERE merchant_id = $1`,
    [merchantId],
  );
  return rows[0]!;
}

/**
 * Creates active subscriptions of a new merchant, each with its own customer and due after `dueIn`. The service
 * creates one; the others are copies of its rows.
 */
async function seedSubscriptions(
  service: Service,
  { name, count, dueIn }: { name: string; count: number; dueIn: string },
): Promise<string> {
  const now = new Date();
  const { merchant } = await createMerchant(service, { input: { name, demoAccounts: true }, now });
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
  // Schedules the workers' next actions for the start of the measurement, or much later.
  await pool.query(
    `UPDATE subscription SET next_payment = now() + $2::interval, active_until = now() + $2::interval,
       due_at = now() + interval '10 days' WHERE merchant_id = $1`,
    [merchant.id, dueIn],
  );
  await pool.query('VACUUM ANALYZE subscription, customer');
  return merchant.id;
}
