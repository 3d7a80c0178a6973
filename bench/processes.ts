/**
 * Measures the gain from additional API processes: requests per second with one process and with several on the same
 * PostgreSQL, and the CPU time of each part, which shows the next bottleneck.
 *   npm run bench -- processes [--processes 1,2] [--pooled yes] [--charges 1000000] [--seconds 5] [--rounds 3]
 * Rounds with each number of processes alternate; each figure is the median of its rounds. With `--pooled yes`, all
 * processes use 20 connections of PgBouncer.
 */
import { availableParallelism } from 'node:os';
import { foldChargeCounts } from '../src/domain/payments/charge-list/fold-charge-counts.ts';
import { basicAuth } from '../test/setup/api.ts';
import { startPgBouncer } from '../test/setup/pgbouncer.ts';
import { type BenchOperation, createOperations, sampleChargeIds } from './api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { type BenchProcess, startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount, readOption } from './support/benchmark.ts';
import { readProcessCpuMs, readProcessTreeCpuMs } from './support/cpu.ts';
import { runLoad } from './support/load.ts';
import { seedCharges } from './support/seed-charges.ts';
import { printTable, toMedians } from './support/table.ts';

/**
 * The requests per second, the 99th percentile of their latency in milliseconds, and the number of processors that the
 * API processes, PostgreSQL and the load generator used.
 */
type RoundMeasurement = { perSecond: number; p99: number; api: number; postgres: number; generator: number };

export const benchmark: Benchmark = async (options) => {
  const counts = (readOption(options, 'processes') ?? '1,2').split(',').map(Number);
  const charges = readCount(options, 'charges', 1_000_000);
  const seconds = readCount(options, 'seconds', 5);
  const rounds = readCount(options, 'rounds', 3);
  await using database = await openBenchDatabase(`charges-${charges}`);
  const { connectionString, postgresPid } = database;
  const { merchantId, keys } = await seedCharges(database.service, charges);
  const ids = await sampleChargeIds(database.service.pool, merchantId);
  await using disposables = new AsyncDisposableStack();
  const pooler =
    readOption(options, 'pooled') === 'yes'
      ? await startPgBouncer((stop) => disposables.defer(stop), { connectionString })
      : undefined;
  const server = {
    connectionString: pooler?.toPooled(connectionString) ?? connectionString,
    env: { DATABASE_DIRECT_URL: connectionString },
    role: 'api' as const,
  };
  const servers: BenchProcess[] = [];
  for (let i = 0; i < Math.max(...counts); i++)
    servers.push(disposables.use(await startBenchService(server)));
  const authorization = basicAuth(keys);
  const rows = [];
  for (const operation of createOperations(authorization, ids)) {
    await foldChargeCounts(database.service);
    const run = (targets: BenchProcess[], runSeconds: number) =>
      runLoadOnAll(targets, { operation, postgresPid, seconds: runSeconds });
    await run(servers, 2);
    const measured = new Map(counts.map((count) => [count, [] as RoundMeasurement[]]));
    for (let round = 0; round < rounds; round++)
      for (const [count, list] of measured) list.push(await run(servers.slice(0, count), seconds));
    for (const [count, list] of measured) rows.push(toRow(operation.name, count, toMedians(list)));
  }
  printTable(rows);
  console.log(`The machine has ${availableParallelism()} processors; the load generator uses them too.`);
};

type RunLoadOnAllOptions = { operation: BenchOperation; postgresPid: number; seconds: number };

async function runLoadOnAll(
  servers: BenchProcess[],
  { operation, postgresPid, seconds }: RunLoadOnAllOptions,
): Promise<RoundMeasurement> {
  const readCpuMs = () => ({
    api: servers.reduce((sum, { pid }) => sum + readProcessCpuMs(pid), 0),
    postgres: readProcessTreeCpuMs(postgresPid),
    generator: readProcessCpuMs(process.pid),
  });
  const before = readCpuMs();
  const start = performance.now();
  const measured = await Promise.all(
    servers.map(({ url, pid }) =>
      runLoad({ url, serverPid: pid, postgresPid, seconds, createRequest: operation.createRequest.service }),
    ),
  );
  const ms = performance.now() - start;
  const after = readCpuMs();
  return {
    perSecond: measured.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...measured.map(({ p99 }) => p99)),
    api: (after.api - before.api) / ms,
    postgres: (after.postgres - before.postgres) / ms,
    generator: (after.generator - before.generator) / ms,
  };
}

function toRow(operation: string, processes: number, measured: RoundMeasurement) {
  return {
    operation,
    processes,
    'requests/s': Math.round(measured.perSecond),
    'p99 ms': measured.p99,
    'processors: API': measured.api,
    PostgreSQL: measured.postgres,
    'load itself': measured.generator,
    'limited by': describeBottleneck(processes, measured),
  };
}

/**
 * Returns what limits the throughput: a part that uses more than nine tenths of its processors. A Node.js process can
 * use one processor; all parts together can use all processors of the machine.
 */
function describeBottleneck(processes: number, { api, postgres, generator }: RoundMeasurement): string {
  const saturation = 0.9;
  if (api + postgres + generator > saturation * availableParallelism())
    return 'the processors of this machine';
  if (generator > saturation) return 'the load generator, which is a single process';
  if (api > saturation * processes) return 'the API processes: another one would help';
  return 'waiting: for PostgreSQL’s disk, locks, or connections';
}
