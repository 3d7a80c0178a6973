import type { ServerResponse } from 'node:http';
import { diag } from '@opentelemetry/api';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { createOpenTelemetryTracer } from '../../src/kit/open-telemetry.ts';
import { withSpan } from '../../src/kit/tracer.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { isLongRun } from '../setup/counts.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { seedDueNotifications, seedWebhook } from '../setup/notifications.ts';
import { readSpans, tracedServiceName } from '../setup/otlp.ts';
import { respondWith, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

const trace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${trace}-b7ad6b7169203331-01`;

// The SDK tells its troubles to one place in the process.
afterEach(() => {
  diag.disable();
  vi.unstubAllEnvs();
});
const open = (url: string, faults: string[] = []) =>
  createOpenTelemetryTracer({ url, serviceName: tracedServiceName, sampledShare: 1 }, (fault) =>
    faults.push(fault),
  );

test.runIf(isLongRun)('a tracer tells of a collector that is away', async () => {
  const faults: string[] = [];
  const tracer = open('http://127.0.0.1:9/v1/traces', faults);
  await withSpan(tracer, 'work', {}, async () => 'done');
  await tracer.stop();
  expect(faults.length).toBeGreaterThan(0);
});

test.each([
  'none',
  '',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  `00-${trace}-0000000000000000-01`,
  `ff-${trace}-b7ad6b7169203331-01`,
  `00-${trace.toUpperCase()}-b7ad6b7169203331-01`,
  `${traceparent}\r\nx: y`,
])('a tracer begins a trace anew for what is no traceparent: %j', async (parent) => {
  const tracer = open('http://127.0.0.1:9/v1/traces');
  expect(tracer.startSpan('work', { parent }).traceparent).not.toContain(trace);
});

test('a tracer records nothing of a trace that its caller does not sample', async () => {
  const tracer = open('http://127.0.0.1:9/v1/traces');
  const span = tracer.startSpan('work', { parent: `00-${trace}-b7ad6b7169203331-00` });
  expect(span.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
});

test('a tracer sends what the environment says to send with it, compressed where that is asked for', async () => {
  await using collector = await startReceiver(respondWith(200));
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=teas,authorization=Bearer%20of-the-collector');
  vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip');
  const tracer = open(`${collector.url}/v1/traces`);
  await withSpan(tracer, 'work', {}, async () => 'done');
  await tracer.stop();
  expect(readSpans(collector)).toMatchObject([{ name: 'work' }]);
  expect(collector.requests[0]?.headers).toMatchObject({
    ...{ 'x-tenant': 'teas', authorization: 'Bearer of-the-collector', 'content-encoding': 'gzip' },
  });
});

test('a tracer tells that work has failed, by the name of the error alone', async () => {
  await using collector = await startReceiver(respondWith(200));
  const tracer = open(`${collector.url}/v1/traces`);
  const failing = withSpan(tracer, 'work', {}, async () => {
    throw new TypeError('ada@example.com is no number');
  });
  await expect(failing).rejects.toThrow(TypeError);
  await tracer.stop();
  expect(readSpans(collector)).toMatchObject([{ name: 'work', status: { code: 2, message: 'TypeError' } }]);
  expect(collector.requests[0]?.body).not.toContain('ada@');
});

test.each([
  ['was taken', respondWith(204), 0],
  ['was refused', respondWith(500), 2],
  ['was answered by a 200 that broke off', brokenOff, 2],
])('a tracer tells whether a delivery that %s has failed', async (_, handler, code) => {
  await using collector = await startReceiver(respondWith(200));
  await using shop = await startReceiver(handler);
  const service = await setupService(onCleanup);
  const merchant = await seedMerchant(service);
  await seedWebhook(service, merchant, { url: shop.url });
  await seedDueNotifications(service, merchant, 1);
  const tracer = open(`${collector.url}/v1/traces`);
  await deliverNotifications(service, { clock: systemClock, tracer });
  await tracer.stop();
  const [delivery] = readSpans(collector);
  expect(delivery).toMatchObject({ name: 'deliver CHARGE_COMPLETE', status: { code } });
});

/** Answers 200, begins the body and cuts the connection. */
function brokenOff(_: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 100 });
  response.write('O', () => response.destroy());
}
