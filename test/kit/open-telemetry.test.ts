import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { createOpenTelemetryTracer } from '../../src/kit/open-telemetry.ts';
import { withSpan } from '../../src/kit/tracer.ts';
import { isLongRun } from '../setup/counts.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { seedDueNotifications, seedWebhook } from '../setup/notifications.ts';
import { readSpans, tracedServiceName } from '../setup/otlp.ts';
import { respondWith, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${trace}-b7ad6b7169203331-01`;
const open = (url: string, errors: string[] = []) =>
  createOpenTelemetryTracer({ url, serviceName: tracedServiceName, sampledFraction: 1 }, (error) =>
    errors.push(error),
  );

test.runIf(isLongRun)('A tracer reports an unreachable collector', async () => {
  const errors: string[] = [];
  const tracer = open('http://127.0.0.1:9/v1/traces', errors);
  await withSpan(tracer, 'work', {}, async () => 'done');
  await tracer.stop();
  expect(errors.length).toBeGreaterThan(0);
});

test.each([
  'none',
  '',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  `00-${trace}-0000000000000000-01`,
  `ff-${trace}-b7ad6b7169203331-01`,
  `00-${trace.toUpperCase()}-b7ad6b7169203331-01`,
  `${traceparent}\r\nx: y`,
])('A tracer starts a new trace for an invalid traceparent: %j', async (parent) => {
  const tracer = open('http://127.0.0.1:9/v1/traces');
  expect(tracer.startSpan('work', { parent }).traceparent).not.toContain(trace);
});

test('A tracer does not sample a trace that its caller does not sample', async () => {
  const tracer = open('http://127.0.0.1:9/v1/traces');
  const span = tracer.startSpan('work', { parent: `00-${trace}-b7ad6b7169203331-00` });
  expect(span.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
});

test('A tracer sends the headers of the environment, with compression if configured', async () => {
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

test('A tracer records failed work with the name of the error only', async () => {
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
  ['was accepted', respondWith(204), 0],
  ['was rejected', respondWith(500), 2],
  ['ended during a 200 response', interruptResponse, 2],
])('A tracer records the result of a delivery that %s', async (_, handler, code) => {
  await using collector = await startReceiver(respondWith(200));
  await using shop = await startReceiver(handler);
  const service = await setupService(onTestFinished);
  const merchant = await seedMerchant(service);
  await seedWebhook(service, merchant, { url: shop.url });
  await seedDueNotifications(service, merchant, 1);
  const tracer = open(`${collector.url}/v1/traces`);
  await deliverNotifications(service, { clock: systemClock, tracer });
  await tracer.stop();
  const [delivery] = readSpans(collector);
  expect(delivery).toMatchObject({ name: 'deliver CHARGE_COMPLETE', status: { code } });
});

/** Responds with 200 and a part of the body, and closes the connection. */
function interruptResponse(_: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 100 });
  response.write('O', () => response.destroy());
}
