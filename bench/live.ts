/**
 * A committed change told to many live subscribers, each on a WebSocket of its own at one API process: from the commit,
 * in another process, to the arrival at every one of them. Subscribers of another merchant listen too, and must hear
 * nothing.
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
import { basic } from '../test/setup/api.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { processCpuMs, residentMiB } from './support/cpu.ts';
import { percentile, printTable } from './support/table.ts';

const strangers = 100;
/** So many connect at once. */
const atOnce = 50;
/** Whoever has not heard of a change by then has missed it. */
const arrivalMsMax = 10_000;

export const benchmark: Benchmark = async (options) => {
  const subscribers = readCount(options, 'subscribers', 1_000);
  const changes = readCount(options, 'changes', 20);
  await using database = await openBenchDatabase('live');
  const { connectionString } = database;
  const announcer = startAnnouncer(connectionString, (error) => console.error(error.message));
  await using ends = new AsyncDisposableStack();
  ends.defer(announcer.stop);
  const service = { ...database.service, announce: announcer.announce };
  await using server = await startBenchService({ connectionString, role: 'api' });
  const [merchant, other] = [await makeMerchant(service), await makeMerchant(service)];
  const ids = [];
  for (let i = 0; i < changes; i++) ids.push(await makeCharge(service, merchant));
  await makeCharge(service, other);
  const mine = await subscribe(server.url, merchant, subscribers);
  const theirs = await subscribe(server.url, other, strangers);
  const before = processCpuMs(server.pid);
  const told: number[] = [];
  for (const id of ids) told.push(...(await change(service, { merchant, id, subscription: mine })));
  const cpuMs = processCpuMs(server.pid) - before;
  printTable([
    {
      operation: `one change to ${subscribers} subscribers`,
      changes,
      'p50 ms': percentile(told, 0.5),
      'p99 ms': percentile(told, 0.99),
      'max ms': percentile(told, 1),
      'goal p99 ms': 500,
      missed: told.filter((ms) => !Number.isFinite(ms)).length,
      'heard by others': theirs.heard(),
      'CPU ms a subscriber': cpuMs / told.length,
      'memory MiB': residentMiB(server.pid),
    },
  ]);
  mine.end();
  theirs.end();
};

const makeMerchant = (service: Service) =>
  createMerchant(service, { input: { name: 'Live' }, now: new Date() });

async function makeCharge(service: Service, { merchant }: NewMerchant): Promise<string> {
  const input = {
    email: `${randomUUID()}@shop.example`,
    merchantAmount: 25,
    merchantCurrency: 'HKD',
    method: 'fps',
  };
  const asked = { merchant, mode: 'sandbox', actor: 'bench', input, now: new Date() } as const;
  return (await createCharge(service, asked)).charge.id;
}

type Subscription = {
  count: number;
  /** Events since the subscriptions began. */
  heard(): number;
  /** When each subscriber heard that the charge was cancelled. */
  arrivals(id: string): number[];
  end(): void;
};

/** So many subscribers; resolves once each has been sent the state at its beginning. */
async function subscribe(url: string, { keys }: NewMerchant, count: number): Promise<Subscription> {
  const authorization = basic(keys.sandbox);
  const arrivals = new Map<string, number[]>();
  let heard = 0;
  const note = (id: string): void => {
    const times = arrivals.get(id) ?? [];
    times.push(performance.now());
    arrivals.set(id, times);
  };
  const open = () => {
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
  const all: ReturnType<typeof open>[] = [];
  while (all.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - all.length) }, open);
    await Promise.all(some.map(({ events }) => events.next()));
    all.push(...some);
  }
  for (const { events } of all) {
    void (async () => {
      for await (const { data } of events) {
        heard++;
        const { id, status } = data!.chargesUpdated;
        if (status === 'cancelled') note(id);
      }
    })();
  }
  return {
    count,
    heard: () => heard,
    arrivals: (id) => arrivals.get(id) ?? [],
    end() {
      for (const { client } of all) client.dispose();
    },
  };
}

type Change = { merchant: NewMerchant; id: string; subscription: Subscription };

/** Milliseconds from commit to arrival, one for each subscriber; endless where it did not arrive. */
async function change(service: Service, { merchant, id, subscription }: Change): Promise<number[]> {
  const owner = {
    merchantId: merchant.merchant.id,
    mode: 'sandbox',
    by: 'merchant',
    actor: 'bench',
  } as const;
  await cancelCharge(service, { ...owner, id, now: new Date() });
  const committedAt = performance.now();
  while (subscription.arrivals(id).length < subscription.count) {
    if (performance.now() - committedAt > arrivalMsMax) break;
    await delay(10);
  }
  const times = subscription.arrivals(id);
  const missed = Array<number>(subscription.count - times.length).fill(Number.POSITIVE_INFINITY);
  return [...times.map((at) => Math.max(0, at - committedAt)), ...missed];
}
