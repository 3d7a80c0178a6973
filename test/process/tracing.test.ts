import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { basicAuth } from '../setup/api.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { readSpans, type Span, tracedServiceName } from '../setup/otlp.ts';
import { respondWith, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService, testAppSecret } from '../setup/service.ts';
import { callRest } from './call-rest.ts';
import { createServiceEnv } from './create-service-env.ts';
import { projectRoot, runServiceForTest } from './run-service.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${trace}-b7ad6b7169203331-01`;

test('A collector receives requests, GraphQL operations, statements, jobs and deliveries as spans of their traces', async () => {
  await using collector = await startReceiver(respondWith(200));
  await using shop = await startReceiver();
  const service = await setupService(onTestFinished);
  const merchant = await seedMerchant(service, {}, new Date());
  const { keys } = merchant;
  const password = 'not in any span';
  await seedWebhook(service, merchant, { url: `${shop.url}/hooks`, password, notificationVersion: '1.0' });
  const running = runServiceForTest(onTestFinished, {
    ...createServiceEnv(service.connectionString),
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: tracedServiceName,
  });
  const { url } = await running.ready();
  const headers = { authorization: basicAuth(keys.live), 'content-type': 'application/json', traceparent };
  const terms = { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
  const created = await fetch(`${url}/charges`, { method: 'POST', headers, body: JSON.stringify(terms) });
  const { id } = (await created.json()) as { id: string };
  const query = `query HowIsIt { charge(id: "${id}") { id } }`;
  await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  expect((await callRest(url, keys.live, `/charges/${id}`)).status).toBe(200);
  const cancel = { method: 'PATCH', headers: { authorization: basicAuth(keys.live) } };
  expect((await fetch(`${url}/charges/${id}/cancel`, cancel)).status).toBe(200);
  const [delivery] = await shop.waitFor((requests) => requests.some(({ body }) => body.includes('charge_')));
  expect(await running.end('SIGTERM')).toBe(0);

  const spans = readSpans(collector);
  const named = (name: string) => spans.filter((span) => span.name === name);
  const findChildren = (span: Span | undefined) =>
    spans.filter(({ parentSpanId }) => span && parentSpanId === span.spanId);
  // Continues the trace of the caller.
  const [create] = named('POST /charges');
  expect(create).toMatchObject({ traceId: trace, parentSpanId: 'b7ad6b7169203331', kind: 2 });
  expect(create?.attributes).toMatchObject({ 'http.route': '/charges', 'http.response.status_code': 201 });
  expect(findChildren(create).map(({ name }) => name)).toContainEqual(expect.stringMatching(/^\w+ [a-z_]+$/));
  expect(findChildren(create).every(({ traceId }) => traceId === trace)).toBe(true);
  const [operation] = named('graphql query HowIsIt');
  expect(operation?.attributes).toMatchObject({ 'causeway.fields': 'charge' });
  expect(operation?.parentSpanId).toBe(named('POST /graphql')[0]!.spanId);
  expect(findChildren(operation).length).toBeGreaterThan(0);
  // Starts a new trace without a traceparent.
  const [get] = named('GET /charges/:id');
  expect(get?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect([get?.traceId === trace, get?.parentSpanId]).toEqual([false, undefined]);
  expect(spans.filter(({ name }) => name.startsWith('job ')).map(({ name }) => name)).toContain(
    'job relay-events',
  );
  // The receiver of a notification can continue the trace of its delivery.
  const sent = spans.find(({ spanId }) => delivery?.headers.traceparent?.includes(spanId));
  expect(sent).toMatchObject({ name: expect.stringMatching(/^deliver /), kind: 3 });
  expect(delivery?.headers.traceparent).toBe(`00-${sent?.traceId}-${sent?.spanId}-01`);
  expect(sent?.attributes).toMatchObject({ 'http.response.status_code': 200, 'causeway.attempt': 1 });
  // Neither customer data nor secrets.
  const exported = collector.requests.map(({ body }) => body).join('\n');
  for (const secret of ['ada@example.com', keys.live.apiSecret, password, testAppSecret])
    expect(exported).not.toContain(secret);
});

test('OpenTelemetry is imported by one file, which is loaded only with a collector', () => {
  const files = ['src', 'schema'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const findFiles = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(projectRoot, file), 'utf8')));
  expect(findFiles(/from '@opentelemetry\//)).toEqual(['src/kit/open-telemetry.ts']);
  expect(findFiles(/from '.*open-telemetry\.ts'/)).toEqual([]);
  expect(findFiles(/await import\('.*open-telemetry\.ts'\)/)).toEqual(['src/start-service.ts']);
});
