/**
 * Measures the time from the commit of a change to its arrival at many live subscribers, each on its own WebSocket to
 * one API process. Another process commits the changes. Subscribers of another merchant must receive nothing.
 *   npm run bench -- live [--subscribers 1000] [--changes 20]
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { createMerchant, type NewMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { cancelCharge } from '../src/domain/payments/charge/cancel-charge.ts';
import { createCharge } from '../src/domain/payments/charge/create-charge.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { startAnnouncer } from '../src/event/announcer.ts';
import { basicAuth } from '../test/setup/api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readProcessCpuMs, readResidentMiB } from './support/cpu.ts';
import { percentile, printTable } from './support/table.ts';

const otherSubscriberCount = 100;
/** The number of subscribers that connect at the same time. */
const connectBatchSize = 50;
/** A subscriber has missed a change that has not arrived after this time. */
const arrivalTimeoutMs = 10_000;

export const benchmark: Benchmark = async (options) => {
  const subscriberCount = readCount(options, 'subscribers', 1_000);
  const changeCount = readCount(options, 'changes', 20);
  await using database = await openBenchDatabase('live');
  const { connectionString } = database;
  const announcer = startAnnouncer(connectionString, (error) => console.error(error.message));
  await using disposables = new AsyncDisposableStack();
  disposables.defer(announcer.stop);
  const service = { ...database.service, announce: announcer.announce };
  await using server = await startBenchService({ connectionString, role: 'api' });
  const [merchant, otherMerchant] = [await createBenchMerchant(service), await createBenchMerchant(service)];
  const ids = [];
  for (let i = 0; i < changeCount; i++) ids.push(await createBenchCharge(service, merchant));
  await createBenchCharge(service, otherMerchant);
  const subscribers = await subscribe(server.url, merchant, subscriberCount);
  const otherSubscribers = await subscribe(server.url, otherMerchant, otherSubscriberCount);
  const cpuMsBefore = readProcessCpuMs(server.pid);
  const arrivalMs: number[] = [];
  for (const id of ids) arrivalMs.push(...(await cancelAndMeasure(service, { merchant, id, subscribers })));
  const cpuMs = readProcessCpuMs(server.pid) - cpuMsBefore;
  printTable([
    {
      operation: `one change to ${subscriberCount} subscribers`,
      changes: changeCount,
      'p50 ms': percentile(arrivalMs, 0.5),
      'p99 ms': percentile(arrivalMs, 0.99),
      'max ms': percentile(arrivalMs, 1),
      'goal p99 ms': 500,
      missed: arrivalMs.filter((ms) => !Number.isFinite(ms)).length,
      'received by others': otherSubscribers.countReceived(),
      'CPU ms a subscriber': cpuMs / arrivalMs.length,
      'memory MiB': readResidentMiB(server.pid),
    },
  ]);
  subscribers.end();
  otherSubscribers.end();
};

const createBenchMerchant = (service: Service) =>
  createMerchant(service, { input: { name: 'Live' }, now: new Date() });

async function createBenchCharge(service: Service, { merchant }: NewMerchant): Promise<string> {
  const input = {
    email: `${randomUUID()}@shop.example`,
    merchantAmount: 25,
    merchantCurrency: 'HKD',
    method: 'fps',
  };
  const options = { merchant, mode: 'sandbox', actor: 'job:bench', input, now: new Date() } as const;
  return (await createCharge(service, options)).charge.id;
}

type LiveSubscribers = {
  count: number;
  /** Returns the number of updates that all subscribers have received, without the initial states. */
  countReceived(): number;
  /** Returns the times at which subscribers have received the cancellation of the charge so far. */
  listArrivals(chargeId: string): number[];
  end(): void;
};

/** Connects `count` subscribers and waits until each has received its initial state. */
async function subscribe(url: string, { keys }: NewMerchant, count: number): Promise<LiveSubscribers> {
  const authorization = basicAuth(keys.sandbox);
  const arrivals = new Map<string, number[]>();
  let receivedCount = 0;
  const recordArrival = (id: string): void => {
    const times = arrivals.get(id) ?? [];
    times.push(performance.now());
    arrivals.set(id, times);
  };
  const connect = () => {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
      retryAttempts: 0,
    });
    const events = client.iterate<{ chargesUpdated: { id: string; status: string } }>({
      query: 'subscription { chargesUpdated { id status customerAmount } }',
    });
    return { client, events };
  };
  const connections: ReturnType<typeof connect>[] = [];
  while (connections.length < count) {
    const batch = Array.from({ length: Math.min(connectBatchSize, count - connections.length) }, connect);
    await Promise.all(batch.map(({ events }) => events.next()));
    connections.push(...batch);
  }
  for (const { events } of connections) {
    void (async () => {
      for await (const { data } of events) {
        receivedCount++;
        const { id, status } = data!.chargesUpdated;
        if (status === 'cancelled') recordArrival(id);
      }
    })();
  }
  return {
    count,
    countReceived: () => receivedCount,
    listArrivals: (id) => arrivals.get(id) ?? [],
    end() {
      for (const { client } of connections) client.dispose();
    },
  };
}

type ChargeCancellation = { merchant: NewMerchant; id: string; subscribers: LiveSubscribers };

/**
 * Cancels the charge. Returns the milliseconds from the commit to the arrival at each subscriber; infinity for those
 * that missed the change.
 */
async function cancelAndMeasure(
  service: Service,
  { merchant, id, subscribers }: ChargeCancellation,
): Promise<number[]> {
  const scope = {
    merchantId: merchant.merchant.id,
    mode: 'sandbox',
    by: 'merchant',
    actor: 'job:bench',
  } as const;
  await cancelCharge(service, { ...scope, id, now: new Date() });
  const committedAt = performance.now();
  while (subscribers.listArrivals(id).length < subscribers.count) {
    if (performance.now() - committedAt > arrivalTimeoutMs) break;
    await delay(10);
  }
  const times = subscribers.listArrivals(id);
  const missed = Array<number>(subscribers.count - times.length).fill(Number.POSITIVE_INFINITY);
  return [...times.map((at) => Math.max(0, at - committedAt)), ...missed];
}
