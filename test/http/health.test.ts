import http from 'node:http';
import { expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { createHub } from '../../src/live/hub.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';

const onCleanup = cleanupAfterFile();

test('health and readiness answer yes while the database does, and readiness no when it does not', async () => {
  const { app, context } = await setupApp(onCleanup);
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
  const { app, context } = await setupApp(onCleanup);
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
  const { context, connectionString } = await setupApp(onCleanup);
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
  const { context } = await setupApp(onCleanup);
  const controller = new AbortController();
  const app = await buildApp({ ...context, hub: createHub(), stopSignal: controller.signal });
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

test('readiness says no while another data key is in use than those the process knows', async () => {
  const { app, context } = await setupApp(onCleanup);
  const { pool } = context.service;
  const status = async () => (await app.inject('/readyz')).statusCode;
  expect(await status()).toBe(200);
  await pool.query("UPDATE data_key SET id = 'another'");
  expect(await status()).toBe(503);
});
