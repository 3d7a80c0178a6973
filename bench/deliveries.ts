/**
 * Measures how many notifications per second are delivered and their attempts recorded, compared with a minimal worker
 * (support/reference-worker.ts) on the same queue. Also measures the latency from the commit of an event to the arrival
 * of its notification without other load.
 *   npm run bench -- deliveries [--events 20000] [--rounds 3] [--idle 200]
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../src/domain/platform/service.ts';
import { relayEvents } from '../src/event/relay-events.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService, startProcess } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readProcessCpuMs, readProcessTreeCpuMs } from './support/cpu.ts';
import {
  type BenchEventSource,
  computeLatencies,
  createEventSource,
  startEndpoint,
  warmUp,
} from './support/endpoints.ts';
import { percentile, printTable, toMedians } from './support/table.ts';

/** The number of endpoints to which a busy installation delivers at the same time. */
const endpointCount = 20;

type DeliveryMeasurement = { perSecond: number; cpuMs: number; postgresCpuMs: number };

export const benchmark: Benchmark = async (options) => {
  const events = readCount(options, 'events', 20_000);
  const rounds = readCount(options, 'rounds', 3);
  await using database = await openBenchDatabase('notifications');
  const { service, connectionString } = database;
  await using receiver = await startProcess(['bench/support/receiver-server.ts'], {}, /receiver on (.*)/);
  const urls = Array.from({ length: endpointCount }, (_, i) => `${receiver.url}/${i}`);
  const figures: Record<'service' | 'reference', DeliveryMeasurement[]> = { service: [], reference: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of ['reference', 'service'] as const) {
      await using source = await createEventSource(service, connectionString, urls);
      await fillQueue(service, source, events);
      const start = side === 'service' ? startService : startReference;
      figures[side].push(
        await measureDrain(service, { ...database, events, start: () => start(connectionString) }),
      );
    }
  }
  printTable(toRows(figures));
  printTable([await measureIdleLatency(service, connectionString, readCount(options, 'idle', 200))]);
};

const startService = (connectionString: string) => startBenchService({ connectionString, role: 'worker' });
const startReference = (connectionString: string) =>
  startProcess(
    ['bench/support/reference-worker.ts'],
    { DATABASE_URL: connectionString },
    /worker is (ready)/,
  );

/** Queues about `count` due notifications, the same number for each endpoint. Their events are already relayed. */
async function fillQueue(service: Service, source: BenchEventSource, count: number): Promise<void> {
  await source.commitEvent();
  await relayEvents(service, { now: new Date() });
  await service.pool.query(
    `WITH first AS (SELECT * FROM event WHERE merchant_id = $1 AND NOT test ORDER BY id LIMIT 1), copied AS (
       INSERT INTO event (id, merchant_id, mode, type, object_id, object_version, payload, actor, relayed_at, created_at)
       SELECT id || 'x' || i, merchant_id, mode, type, object_id || i, i + 2, payload, actor, relayed_at, created_at
       FROM first, generate_series(1, $2::int) i RETURNING id)
     INSERT INTO notification (id, merchant_id, mode, event_id, event_type, kind, webhook_id, url, queue_key, status, next_attempt_at, created_at)
     SELECT 'nt_' || copied.id || webhook_id, merchant_id, mode, copied.id, event_type, kind, webhook_id, url, queue_key, 'pending', now(), now()
     FROM copied, notification WHERE notification.merchant_id = $1`,
    [source.merchantId, Math.ceil(count / endpointCount)],
  );
  await service.pool.query('VACUUM ANALYZE notification, event, notification_attempt');
}

type DrainOptions = { postgresPid: number; events: number; start: () => ReturnType<typeof startService> };

/**
 * Measures how a new worker delivers the queue. The first and the last tenth are left out, because they include the
 * cost of starting and ending.
 */
async function measureDrain(
  service: Service,
  { postgresPid, events, start }: DrainOptions,
): Promise<DeliveryMeasurement> {
  await using worker = await start();
  const waitUntilDelivered = async (share: number) => {
    while ((await countPending(service)) > events * (1 - share)) await delay(20);
    return {
      at: performance.now(),
      pending: await countPending(service),
      cpuMs: readProcessCpuMs(worker.pid),
      postgresCpuMs: readProcessTreeCpuMs(postgresPid),
    };
  };
  const startSample = await waitUntilDelivered(0.1);
  const endSample = await waitUntilDelivered(0.9);
  await waitUntilDelivered(1);
  const deliveredCount = startSample.pending - endSample.pending;
  return {
    perSecond: deliveredCount / ((endSample.at - startSample.at) / 1_000),
    cpuMs: (endSample.cpuMs - startSample.cpuMs) / deliveredCount,
    postgresCpuMs: (endSample.postgresCpuMs - startSample.postgresCpuMs) / deliveredCount,
  };
}

async function countPending(service: Service): Promise<number> {
  const { rows } = await service.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM notification WHERE status = 'pending'`,
  );
  return rows[0]!.count;
}

function toRows(figures: Record<'service' | 'reference', DeliveryMeasurement[]>) {
  const service = toMedians(figures.service);
  const reference = toMedians(figures.reference);
  return [
    {
      operation: 'one notification delivered, its attempt recorded',
      'events/s': Math.round(service.perSecond),
      'reference events/s': Math.round(reference.perSecond),
      share: service.perSecond / reference.perSecond,
      'goal share': 0.5,
      'CPU ms': service.cpuMs,
      'reference CPU ms': reference.cpuMs,
      ratio: service.cpuMs / reference.cpuMs,
      'goal ratio': 2,
      'PostgreSQL ms': service.postgresCpuMs,
      'reference PostgreSQL ms': reference.postgresCpuMs,
    },
  ];
}

async function measureIdleLatency(service: Service, connectionString: string, count: number) {
  await using endpoint = await startEndpoint({ status: 200, afterMs: 0 });
  await using source = await createEventSource(service, connectionString, [endpoint.url]);
  await using _worker = await startBenchService({ connectionString, role: 'worker' });
  await warmUp(source, endpoint);
  const committedEvents: { id: string; committedAt: number }[] = [];
  for (let i = 0; i < count; i++) {
    await delay(50 + (i % 10) * 20);
    committedEvents.push(await source.commitEvent());
  }
  await delay(1_000);
  const ms = computeLatencies(committedEvents, endpoint);
  return {
    operation: 'commit to arrival, idle',
    events: count,
    'p50 ms': percentile(ms, 0.5),
    'goal p50': 10,
    'p99 ms': percentile(ms, 0.99),
    'goal p99': 50,
  };
}
