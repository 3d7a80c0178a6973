import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { relayEvents } from '../../src/event/relay-events.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { setupApp } from '../setup/app.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { throwError } from '../setup/errors.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { seedSms } from '../setup/messages.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { failFirst, startReceiver } from '../setup/receiver.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { setPublicUrl } from '../setup/service.ts';

test('Metrics report messages, disabled webhooks, database connections and request durations', async () => {
  const clock = createFakeClock(noon);
  const { app, context } = await setupApp(onTestFinished, { clock });
  const { service } = context;
  const shop = await seedMerchant(service);
  await seedWebhook(service, shop);
  await service.prisma.webhook.updateMany({ data: { disabledAt: noon } });
  await seedSms(service, { merchantId: shop.merchant.id });
  const failed = await seedSms(service, { merchantId: shop.merchant.id });
  await service.prisma.message.updateMany({ data: { nextAttemptAt: noon } });
  await service.prisma.message.update({
    where: { id: failed! },
    data: { status: 'failed', finishedAt: noon, nextAttemptAt: null, contentEncrypted: null },
  });
  clock.set(minutesAfter(noon, 3));
  await app.inject('/healthz');
  const held = await Promise.all(Array.from({ length: 10 }, () => service.pool.connect()));
  const waiting = Array.from({ length: 3 }, () => service.pool.query('SELECT 1'));
  const scrape = app.inject('/metrics');
  // The fourth query is that of /metrics.
  await expect.poll(() => service.pool.waitingCount).toBeGreaterThan(3);
  for (const client of held) client.release();
  await Promise.all(waiting);
  const { body } = await scrape;
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

test('Every metric is documented', async () => {
  const { app } = await setupApp(onTestFinished);
  const { body } = await app.inject('/metrics');
  const names = [...body.matchAll(/^# HELP (causeway_\w+)/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(15);
  const docs = await readFile(new URL('../../docs/operations/monitor.md', import.meta.url), 'utf8');
  expect(names.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

test('Metrics of the process are reported without the database, and others are unknown', async () => {
  const { app, context } = await setupApp(onTestFinished);
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

test('Metrics are served to loopback or with the token only', async () => {
  const { app } = await setupApp(onTestFinished);
  expect((await app.inject('/metrics')).statusCode).toBe(200);
  const outside = await app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' });
  expect(outside.statusCode).toBe(403);
  const proxied = await setupApp(onTestFinished);
  setPublicUrl(onTestFinished, proxied.context.service, 'https://pay.example.test');
  expect((await proxied.app.inject('/metrics')).statusCode).toBe(403);
  // A proxy on this machine forwards requests with the public host or a header.
  for (const headers of [{ host: 'pay.example' }, { 'x-forwarded-for': '203.0.113.9' }])
    expect((await app.inject({ url: '/metrics', headers })).statusCode).toBe(403);
  const guarded = await setupApp(onTestFinished, { metricsToken: 'a token of the operator' });
  for (const authorization of ['', 'Bearer a wrong token', 'Bearer a token of the operator.'])
    expect((await guarded.app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(401);
  const headers = { authorization: 'Bearer a token of the operator' };
  expect(
    (await guarded.app.inject({ url: '/metrics', headers, remoteAddress: '203.0.113.9' })).statusCode,
  ).toBe(200);
});

test('Metrics report the lag of jobs, except for another job store', async () => {
  const clock = createFakeClock(noon);
  const { app, context, connectionString } = await setupApp(onTestFinished, { clock });
  const lag = async () => /^causeway_job_lag_seconds (.*)$/m.exec((await app.inject('/metrics')).body)?.[1];
  expect(await lag()).toBe('Nan');
  const store = await openJobStore({ connectionString, processName: 'test' }, throwError);
  expect(await lag()).toBe('0');
  await store.repository.saveJob(
    { name: 'late', priority: 0, type: 'normal', nextRunAt: noon, data: null },
    {},
  );
  clock.set(minutesAfter(noon, 2));
  expect(await lag()).toBe('120');
  await store.close();
  // The table of the job store that was used before remains.
  context.service.settings.hasMongoDb = true;
  expect(await lag()).toBe('Nan');
});

test('Metrics report unrelayed events, pending notifications, their ages, and results of attempts', async () => {
  const clock = createFakeClock(noon);
  const { app, context } = await setupApp(onTestFinished, { clock });
  const { service } = context;
  const metrics = async () => {
    const { body } = await app.inject('/metrics');
    const lines = body.split('\n').filter((line) => /^causeway_(?!http)/.test(line));
    return Object.fromEntries(lines.map((line) => line.replace('causeway_', '').split(/ (?=[^ ]+$)/)));
  };
  await using receiver = await startReceiver(failFirst(1));
  const shop = await seedMerchant(service);
  await seedWebhook(service, shop, { url: receiver.url });
  await seedEvent(service, shop);
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
