import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { createRateLimiter } from '../../src/kit/rate-limiter.ts';
import { fingerprint } from '../../src/kit/secrets.ts';
import { createHub } from '../../src/live/hub.ts';
import { callApi } from '../setup/api.ts';
import { testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { makeSms } from '../setup/messages.ts';
import { makeEvent, makeWebhook } from '../setup/notifications.ts';
import { failingFirst, startReceiver } from '../setup/receiver.ts';
import { testAppSecret } from '../setup/service.ts';

test('health and readiness answer yes while the database does, and readiness no when it does not', async () => {
  const { app, context } = await testApp();
  expect((await app.inject('/healthz')).json()).toEqual({ ok: true });
  expect((await app.inject('/readyz')).json()).toEqual({ ok: true });
  const { pool } = context.service;
  const query = pool.query;
  pool.query = (() => Promise.reject(new Error('connection refused'))) as unknown as typeof pool.query;
  const answer = await app.inject('/readyz');
  expect([answer.statusCode, answer.json()]).toEqual([503, { ok: false }]);
  pool.query = query;
});

test('readiness says no while the schema is behind, and yes where another process has brought it further', async () => {
  const { app, context } = await testApp();
  const { pool } = context.service;
  const status = async () => (await app.inject('/readyz')).statusCode;
  const newest = '(SELECT max(migration_name) FROM _prisma_migrations)';
  await pool.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${newest}`);
  expect(await status()).toBe(503);
  await pool.query('UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL');
  expect(await status()).toBe(200);
  await pool.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
    VALUES ('later', '', '29990101000000_later', now())`);
  expect(await status()).toBe(200);
});

test('readiness says no while the database only reads, as a copy of it does', async () => {
  const { context, connectionString } = await testApp();
  const url = new URL(connectionString);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const reading = openDb({ connectionString: url.href, poolSize: 2, onError: console.error });
  const service = { ...context.service, ...reading, announce: context.service.announce };
  const app = await buildApp({ ...context, service, hub: createHub() });
  expect((await app.inject('/readyz')).statusCode).toBe(503);
  await reading.pool.query('SET default_transaction_read_only = off');
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  await app.close();
  await closeDb(reading);
});

test('about to stop: not ready, every answer is given, and the last of its connection', async () => {
  const { context } = await testApp();
  const controller = new AbortController();
  const app = await buildApp({ ...context, hub: createHub(), stopping: controller.signal });
  const { promise: isAsked, resolve: tellAsked } = Promise.withResolvers<void>();
  const { promise: canAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    tellAsked();
    await canAnswer;
    return 'done';
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 3 });
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const onAnswer = (answer: http.IncomingMessage) => {
        answer.resume().on('end', () => resolve(`${answer.statusCode} ${answer.headers.connection}`));
      };
      http.get(`${url}${path}`, { agent }, onAnswer).on('error', reject);
    });
  // Two connections that are kept.
  expect(await Promise.all([ask('/readyz'), ask('/readyz')])).toEqual(['200 keep-alive', '200 keep-alive']);
  const slow = ask('/slow');
  await isAsked;
  controller.abort();
  expect(await ask('/readyz')).toBe('503 close');
  expect(await ask('/healthz')).toBe('200 close');
  letAnswer();
  expect(await slow).toBe('200 close');
  await app.close();
  agent.destroy();
});

test('readiness says no while a secret is in force that the process does not know', async () => {
  const { app, context } = await testApp();
  const { pool } = context.service;
  const status = async () => (await app.inject('/readyz')).statusCode;
  const putInForce = (secret: string) =>
    pool.query('INSERT INTO app_key (fingerprint, in_force_since) VALUES ($1, now())', [fingerprint(secret)]);
  await putInForce(testAppSecret);
  expect(await status()).toBe(200);
  await pool.query('DELETE FROM app_key');
  await putInForce('a secret that only other processes were given');
  expect(await status()).toBe(503);
});

test('metrics tell of messages, of what is switched off, of the connections to the database, and what requests take', async () => {
  const clock = testClock(noon);
  const { app, context } = await testApp({ clock });
  const { service } = context;
  const shop = await makeMerchant(service);
  await makeWebhook(service, shop);
  await service.prisma.webhook.updateMany({ data: { disabledAt: noon } });
  await makeSms(service, { merchantId: shop.merchant.id });
  const failed = await makeSms(service, { merchantId: shop.merchant.id });
  await service.prisma.message.updateMany({ data: { nextAttemptAt: noon } });
  await service.prisma.message.update({
    where: { id: failed! },
    data: { status: 'failed', finishedAt: noon, nextAttemptAt: null, contentSealed: null },
  });
  clock.set(minutesAfter(noon, 3));
  await app.inject('/healthz');
  const held = await Promise.all(Array.from({ length: 10 }, () => service.pool.connect()));
  const waiting = Array.from({ length: 3 }, () => service.pool.query('SELECT 1'));
  const asked = app.inject('/metrics');
  // What comes fourth is what /metrics itself asks.
  await expect.poll(() => service.pool.waitingCount).toBeGreaterThan(3);
  for (const client of held) client.release();
  await Promise.all(waiting);
  const { body } = await asked;
  const value = (name: string) => new RegExp(`^causeway_${name} (.*)$`, 'm').exec(body)?.[1];
  const [connections, waited] = [value('database_connections'), value('database_waiting')];
  expect({
    messages: [value('messages_pending'), value('oldest_due_message_seconds'), value('messages_failed')],
    webhooks: [value('webhooks_failing'), value('webhooks_disabled')],
    database: [value('database_up'), connections, waited],
  }).toEqual({ messages: ['1', '180', '1'], webhooks: ['0', '1'], database: ['1', '10', '3'] });
  const labels = 'route="/healthz",method="GET",status="200"';
  const healthz = (of: string) => value(`http_request_duration_seconds_${of}`);
  expect(healthz(`bucket\\{le="\\+Inf",${labels}\\}`)).toBe('1');
  expect(Number(healthz(`sum\\{${labels}\\}`))).toBeGreaterThan(0);
});

