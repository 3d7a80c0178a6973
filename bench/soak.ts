/**
 * Measures the memory of the service over a million requests, its startup time on a database with data, and its idle
 * CPU usage:
 *   npm run bench -- soak [--requests 1000000] [--charges 1000000] [--idle 60]
 * The requests are a mix: over REST, the payment methods, a page of charges and a new charge; over GraphQL, a page of
 * charges.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { basicAuth } from '../test/setup/api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { type BenchProcess, startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readProcessCpuMs, readProcessTreeCpuMs, readResidentMiB } from './support/cpu.ts';
import { type SeededMerchant, seedCharges } from './support/seed-charges.ts';
import { printTable } from './support/table.ts';

const goals = { residentMiB: 400, readySeconds: 3, idlePercent: 2 };
const sampleCount = 10;

export const benchmark: Benchmark = async (options) => {
  const requests = readCount(options, 'requests', 1_000_000);
  const charges = readCount(options, 'charges', 1_000_000);
  const idleSeconds = readCount(options, 'idle', 60);
  await using database = await openBenchDatabase(`charges-${charges}`);
  const { connectionString, postgresPid } = database;
  const merchant = await seedCharges(database.service, charges);
  const startMs = performance.now();
  // API and worker run in one process, as in a small installation.
  await using service = await startBenchService({ connectionString, role: 'all' });
  const readySeconds = (performance.now() - startMs) / 1_000;
  printTable([{ what: 'ready after, s', measured: readySeconds, goal: goals.readySeconds }]);
  printTable(await measureIdle(service, { postgresPid, seconds: idleSeconds }));
  printTable(await measureMemory(service, merchant, requests));
};

/** Returns the CPU usage of the idle service and its PostgreSQL, after 10 seconds in which the startup work ends. */
async function measureIdle(
  { pid }: BenchProcess,
  { postgresPid, seconds }: { postgresPid: number; seconds: number },
) {
  await delay(10_000);
  const before = { service: readProcessCpuMs(pid), postgres: readProcessTreeCpuMs(postgresPid) };
  await delay(seconds * 1_000);
  const toPercent = (ms: number) => ms / (seconds * 10);
  return [
    {
      what: 'idle service, percent of a core',
      measured: toPercent(readProcessCpuMs(pid) - before.service),
      goal: goals.idlePercent,
    },
    {
      what: 'its PostgreSQL',
      measured: toPercent(readProcessTreeCpuMs(postgresPid) - before.postgres),
      goal: '',
    },
  ];
}

async function measureMemory({ url, pid }: BenchProcess, { keys }: SeededMerchant, requests: number) {
  const rows = [
    { requests: 0, 'resident MiB': readResidentMiB(pid), 'requests/s': 0, goal: goals.residentMiB },
  ];
  for (let sample = 1; sample <= sampleCount; sample++) {
    const result = await autocannon({
      url,
      connections: 16,
      amount: Math.ceil(requests / sampleCount),
      requests: [{ setupRequest: (defaults) => ({ ...defaults, ...nextRequest(keys) }) }],
    });
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${result.non2xx} answers other than 2xx and ${result.errors} errors`);
    rows.push({
      requests: Math.ceil(requests / sampleCount) * sample,
      'resident MiB': readResidentMiB(pid),
      'requests/s': Math.round(result.requests.total / result.duration),
      goal: goals.residentMiB,
    });
  }
  return rows;
}

let requestNumber = 0;

function nextRequest(keys: SeededMerchant['keys']) {
  const authorization = basicAuth(keys);
  const post = (path: string, body: unknown) => ({
    method: 'POST' as const,
    path,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  requestNumber++;
  if (requestNumber % 10 === 0) {
    const fields = 'id status customerAmount createdAt customer { id } refunds { id }';
    return post('/graphql', { query: `{ charges(first: 10) { nodes { ${fields} } totalCount } }` });
  }
  if (requestNumber % 10 === 5) {
    const amount = { merchantAmount: 100, merchantCurrency: 'USD' };
    const email = `buyer${Math.floor(requestNumber / 10) % 200}@shop.example`;
    return post('/charges', { ...amount, method: 'fps', email, notifyPayload: randomUUID() });
  }
  const path = requestNumber % 3 === 0 ? `/charges?limit=5&page=${1 + (requestNumber % 900)}` : '/methods';
  return { method: 'GET' as const, path, headers: { authorization }, body: '' };
}
