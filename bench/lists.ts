/**
 * Measures a page of charges with its exact total, for a merchant with 10,000 charges and one with 1,000,000: the first
 * page, a late page, and each filter. Also measures the totals of other lists.
 *   npm run bench -- lists [--rows 10000000] [--times 20]
 * `--rows` adds a third size.
 */
import { basicAuth } from '../test/setup/api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { seedCharges } from './support/seed-charges.ts';
import { median, percentile, printTable } from './support/table.ts';

type Percentiles = { p50: number; p99: number };

export const benchmark: Benchmark = async (options) => {
  const extraSizes = options.includes('--rows') ? [readCount(options, 'rows', 0)] : [];
  const sizes = [10_000, 1_000_000, ...extraSizes];
  const times = readCount(options, 'times', 20);
  const measured = new Map<string, Record<string, string | number>>();
  for (const size of sizes) {
    for (const [list, { p50, p99 }] of await measure(size, times)) {
      const row = measured.get(list) ?? { list };
      measured.set(list, { ...row, [`${size} p50 ms`]: p50, [`${size} p99 ms`]: p99 });
    }
  }
  printTable([...measured.values()]);
};

async function measure(size: number, times: number): Promise<Map<string, Percentiles>> {
  await using database = await openBenchDatabase(`lists-${size}`);
  const { keys } = await seedCharges(database.service, size, { merchants: 1 });
  await using service = await startBenchService({ connectionString: database.connectionString, role: 'api' });
  const authorization = basicAuth(keys);
  const figures = new Map<string, Percentiles>();
  for (const [list, request] of createRequests(size)) {
    figures.set(
      list,
      await measureTimes(times, () =>
        sendRequest(`${service.url}${request.path}`, { ...request, authorization }),
      ),
    );
  }
  return figures;
}

type ListRequest = { path: string; body?: string };

function createRequests(size: number): [string, ListRequest][] {
  const get = (query: string): ListRequest => ({ path: `/charges?limit=50&${query}` });
  const lastPage = Math.floor(size / 50);
  const toDate = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19);
  const dates = `startDate=${toDate(200)}&endDate=${toDate(100)}`;
  const total = (list: string, filter = ''): [string, ListRequest] => [
    `GraphQL ${list}${filter}, its total`,
    { path: '/graphql', body: JSON.stringify({ query: `{ ${list}${filter} { totalCount } }` }) },
  ];
  return [
    ['page 1', get('')],
    ['page 100', get(`page=${Math.min(100, lastPage)}`)],
    ['page 10,000, or the last', get(`page=${Math.min(10_000, lastPage)}`)],
    ['100 days', get(dates)],
    ['100 days, page 50', get(`${dates}&page=${Math.min(50, lastPage)}`)],
    ['status', get('status=expired')],
    ['status, page 50', get('status=completed&page=50')],
    ['method', get('method=fps')],
    ['customerCurrency', get('customerCurrency=HKD')],
    ['status, 100 days', get(`status=expired&${dates}`)],
    ['customerEmail', get('customerEmail=buyer7@shop.example')],
    ['customerPhone that nobody has', get('customerPhone=85251234567')],
    total('charges'),
    total('charges', '(filter: { status: [completed, expired], method: fps })'),
    total('refunds'),
    total('customers'),
    total('events'),
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

/** Measures sequentially, after three warm-up runs. */
async function measureTimes(times: number, work: () => Promise<void>): Promise<Percentiles> {
  const durations: number[] = [];
  for (let i = 0; i < times + 3; i++) {
    const startMs = performance.now();
    await work();
    if (i >= 3) durations.push(performance.now() - startMs);
  }
  return { p50: median(durations), p99: percentile(durations, 0.99) };
}