test('every figure is told of where operators read', async () => {
  const { app } = await testApp();
  const { body } = await app.inject('/metrics');
  const names = [...body.matchAll(/^# HELP (causeway_\w+)/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(15);
  const docs = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  expect(names.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

test('metrics go on while the database is away: what the process does is told, the rest is unknown', async () => {
  const { app, context } = await testApp();
  const { pool } = context.service;
  const { query } = pool;
  pool.query = (() =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))) as never;
  await app.inject('/healthz');
  const { statusCode, body } = await app.inject('/metrics');
  pool.query = query;
  expect(statusCode).toBe(200);
  expect(body).toMatch(/^causeway_http_request_duration_seconds_count\{route="\/healthz",.*\} 1$/m);
  expect(body).toMatch(/^causeway_database_up 0$/m);
  expect(body).toMatch(/^causeway_events_unrelayed nan$/im);
  expect((await app.inject('/metrics')).body).toMatch(/^causeway_database_up 1$/m);
});

test('metrics count requests and what waits, for loopback or by token only', async () => {
  const { app } = await testApp();
  await app.inject('/healthz');
  const { body } = await app.inject('/metrics');
  expect(body).toMatch(
    /causeway_http_request_duration_seconds_count\{route="\/healthz",method="GET",status="200"\} 1/,
  );
  expect(body).toContain('causeway_events_unrelayed 0');
  expect(body).toContain('causeway_messages_pending 0');
  const outside = await app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' });
  expect(outside.statusCode).toBe(403);
  const guarded = await testApp({ metricsToken: 'a token of the operator' });
  expect((await guarded.app.inject('/metrics')).statusCode).toBe(401);
  const headers = { authorization: 'Bearer a token of the operator' };
  expect(
    (await guarded.app.inject({ url: '/metrics', headers, remoteAddress: '203.0.113.9' })).statusCode,
  ).toBe(200);
});

test('metrics tell for how long a job has waited for a worker, and nothing where jobs are kept elsewhere', async () => {
  const clock = testClock(noon);
  const { app, connectionString } = await testApp({ clock });
  const lag = async () => /^causeway_job_lag_seconds (.*)$/m.exec((await app.inject('/metrics')).body)?.[1];
  expect(await lag()).toBe('Nan');
  const fail = (error: Error) => {
    throw error;
  };
  const store = await openJobStore({ connectionString, processName: 'test' }, fail);
  expect(await lag()).toBe('0');
  await store.repository.saveJob(
    { name: 'late', priority: 0, type: 'normal', nextRunAt: noon, data: null },
    {},
  );
  clock.set(minutesAfter(noon, 2));
  expect(await lag()).toBe('120');
  await store.close();
});

test('metrics tell what waits to be relayed and delivered, for how long, and how attempts end', async () => {
  const clock = testClock(noon);
  const { app, context } = await testApp({ clock });
  const { service } = context;
  const metrics = async () => {
    const { body } = await app.inject('/metrics');
    const lines = body.split('\n').filter((line) => /^causeway_(?!http)/.test(line));
    return Object.fromEntries(lines.map((line) => line.replace('causeway_', '').split(/ (?=[^ ]+$)/)));
  };
  await using receiver = await startReceiver(failingFirst(1, 503));
  const shop = await makeMerchant(service);
  await makeWebhook(service, shop, { url: receiver.url });
  await makeEvent(service, shop);
  clock.set(minutesAfter(noon, 1));
  expect(await metrics()).toMatchObject({
    events_unrelayed: '1',
    oldest_unrelayed_event_seconds: '60',
    notifications_pending: '0',
    oldest_undelivered_notification_seconds: '0',
  });
  await relayEvents(service, { now: clock.now() });
  clock.set(minutesAfter(noon, 3));
  expect(await metrics()).toMatchObject({
    events_unrelayed: '0',
    oldest_unrelayed_event_seconds: '0',
    notifications_pending: '1',
    notifications_due: '1',
    oldest_undelivered_notification_seconds: '120',
    oldest_due_notification_seconds: '120',
  });
  await deliverNotifications(service, { clock });
  expect(await metrics()).toMatchObject({
    notifications_pending: '1',
    notifications_due: '0',
    oldest_undelivered_notification_seconds: '120',
    oldest_due_notification_seconds: '0',
    webhooks_failing: '1',
    'notification_attempts_last_minute{result="5xx"}': '1',
  });
  clock.set(minutesAfter(noon, 5));
  await deliverNotifications(service, { clock });
  expect(await metrics()).toMatchObject({
    notifications_pending: '0',
    oldest_undelivered_notification_seconds: '0',
    webhooks_failing: '0',
    'notification_attempts_last_minute{result="2xx"}': '1',
    'notification_attempts_last_minute{result="5xx"}': '0',
  });
});

test('a key that asks too often is told when to come back; others are not concerned', async () => {
  const { app, context } = await testApp({ limiter: createRateLimiter(1) });
  const [one, other] = [await makeMerchant(context.service), await makeMerchant(context.service)];
  const get = (keys: typeof one.keys.live) => callApi(app, { method: 'GET', url: '/currencies', keys });
  const answers = [await get(one.keys.live), await get(one.keys.live), await get(one.keys.live)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers[0]?.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
  expect(answers[2]).toMatchObject({ json: { code: 'rate_limited' }, headers: { 'retry-after': '1' } });
  expect((await get(other.keys.live)).status).toBe(200);
});
