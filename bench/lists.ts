/**
 * Measures the response time of a page of charges with its exact total, for a merchant with 10,000 charges and one with
 * 1,000,000: the first page, late pages, and each filter. Also measures the totals of other lists.
 *   npm run bench -- lists [--rows 10000,1000000] [--rounds 20]
 */
import { basicAuth } from '../test/setup/api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount, readOption } from './support/benchmark.ts';
import { seedCharges } from './support/seed-charges.ts';
import { median, percentile, printTable } from './support/table.ts';

const warmUpRounds = 3;

type Percentiles = { p50: number; p99: number };

export const benchmark: Benchmark = async (options) => {
  const sizes = (readOption(options, 'rows') ?? '10000,1000000').split(',').map(Number);
  const rounds = readCount(options, 'rounds', 20);
  const rowsByList = new Map<string, Record<string, string | number>>();
  for (const size of sizes) {
    for (const [list, { p50, p99 }] of await measure(size, rounds)) {
      const row = rowsByList.get(list) ?? { list };
      rowsByList.set(list, { ...row, [`${size} p50 ms`]: p50, [`${size} p99 ms`]: p99 });
    }
  }
  printTable([...rowsByList.values()]);
};

async function measure(size: number, rounds: number): Promise<Map<string, Percentiles>> {
  await using database = await openBenchDatabase(`lists-${size}`);
  const { keys } = await seedCharges(database.service, size, { merchants: 1 });
  await using service = await startBenchService({ connectionString: database.connectionString, role: 'api' });
  const authorization = basicAuth(keys);
  const percentilesByList = new Map<string, Percentiles>();
  for (const [list, request] of createRequests(size)) {
    percentilesByList.set(
      list,
      await measureRounds(rounds, () =>
        sendRequest(`${service.url}${request.path}`, { ...request, authorization }),
      ),
    );
  }
  return percentilesByList;
}

type ListRequest = { path: string; body?: string };

function createRequests(size: number): [string, ListRequest][] {
  const createPageRequest = (query: string): ListRequest => ({ path: `/charges?limit=50&${query}` });
  const lastPage = Math.floor(size / 50);
  const toDate = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19);
  const dates = `startDate=${toDate(200)}&endDate=${toDate(100)}`;
  const createTotalRequest = (list: string, filter = ''): [string, ListRequest] => [
    `GraphQL ${list}${filter}, its total`,
    { path: '/graphql', body: JSON.stringify({ query: `{ ${list}${filter} { totalCount } }` }) },
  ];
  return [
    ['page 1', createPageRequest('')],
    ['page 100', createPageRequest(`page=${Math.min(100, lastPage)}`)],
    ['page 10,000, or the last', createPageRequest(`page=${Math.min(10_000, lastPage)}`)],
    ['100 days', createPageRequest(dates)],
    ['100 days, page 50', createPageRequest(`${dates}&page=${Math.min(50, lastPage)}`)],
    ['status', createPageRequest('status=expired')],
    ['status, page 50', createPageRequest('status=completed&page=50')],
    ['method', createPageRequest('method=fps')],
    ['customerCurrency', createPageRequest('customerCurrency=HKD')],
    ['status, 100 days', createPageRequest(`status=expired&${dates}`)],
    ['customerEmail', createPageRequest('customerEmail=buyer7@shop.example')],
    ['customerPhone without a match', createPageRequest('customerPhone=85251234567')],
    createTotalRequest('charges'),
    createTotalRequest('charges', '(filter: { statuses: [completed, expired], method: fps })'),
    createTotalRequest('refunds'),
    createTotalRequest('customers'),
    createTotalRequest('events'),
  ];
}

async function sendRequest(
  url: string,
  { body, authorization }: ListRequest & { authorization: string },
): Promise<void> {
  const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
  const text = await response.text();
  if (!response.ok || text.startsWith('{"errors"'))
    throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
}

/** Runs `work` repeatedly, one run at a time, after the warm-up. Returns percentiles of the milliseconds. */
async function measureRounds(rounds: number, work: () => Promise<void>): Promise<Percentiles> {
  const durations: number[] = [];
  for (let i = 0; i < rounds + warmUpRounds; i++) {
    const startMs = performance.now();
    await work();
    if (i >= warmUpRounds) durations.push(performance.now() - startMs);
  }
  return { p50: median(durations), p99: percentile(durations, 0.99) };
}
