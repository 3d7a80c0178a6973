/**
 * Measures the response time of `GET /healthz` while a client without an API key sends the most expensive known
 * requests over 8 connections. Some of them use the client token that every checkout receives. Rate limits are on.
 *   npm run bench -- anonymous [--seconds 5]
 */
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { getIntrospectionQuery } from 'graphql';
import { readDashboardDocuments } from '../scripts/dashboard-documents.ts';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { createCharge } from '../src/domain/payments/charge/create-charge.ts';
import { createClientToken } from '../src/domain/payments/customer-page/page-tokens.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { type BenchProcess, startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readProcessCpuMs } from './support/cpu.ts';
import { percentile, printTable } from './support/table.ts';

const goalMs = 250;
const connections = 8;
const publicUrl = 'https://pay.example';

/** A kind of expensive request. Without a `path`, nothing is sent, which measures the baseline. */
type Attack = { name: string; path?: string; headers?: Record<string, string>; query?: string };

/** A document from the penetration test: 12 KB that took up to 0.4 seconds to validate. */
const slowDocument = `{${'viewer{merchant{paymentWindows{minutes}}}'.repeat(290)}}`;

const repeat = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

/** For each unknown type, validation searches all types of the schema for a similar name. */
const unknownNames = `{ __typename } ${repeat(80, (i) => `fragment Z${i} on UpdateReceivingAccoun${i} { id }`)}`;
const manyFragments = `{ ${repeat(80, (i) => `...F${i}`)} } ${repeat(80, (i) => `fragment F${i} on Query { a${i}: me { id } }`)}`;

function listAttacks(token: string): Attack[] {
  const authorization = `Bearer ${token}`;
  const longestDocument = readDashboardDocuments().reduce((one, other) =>
    one.text.length > other.text.length ? one : other,
  );
  const html = { accept: 'text/html' };
  return [
    { name: 'nothing' },
    { name: 'a document that is slow to validate', path: '/graphql', query: slowDocument },
    { name: 'the longest document of the dashboard', path: '/graphql', query: longestDocument.text },
    { name: 'introspection', path: '/graphql', query: getIntrospectionQuery() },
    ...[unknownNames, manyFragments, slowDocument].map((query, i) => ({
      name: `a client token's document ${i + 1}`,
      path: '/graphql',
      headers: { authorization },
      query,
    })),
    { name: 'GraphiQL without gzip', path: '/graphql', headers: html },
    { name: 'GraphiQL', path: '/graphql', headers: { ...html, 'accept-encoding': 'gzip' } },
    { name: 'the SDL', path: '/schema.graphql' },
    { name: 'the SDL as introspection', path: '/schema.graphql', headers: { accept: 'application/json' } },
    { name: 'OpenAPI in JSON', path: '/openapi.json' },
    { name: 'OpenAPI in YAML', path: '/docs/yaml' },
  ];
}

export const benchmark: Benchmark = async (options) => {
  const seconds = readCount(options, 'seconds', 5);
  await using database = await openBenchDatabase('notifications');
  const { connectionString } = database;
  const env = { RATE_LIMIT: '100', PUBLIC_URL: publicUrl };
  await using service = await startBenchService({ connectionString, role: 'api', env });
  const rows = [];
  for (const attack of listAttacks(await createCheckoutToken(database.service)))
    rows.push(await measure(attack, { service, seconds }));
  printTable(rows);
  const [idleMs, ...loadedMs] = rows.map((row) => row['healthz max ms']);
  console.log(formatVerdict(idleMs!, Math.max(...loadedMs)));
};

async function createCheckoutToken(service: Service): Promise<string> {
  const now = new Date();
  const { merchant } = await createMerchant(service, { input: { name: 'Anonymous' }, now });
  const input = { email: 'a@example.com', merchantAmount: 100, merchantCurrency: 'HKD', method: 'fps' };
  const { charge } = await createCharge(service, {
    merchant,
    mode: 'sandbox',
    actor: 'job:bench',
    input,
    now,
  });
  return createClientToken(service.secrets, charge);
}

/** Gives no verdict if /healthz is slow even without load, because the machine is then too busy for a measurement. */
function formatVerdict(idleMs: number, worstMs: number): string {
  if (idleMs > goalMs / 5) return `No verdict: without load /healthz took ${Math.round(idleMs)} ms.`;
  const outcome = worstMs <= goalMs ? 'Reached' : 'Missed';
  return `${outcome}: /healthz took ${Math.round(worstMs)} ms at most, the goal is ${goalMs} ms.`;
}

async function measure(attack: Attack, { service, seconds }: { service: BenchProcess; seconds: number }) {
  const cpuBefore = readProcessCpuMs(service.pid);
  const load = attack.path === undefined ? delay(seconds * 1_000) : runAttack(attack, { service, seconds });
  const healthMs = await measureHealth(service.url, load);
  const result = await load;
  const statuses = Object.entries(result?.statusCodeStats ?? {});
  return {
    attack: attack.name,
    'requests/s': Math.round(result?.requests.average ?? 0),
    'MB/s': (result?.throughput.average ?? 0) / 1e6,
    'CPU %': (readProcessCpuMs(service.pid) - cpuBefore) / (10 * seconds),
    'healthz p50 ms': percentile(healthMs, 0.5),
    'healthz max ms': percentile(healthMs, 1),
    statuses: statuses.map(([code, { count }]) => `${code}: ${count}`).join(', '),
  };
}

async function runAttack(attack: Attack, { service, seconds }: { service: BenchProcess; seconds: number }) {
  const url = `${service.url}${attack.path}`;
  // The first request fills the caches that later requests use.
  await fetch(url, toRequest(attack));
  // `workers: 1` sends the load from another thread, so that it does not delay the measurement in this one.
  return autocannon({ url, connections, duration: seconds, workers: 1, ...toRequest(attack) });
}

function toRequest({ headers, query }: Attack) {
  if (query === undefined) return { headers: { ...headers } };
  return {
    method: 'POST' as const,
    headers: { origin: publicUrl, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  };
}

/** Requests /healthz repeatedly until `load` ends. Returns the duration of each request in milliseconds. */
async function measureHealth(url: string, load: PromiseLike<unknown>): Promise<number[]> {
  const healthMs: number[] = [];
  let isOver = false;
  const end = load.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const start = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    healthMs.push(performance.now() - start);
    await delay(20);
  }
  await end;
  return healthMs;
}
