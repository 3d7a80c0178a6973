/**
 * Measures deliveries to a healthy endpoint next to unhealthy ones: milliseconds from the commit of an event to its
 * arrival while one endpoint of the same merchant never responds, one responds with 500 and one takes 14 seconds. Every
 * event goes to all four.
 *   npm run bench -- isolation [--rate 200] [--seconds 30]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { computeLatencies, createEventSource, startEndpoint, warmUp } from './support/endpoints.ts';
import { percentile, printTable } from './support/table.ts';

/** The goal for the 99th percentile of the time from commit to arrival. */
const goalMs = 1_000;

export const benchmark: Benchmark = async (options) => {
  const rate = readCount(options, 'rate', 200);
  const seconds = readCount(options, 'seconds', 30);
  await using database = await openBenchDatabase('notifications');
  const { service, connectionString } = database;
  await using healthy = await startEndpoint({ status: 200, afterMs: 0 });
  await using silent = await startEndpoint('never');
  await using failing = await startEndpoint({ status: 500, afterMs: 0 });
  await using slow = await startEndpoint({ status: 200, afterMs: 14_000 });
  const urls = [healthy, silent, failing, slow].map(({ url }) => url);
  await using source = await createEventSource(service, connectionString, urls);
  await using _worker = await startBenchService({ connectionString, role: 'worker' });
  await warmUp(source, healthy);
  const pendingEvents: Promise<{ id: string; committedAt: number }>[] = [];
  const start = performance.now();
  for (let i = 0; i < rate * seconds; i++) {
    const waitMs = start + (i * 1_000) / rate - performance.now();
    if (waitMs > 1) await delay(waitMs);
    pendingEvents.push(source.commitEvent());
  }
  const events = await Promise.all(pendingEvents);
  await delay(2_000);
  const latenciesMs = computeLatencies(events, healthy);
  const p99 = percentile(latenciesMs, 0.99);
  const actualRate = Math.round(events.length / ((events.at(-1)!.committedAt - start) / 1_000));
  printTable([
    {
      'events/s': actualRate,
      events: events.length,
      received: latenciesMs.filter(Number.isFinite).length,
      'p50 ms': percentile(latenciesMs, 0.5),
      'p99 ms': p99,
      'max ms': percentile(latenciesMs, 1),
      'goal p99 ms': goalMs,
    },
  ]);
  console.log(formatVerdict({ p99, actualRate, rate }));
};

/** Gives no verdict if the machine could not commit events at the requested rate. */
function formatVerdict({ p99, actualRate, rate }: { p99: number; actualRate: number; rate: number }): string {
  if (actualRate < 0.95 * rate)
    return `No verdict: the machine committed ${actualRate} events per second, not ${rate}.`;
  const outcome = p99 < goalMs ? 'Reached' : 'Missed';
  return `${outcome}: the healthy endpoint's p99 is ${Math.round(p99)} ms next to three unhealthy ones, the goal ${goalMs} ms.`;
}
