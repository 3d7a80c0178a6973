import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { stopListening } from '../../src/http/drain-connections.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { createHub } from '../../src/live/hub.ts';
import { setupApp } from '../setup/app.ts';

describe('Health and readiness', () => {
  test('return 200 with the database; readiness returns 503 without it', async () => {
    const { app, context } = await setupApp(onTestFinished);
    expect((await app.inject('/healthz')).json()).toEqual({ ok: true });
    expect((await app.inject('/readyz')).json()).toEqual({ ok: true });
    const { pool } = context.service;
    const query = pool.query;
    pool.query = (() => Promise.reject(new Error('connection refused'))) as unknown as typeof pool.query;
    const response = await app.inject('/readyz');
    expect([response.statusCode, response.json()]).toEqual([503, { ok: false }]);
    pool.query = query;
  });

  test('readiness returns 503 with an older schema, and 200 with a newer one', async () => {
    const { app, context } = await setupApp(onTestFinished);
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

  test('readiness returns 503 while the database is read-only', async () => {
    const { context, connectionString } = await setupApp(onTestFinished);
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

  test('readiness returns 503 before a stop, and every response closes its connection', async () => {
    const { context } = await setupApp(onTestFinished);
    const controller = new AbortController();
    const app = await buildApp({ ...context, hub: createHub(), stopSignal: controller.signal });
    const { promise: isRequested, resolve: markRequested } = Promise.withResolvers<void>();
    const { promise: mayRespond, resolve: allowResponse } = Promise.withResolvers<void>();
    app.get('/slow', async () => {
      markRequested();
      await mayRespond;
      return 'done';
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 3 });
    const requestPath = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const onAnswer = (response: http.IncomingMessage) => {
          response.resume().on('end', () => resolve(`${response.statusCode} ${response.headers.connection}`));
        };
        http.get(`${url}${path}`, { agent }, onAnswer).on('error', reject);
      });
    // Both requests use persistent connections.
    expect(await Promise.all([requestPath('/readyz'), requestPath('/readyz')])).toEqual([
      '200 keep-alive',
      '200 keep-alive',
    ]);
    const slow = requestPath('/slow');
    await isRequested;
    controller.abort();
    expect(await requestPath('/readyz')).toBe('503 close');
    expect(await requestPath('/healthz')).toBe('200 close');
    allowResponse();
    expect(await slow).toBe('200 close');
    await app.close();
    agent.destroy();
  });

  test('readiness returns 503 while an unknown data key is active', async () => {
    const { app, context } = await setupApp(onTestFinished);
    const { pool } = context.service;
    const status = async () => (await app.inject('/readyz')).statusCode;
    expect(await status()).toBe(200);
    await pool.query("UPDATE data_key SET id = 'another'");
    expect(await status()).toBe(503);
  });
});

describe('stopListening', () => {
  /** A server with a client whose connection is still in the queue of the system. */
  async function startWithQueuedClient() {
    const server = http.createServer((_request, response) => void response.end('answered'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n');
    const response = Array.fromAsync(socket).then(
      (parts) => Buffer.concat(parts).toString(),
      (error: NodeJS.ErrnoException) => error.code,
    );
    // The client connects before these callbacks run.
    await new Promise<void>((resolve) => process.nextTick(() => process.nextTick(resolve)));
    return { server, response };
  }

  test('serves existing connections, and accepts no others', async () => {
    const { server, response } = await startWithQueuedClient();
    const { port } = server.address() as AddressInfo;
    const { ended } = await stopListening(server);
    await expect(once(net.connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    expect(await response).toContain('answered');
    await ended;
  });

  test('prevents the connection reset that close() would cause', async () => {
    const { server, response } = await startWithQueuedClient();
    server.close();
    expect(await response).toBe('ECONNRESET');
  });
});
