/**
 * Measures the time from a pushed transfer to the response, which is sent after its charge is completed. Transfers are
 * sent at a fixed rate, even if the service is slower: to the bank feeds of one merchant, then of ten merchants, whose
 * accounts are locked independently.
 *
 *   npm run bench -- feeds [--rate 200] [--seconds 30]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { createBankFeed } from '../src/domain/money-in/feed/create-bank-feed.ts';
import { createCharge } from '../src/domain/payments/charge/create-charge.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { toDecimal } from '../src/kit/money.ts';
import { feedSenders } from '../test/setup/feed-senders.ts';
import { reportPayment } from '../test/setup/feeds.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { type BenchProcess, startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readProcessCpuMs, readProcessTreeCpuMs } from './support/cpu.ts';
import { percentile, printTable } from './support/table.ts';

const sender = feedSenders.Airwallex!;
const setupConcurrency = 20;
const warmUpCount = 200;

type Delivery = { feedId: string; body: string };

export const benchmark: Benchmark = async (options) => {
  const rate = readCount(options, 'rate', 200);
  const seconds = readCount(options, 'seconds', 30);
  await using database = await openBenchDatabase('feeds');
  const { service, connectionString, postgresPid } = database;
  await using server = await startBenchService({ connectionString, role: 'api' });
  const rows = [];
  for (const merchantCount of [1, 10]) {
    const deliveries = await createDeliveries(service, {
      merchantCount,
      count: rate * seconds + warmUpCount,
    });
    for (const delivery of deliveries.splice(0, warmUpCount)) await send(server, delivery);
    // As autovacuum does within a minute of the first deliveries.
    await service.pool.query('VACUUM ANALYZE');
    const before = { server: readProcessCpuMs(server.pid), postgres: readProcessTreeCpuMs(postgresPid) };
    const start = performance.now();
    const latencies = await sendAtRate(server, { deliveries, rate });
    const elapsedSeconds = (performance.now() - start) / 1000;
    const completed = await service.prisma.charge.count({ where: { status: 'completed' } });
    rows.push({
      merchants: merchantCount,
      'a second': Math.round(deliveries.length / elapsedSeconds),
      'p50 (ms)': percentile(latencies, 0.5),
      'p99 (ms)': percentile(latencies, 0.99),
      'longest (ms)': Math.max(...latencies),
      'CPU each, service (ms)': (readProcessCpuMs(server.pid) - before.server) / deliveries.length,
      'CPU each, PostgreSQL (ms)': (readProcessTreeCpuMs(postgresPid) - before.postgres) / deliveries.length,
      'completed charges so far': completed,
    });
  }
  printTable(rows);
};

/** Creates pending charges of merchants with a feed each, and the delivery that pays each of them. */
async function createDeliveries(
  service: Service,
  { merchantCount, count }: { merchantCount: number; count: number },
): Promise<Delivery[]> {
  const now = new Date();
  const merchants = await Promise.all(
    Array.from({ length: merchantCount }, (_, i) =>
      createMerchant(service, { input: { name: `Feed ${i}` }, now }),
    ),
  );
  const feeds = new Map<string, string>();
  const deliveries: Delivery[] = [];
  for (let offset = 0; offset < count; offset += setupConcurrency) {
    const batch = Array.from({ length: Math.min(setupConcurrency, count - offset) }, async (_, i) => {
      const { merchant } = merchants[(offset + i) % merchantCount]!;
      const { charge } = await createCharge(service, {
        ...{ merchant, mode: 'sandbox', actor: 'job:bench', now },
        input: {
          email: `payer${offset + i}@shop.example`,
          ...{ merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' },
        },
      });
      return { merchantId: merchant.id, charge };
    });
    for (const { merchantId, charge } of await Promise.all(batch)) {
      const key = `${merchantId} ${charge.receivingAccountId}`;
      const feedId = feeds.get(key) ?? (await createFeed(service, merchantId, charge.receivingAccountId));
      feeds.set(key, feedId);
      const currency = charge.customerCurrency;
      const amount = toDecimal({ minor: charge.customerAmount, currency });
      deliveries.push({
        feedId,
        body: reportPayment(sender, charge, { id: charge.id, account: '*', amount, paidAt: now }),
      });
    }
  }
  return deliveries;
}

async function createFeed(service: Service, merchantId: string, receivingAccountId: string): Promise<string> {
  const { kind, credentials } = sender;
  const receivingAccounts = [{ receivingAccountId, bankAccount: '*' }];
  const { id } = await createBankFeed(service, {
    ...{ merchantId, mode: 'sandbox', actor: 'job:bench', now: new Date() },
    input: { kind, credentials, receivingAccounts },
  });
  return id;
}

/**
 * Sends at a fixed rate, even while earlier deliveries have no response yet. Returns the time to each response in
 * milliseconds.
 */
async function sendAtRate(
  server: BenchProcess,
  { deliveries, rate }: { deliveries: readonly Delivery[]; rate: number },
): Promise<number[]> {
  const start = performance.now();
  const pending: Promise<number>[] = [];
  for (const [i, delivery] of deliveries.entries()) {
    const plannedAt = start + (i * 1000) / rate;
    const waitMs = plannedAt - performance.now();
    if (waitMs > 1) await delay(waitMs);
    // Times count from the planned start, so that a sender that falls behind hides no delay.
    pending.push(send(server, delivery).then(() => performance.now() - plannedAt));
  }
  return Promise.all(pending);
}

async function send({ url }: BenchProcess, { feedId, body }: Delivery): Promise<void> {
  const path = `/feeds/${feedId}`;
  const headers = { 'content-type': 'application/json', ...sender.sign({ body, path, now: new Date() }) };
  const response = await fetch(url + path, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
