/**
 * Compares the API with a minimal server (support/reference-server.ts) on the same rows, by requests per second and CPU
 * time per request:
 *   npm run bench -- api [--charges 1000000] [--seconds 5] [--rounds 3] [--only "POST /charges"]
 * Rounds with the API and rounds with the minimal server alternate; each figure is the median of its rounds.
 */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { foldChargeCounts } from '../src/domain/payments/charge-list/fold-charge-counts.ts';
import { basicAuth } from '../test/setup/api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { type BenchProcess, startBenchService, startProcess } from './support/bench-service.ts';
import { type Benchmark, readCount, readOption } from './support/benchmark.ts';
import { type LoadMeasurement, type LoadOptions, runLoad } from './support/load.ts';
import { seedCharges } from './support/seed-charges.ts';
import { printTable, toMedians } from './support/table.ts';

type ApiRequest = ReturnType<LoadOptions['createRequest']>;
export type BenchOperation = {
  name: string;
  /** The maximum CPU time of a request, as a multiple of the reference server's. */
  budget: number;
  /** The target CPU time of a request, as a multiple of the reference server's. */
  goal: number;
  createRequest: Record<'service' | 'reference', () => ApiRequest>;
};

export const benchmark: Benchmark = async (options) => {
  const charges = readCount(options, 'charges', 1_000_000);
  const plan = { seconds: readCount(options, 'seconds', 5), rounds: readCount(options, 'rounds', 3) };
  await using database = await openBenchDatabase(`charges-${charges}`);
  const { connectionString, postgresPid } = database;
  const { merchantId, keys } = await seedCharges(database.service, charges);
  const ids = await sampleChargeIds(database.service.pool, merchantId);
  await using service = await startBenchService({ connectionString, role: 'api' });
  await using reference = await startReference({ connectionString, merchantId });
  const authorization = basicAuth(keys);
  const rows = [];
  const only = readOption(options, 'only');
  const operations = createOperations(authorization, ids).filter(
    ({ name }) => only === undefined || name === only,
  );
  if (operations.length === 0) throw new Error(`There is no operation ${only}`);
  for (const operation of operations) {
    // In production, a job of the worker folds the counts continuously.
    await foldChargeCounts(database.service);
    rows.push(await compare(operation, { service, reference, postgresPid, ...plan }));
  }
  printTable(rows);
};

function startReference(options: { connectionString: string; merchantId: string }): Promise<BenchProcess> {
  const env = { DATABASE_URL: options.connectionString, MERCHANT_ID: options.merchantId };
  return startProcess(['bench/support/reference-server.ts'], env, /reference on (.*)/);
}

type BenchTargets = { service: BenchProcess; reference: BenchProcess; postgresPid: number };

async function compare(
  operation: BenchOperation,
  options: BenchTargets & { seconds: number; rounds: number },
) {
  const { postgresPid, seconds, rounds } = options;
  const run = (side: 'service' | 'reference', runSeconds: number) =>
    runLoad({
      url: options[side].url,
      serverPid: options[side].pid,
      postgresPid,
      seconds: runSeconds,
      createRequest: operation.createRequest[side],
    });
  await run('service', 2);
  await run('reference', 1);
  const figures: Record<'service' | 'reference', LoadMeasurement[]> = { service: [], reference: [] };
  for (let round = 0; round < rounds; round++) {
    figures.reference.push(await run('reference', seconds));
    figures.service.push(await run('service', seconds));
  }
  return toRow(operation, toMedians(figures.service), toMedians(figures.reference));
}

