/**
 * Measures how fast `POST /transfers` records the transfers of a bank feed, 500 per request, and how fast charges are
 * expired.
 *   npm run bench -- transfers [--charges 10000]
 */

import { createMerchant, type NewMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { createCharge } from '../src/domain/payments/charge/create-charge.ts';
import { expireCharges } from '../src/domain/payments/charge/expire-charges.ts';
import { toDecimal } from '../src/kit/money.ts';
import { basicAuth } from '../test/setup/api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readProcessCpuMs, readProcessTreeCpuMs } from './support/cpu.ts';
import { printTable } from './support/table.ts';

const transfersPerCall = 500;
const concurrency = 20;

type BenchCharge = Awaited<ReturnType<typeof createCharge>>['charge'];

export const benchmark: Benchmark = async (options) => {
  const count = readCount(options, 'charges', 10_000);
  await using database = await openBenchDatabase('transfers');
  const { service, connectionString, postgresPid } = database;
  await using server = await startBenchService({ connectionString, role: 'api' });
  const now = new Date();
  const merchant = await createMerchant(service, { input: { name: 'Feed' }, now });
  const charges = await createCharges(count, (n) =>
    createCharge(service, {
      merchant: merchant.merchant,
      mode: 'sandbox',
      actor: 'job:bench',
      input: {
        email: `payer${n}@shop.example`,
        merchantAmount: 128.5,
        merchantCurrency: 'HKD',
        method: 'fps',
      },
      now,
    }),
  );
  const payableCharges = charges.slice(0, count / 2);
  const firstTransfers = { charges: payableCharges, getReference: () => 'first', idPrefix: 'f' };
  await sendAll(server.url, merchant, firstTransfers);
  // As autovacuum does within a minute of the first transfers.
  await service.pool.query('VACUUM ANALYZE');
  const readCpuMs = () => ({
    server: readProcessCpuMs(server.pid),
    postgres: readProcessTreeCpuMs(postgresPid),
  });
  const measure = async (name: string, work: () => Promise<number>) => {
    const before = readCpuMs();
    const start = performance.now();
    const doneCount = await work();
    const seconds = (performance.now() - start) / 1000;
    const after = readCpuMs();
    return {
      '': name,
      'a second': Math.round(doneCount / seconds),
      'CPU each, service (ms)': (after.server - before.server) / doneCount,
      'CPU each, PostgreSQL (ms)': (after.postgres - before.postgres) / doneCount,
    };
  };
  const send = (getReference: (charge: BenchCharge) => string, idPrefix: string) => () =>
    sendAll(server.url, merchant, { charges: payableCharges, getReference, idPrefix });
  const expire = () => expireCharges(service, { now: new Date(now.getTime() + 86_400_000) });
  printTable([
    await measure(
      'transfers without a payment reference',
      send(() => 'rent', 'a'),
    ),
    await measure(
      'transfers with a mistyped reference',
      send(({ paymentReference }) => mistype(paymentReference), 'm'),
    ),
    await measure(
      'transfers that complete charges',
      send(({ paymentReference }) => paymentReference, 'b'),
    ),
    await measure(
      'duplicate transfers',
      send(({ paymentReference }) => paymentReference, 'b'),
    ),
    await measure('charges expired (in this process)', expire),
    // These charges have expired, so the transfers remain unmatched.
    await measure('transfers with a reference of an expired charge', () =>
      sendAll(server.url, merchant, {
        charges: charges.slice(count / 2),
        getReference: ({ paymentReference }) => paymentReference,
        idPrefix: 'o',
        minor: 50n,
      }),
    ),
  ]);
};

async function createCharges(
  count: number,
  create: (n: number) => Promise<{ charge: BenchCharge }>,
): Promise<BenchCharge[]> {
  const charges: BenchCharge[] = [];
  for (let offset = 0; offset < count; offset += concurrency) {
    const batch = await Promise.all(Array.from({ length: concurrency }, (_, i) => create(offset + i)));
    charges.push(...batch.map(({ charge }) => charge));
  }
  return charges;
}

async function sendAll(
  url: string,
  { keys }: NewMerchant,
  options: {
    charges: readonly BenchCharge[];
    getReference: (charge: BenchCharge) => string;
    idPrefix: string;
    /** The amount if it is not that of the charge. */
    minor?: bigint | undefined;
  },
): Promise<number> {
  const authorization = basicAuth(keys.sandbox);
  const items = options.charges.map((charge) => ({
    id: `${options.idPrefix}-${charge.id}`,
    receivingAccountId: charge.receivingAccountId,
    amount: Number(
      toDecimal({ minor: options.minor ?? charge.customerAmount, currency: charge.customerCurrency }),
    ),
    currency: charge.customerCurrency,
    reference: options.getReference(charge),
    paidAt: charge.createdAt.toISOString(),
  }));
  for (let offset = 0; offset < items.length; offset += transfersPerCall) {
    const response = await fetch(`${url}/transfers`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ transfers: items.slice(offset, offset + transfersPerCall) }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    await response.arrayBuffer();
  }
  return items.length;
}

/** Changes a digit, so that the check letter is wrong. */
function mistype(reference: string): string {
  return `${reference.slice(0, 8)}${reference.charAt(8) === '2' ? '3' : '2'}${reference.slice(9)}`;
}
