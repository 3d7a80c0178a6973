import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { diag } from '@opentelemetry/api';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createWebhook } from '../../src/domain/webhook/create-webhook.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { openTelemetry } from '../../src/kit/open-telemetry.ts';
import { traced } from '../../src/kit/tracer.ts';
import { basic } from '../setup/api.ts';
import { isLong } from '../setup/counts.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { makeMerchant } from '../setup/makers.ts';
import { makeEvent, makeWebhook } from '../setup/notifications.ts';
import { readOtlp } from '../setup/otlp.ts';
import { answering, type Receiver, startReceiver } from '../setup/receiver.ts';
import { testAppSecret, testService } from '../setup/service.ts';
import { callRest } from './call-rest.ts';
import { projectRoot, runServiceForTest } from './run-service.ts';

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: Record<string, string | number>;
};

/** What a collector has been sent, each request as OTLP says it must be. */
function spansOf(collector: Receiver): Span[] {
  return collector.requests.flatMap((request) =>
    readOtlp(request).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      expect(plain(resource)['service.name']).toBe('causeway of the test');
      const all = scopeSpans.flatMap(({ spans }) => spans);
      for (const { startTimeUnixNano, endTimeUnixNano } of all)
        expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
      return all.map((span) => ({ ...span, attributes: plain(span) }) as Span);
    }),
  );
}