export async function sampleChargeIds(pool: Pool, merchantId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM charge WHERE merchant_id = $1 AND mode = 'sandbox' AND status <> 'pending' ORDER BY md5(id) LIMIT 2000`,
    [merchantId],
  );
  return rows.map((row) => row.id);
}

const fields = `id merchantAmount merchantCurrency method customerAmount customerCurrency status notifyPayload
  destination { qrCode account paymentReference accountName bank } customer { id email } orders { orderId name quantity amount }
  refunds { id customerAmount customerCurrency status createdAt updatedAt } expiresAt createdAt updatedAt`;

export function createOperations(authorization: string, ids: string[]): BenchOperation[] {
  let counter = 0;
  const nextId = () => ids[counter++ % ids.length]!;
  const get = (path: string): ApiRequest => ({ path, headers: { authorization } });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): ApiRequest => ({
    method: 'POST',
    path,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  // REST takes amounts as numbers, and GraphQL as strings.
  const createInput = (
    formatAmount: (amount: number) => unknown = Number,
    itemId = 'id',
  ): Record<string, unknown> => ({
    email: `buyer${counter++ % 200}@shop.example`,
    merchantAmount: formatAmount(100 + (counter % 90)),
    merchantCurrency: 'USD',
    method: 'fps',
    orders: [{ [itemId]: 'tea-7', name: 'Oolong, 250 g', quantity: 2, amount: formatAmount(100) }],
    notifyPayload: randomUUID(),
  });
  const referenceRequests = {
    get: () => ({ path: `/charges/${nextId()}` }),
    list: () => ({ path: '/charges' }),
    create: () => post('/charges', { templateChargeId: ids[0], notifyPayload: randomUUID() }),
  };
  const chargeQuery = `query ($id: ID!) { charge(id: $id) { ${fields} } }`;
  const chargesQuery = `{ charges(first: 50) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
  const createMutation = `mutation ($input: CreateChargeInput!) { createCharge(input: $input) {
    ... on CreateChargeSuccess { charge { ${fields} } } ... on UserError { code message } } }`;
  return [
    {
      name: 'GET /charges/{id}',
      budget: 2.5,
      goal: 1.5,
      createRequest: { service: () => get(`/charges/${nextId()}`), reference: referenceRequests.get },
    },
    {
      name: 'GET /charges?limit=50',
      budget: 2,
      goal: 1.2,
      createRequest: { service: () => get('/charges?limit=50'), reference: referenceRequests.list },
    },
    {
      name: 'POST /charges',
      budget: 12,
      goal: 5,
      createRequest: {
        service: () => post('/charges', createInput(), { 'idempotency-key': randomUUID() }),
        reference: referenceRequests.create,
      },
    },
    {
      name: 'GraphQL charge(id)',
      budget: 9,
      goal: 3.5,
      createRequest: {
        service: () => post('/graphql', { query: chargeQuery, variables: { id: nextId() } }),
        reference: referenceRequests.get,
      },
    },
    {
      name: 'GraphQL charges(first: 50)',
      budget: 3.5,
      goal: 1.7,
      createRequest: {
        service: () => post('/graphql', { query: chargesQuery }),
        reference: referenceRequests.list,
      },
    },
    {
      name: 'GraphQL createCharge',
      budget: 15,
      goal: 7,
      createRequest: {
        service: () =>
          post('/graphql', { query: createMutation, variables: { input: createInput(String, 'orderId') } }),
        reference: referenceRequests.create,
      },
    },
  ];
}

function toRow({ name, budget, goal }: BenchOperation, service: LoadMeasurement, reference: LoadMeasurement) {
  return {
    operation: name,
    'requests/s': Math.round(service.perSecond),
    'p50 ms': service.p50,
    'p99 ms': service.p99,
    'p99 / p50': service.p99 / service.p50,
    'reference requests/s': Math.round(reference.perSecond),
    'reference p99 / p50': reference.p99 / reference.p50,
    'CPU ms': service.serverCpuMsPerRequest,
    'reference CPU ms': reference.serverCpuMsPerRequest,
    ratio: service.serverCpuMsPerRequest / reference.serverCpuMsPerRequest,
    budget,
    goal,
    'PostgreSQL ms': service.postgresCpuMsPerRequest,
    'PostgreSQL ratio': service.postgresCpuMsPerRequest / reference.postgresCpuMsPerRequest,
  };
}