type Tagged = { attributes?: { key: string; value: Record<string, unknown> }[] };
const plain = ({ attributes = [] }: Tagged) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const trace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${trace}-b7ad6b7169203331-01`;

test('with a collector, requests, GraphQL operations, statements, jobs and deliveries are told as spans of their traces', async () => {
  await using collector = await startReceiver(answering(200));
  await using shop = await startReceiver();
  const service = await testService();
  const { merchant, keys } = await makeMerchant(service, {}, new Date());
  await createWebhook(service, {
    merchantId: merchant.id,
    mode: 'live',
    actor: 'test',
    now: new Date(),
    input: { url: `${shop.url}/hooks`, username: 'shop', password: 'told to nobody', version: '1.0' },
  });
  const running = runServiceForTest({
    DATABASE_URL: service.connectionString,
    APP_SECRET: testAppSecret,
    ALLOW_PRIVATE_TARGETS: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: 'causeway of the test',
  });
  const { url } = await running.ready();
  const headers = { authorization: basic(keys.live), 'content-type': 'application/json', traceparent };
  const terms = { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
  const made = await fetch(`${url}/charges`, { method: 'POST', headers, body: JSON.stringify(terms) });
  const { id } = (await made.json()) as { id: string };
  const query = `query HowIsIt { charge(id: "${id}") { id } }`;
  await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  expect((await callRest(url, keys.live, `/charges/${id}`)).status).toBe(200);
  const cancel = { method: 'PATCH', headers: { authorization: basic(keys.live) } };
  expect((await fetch(`${url}/charges/${id}/cancel`, cancel)).status).toBe(200);
  const [delivery] = await shop.waitFor((requests) => requests.some(({ body }) => body.includes('charge_')));
  expect(await running.end('SIGTERM')).toBe(0);

  const spans = spansOf(collector);
  const named = (name: string) => spans.filter((span) => span.name === name);
  const beneath = (span: Span | undefined) =>
    spans.filter(({ parentSpanId }) => span && parentSpanId === span.spanId);
  // The caller's trace goes on.
  const [create] = named('POST /charges');
  expect(create).toMatchObject({ traceId: trace, parentSpanId: 'b7ad6b7169203331', kind: 2 });
  expect(create?.attributes).toMatchObject({ 'http.route': '/charges', 'http.response.status_code': 201 });
  expect(beneath(create).map(({ name }) => name)).toContainEqual(expect.stringMatching(/^\w+ [a-z_]+$/));
  expect(beneath(create).every(({ traceId }) => traceId === trace)).toBe(true);
  const [operation] = named('graphql query HowIsIt');
  expect(operation?.attributes).toMatchObject({ 'causeway.fields': 'charge' });
  expect(operation?.parentSpanId).toBe(named('POST /graphql')[0]?.spanId);
  expect(beneath(operation).length).toBeGreaterThan(0);
  // Without a traceparent: a new one.
  const [get] = named('GET /charges/:id');
  expect(get?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect([get?.traceId === trace, get?.parentSpanId]).toEqual([false, undefined]);
  expect(spans.filter(({ name }) => name.startsWith('job ')).map(({ name }) => name)).toContain(
    'job relay-events',
  );
  // The receiver of a notification may go on with the trace of its delivery.
  const sent = spans.find(({ spanId }) => delivery?.headers.traceparent?.includes(spanId));
  expect(sent).toMatchObject({ name: expect.stringMatching(/^deliver /), kind: 3 });
  expect(delivery?.headers.traceparent).toBe(`00-${sent?.traceId}-${sent?.spanId}-01`);
  expect(sent?.attributes).toMatchObject({ 'http.response.status_code': 200, 'causeway.attempt': 1 });
  // Nothing that anybody gave, nor any secret.
  const told = collector.requests.map(({ body }) => body).join('\n');
  for (const secret of ['ada@example.com', keys.live.apiSecret, 'told to nobody', testAppSecret])
    expect(told).not.toContain(secret);
});

describe('a tracer', () => {
  // The SDK tells its troubles to one place in the process.
  afterEach(() => {
    diag.disable();
    vi.unstubAllEnvs();
  });
  const open = (url: string, faults: string[] = []) =>
    openTelemetry({ url, serviceName: 'causeway of the test', sampledShare: 1 }, (fault) =>
      faults.push(fault),
    );

  test.runIf(isLong)('tells of a collector that is away, and does not wait for it', async () => {
    const faults: string[] = [];
    const tracer = open('http://127.0.0.1:9/v1/traces', faults);
    await traced(tracer, 'work', {}, async () => 'done');
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
  ])('begins a trace anew for what is no traceparent: %j', async (parent) => {
    const tracer = open('http://127.0.0.1:9/v1/traces');
    expect(tracer.begin('work', { parent }).traceparent).not.toContain(trace);
  });

  test('records nothing of a trace that its caller does not sample', async () => {
    const tracer = open('http://127.0.0.1:9/v1/traces');
    const span = tracer.begin('work', { parent: `00-${trace}-b7ad6b7169203331-00` });
    expect(span.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  });

  test('sends what the environment says to send with it, compressed where that is asked for', async () => {
    await using collector = await startReceiver(answering(200));
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=teas,authorization=Bearer%20of-the-collector');
    vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip');
    const tracer = open(`${collector.url}/v1/traces`);
    await traced(tracer, 'work', {}, async () => 'done');
    await tracer.stop();
    expect(spansOf(collector)).toMatchObject([{ name: 'work' }]);
    expect(collector.requests[0]?.headers).toMatchObject({
      ...{ 'x-tenant': 'teas', authorization: 'Bearer of-the-collector', 'content-encoding': 'gzip' },
    });
  });

  test('tells that work has failed, by the name of the error alone', async () => {
    await using collector = await startReceiver(answering(200));
    const tracer = open(`${collector.url}/v1/traces`);
    const failing = traced(tracer, 'work', {}, async () => {
      throw new TypeError('ada@example.com is no number');
    });
    await expect(failing).rejects.toThrow(TypeError);
    await tracer.stop();
    expect(spansOf(collector)).toMatchObject([{ name: 'work', status: { code: 2, message: 'TypeError' } }]);
    expect(collector.requests[0]?.body).not.toContain('ada@');
  });

  test.each([
    ['was taken', answering(204), 0],
    ['was refused', answering(500), 2],
    ['was answered by a 200 that broke off', brokenOff, 2],
  ])('tells whether a delivery that %s has failed', async (_, handler, code) => {
    await using collector = await startReceiver(answering(200));
    await using shop = await startReceiver(handler);
    const service = await testService();
    const merchant = await makeMerchant(service);
    await makeWebhook(service, merchant, { url: shop.url });
    await makeEvent(service, merchant);
    await relayEvents(service, { now: new Date() });
    const tracer = open(`${collector.url}/v1/traces`);
    await deliverNotifications(service, { clock: systemClock, tracer });
    await tracer.stop();
    const [delivery] = spansOf(collector);
    expect(delivery).toMatchObject({ name: 'deliver CHARGE_COMPLETE', status: { code } });
  });
});

/** Answers 200, begins the body and cuts the connection. */
function brokenOff(_: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 100 });
  response.write('O', () => response.destroy());
}

test('without a collector, no line of OpenTelemetry is loaded: one file has it, which is imported when asked for', () => {
  const files = ['src', 'schema'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const holding = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(projectRoot, file), 'utf8')));
  expect(holding(/from '@opentelemetry\//)).toEqual(['src/kit/open-telemetry.ts']);
  expect(holding(/from '.*open-telemetry\.ts'/)).toEqual([]);
  expect(holding(/await import\('.*open-telemetry\.ts'\)/)).toEqual(['src/start-service.ts']);
});
