import { once } from 'node:events';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  setupGraphqlApp,
  subscribeOverWebSocket,
  toAuthorization,
} from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const pings = 200;
const sandbox = () => app.merchant.keys.sandbox;

describe('a WebSocket', () => {
  const closeOf = async (params: Record<string, unknown>) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: params }));
    const [code] = await once(socket, 'close');
    return code;
  };

  test('without credentials is closed with 4401, with wrong ones with 4403', async () => {
    expect(await closeOf({})).toBe(4401);
    expect(await closeOf({ authorization: 'Basic bm86Ym9keQ==' })).toBe(4403);
    expect(await closeOf({ authorization: 'Bearer ch_1.x' })).toBe(4403);
    expect(await closeOf({ authorization: 5 })).toBe(4401);
  });

  test('whose credentials cannot be looked up is closed with 1013, after which clients try again', async () => {
    const { pool } = app.context.service;
    const { authorization } = toAuthorization(app.otherMerchant.keys.live);
    await pool.query('ALTER TABLE api_key RENAME TO api_key_away');
    const code = await closeOf({ authorization });
    await pool.query('ALTER TABLE api_key_away RENAME TO api_key');
    expect(code).toBe(1013);
  });

  test('answers queries and mutations too', async () => {
    const client = createWebSocketClient(onCleanup, app.url, { authorization: `Bearer x` });
    await expect(client.iterate({ query: '{ me { id } }' }).next()).rejects.toMatchObject({ code: 4403 });
    const stream = subscribeOverWebSocket(onCleanup, app.url, sandbox(), '{ me { mode } }');
    expect(await stream.next()).toEqual({ data: { me: { mode: 'sandbox' } } });
    expect(await stream.next()).toBe('the end');
    await stream.close();
  });

  test.each(['{ nope }', '{ me {'])('tells what is wrong with %s', async (query) => {
    const stream = subscribeOverWebSocket(onCleanup, app.url, sandbox(), query);
    await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    await stream.close();
  });

  test.each(['next', 'error', 'connection_ack'])(
    'that says %s, as only a server does, is closed with 4400',
    async (type) => {
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      await once(socket, 'open');
      socket.send(JSON.stringify({ id: '1', type, payload: {} }));
      expect((await once(socket, 'close'))[0]).toBe(4400);
    },
  );

  test.each([
    [256 * 1024, 4401],
    [256 * 1024 + 1, 1009],
  ])('whose message has %i bytes is closed with %i', async (bytes, code) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    // Well-formed, and without credentials: so the shorter one is read, and the longer one is not.
    const params = (fill: string) => JSON.stringify({ type: 'connection_init', payload: { fill } });
    socket.send(params('x'.repeat(bytes - params('').length)));
    expect((await once(socket, 'close'))[0]).toBe(code);
  });

  test('that pings and does not read is not read either, and is answered in full when it does', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    const authorization = basicAuth(sandbox());
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    await once(socket, 'message');
    socket.pause();
    const ping = JSON.stringify({ type: 'ping', payload: { fill: 'x'.repeat(250 * 1024) } });
    for (let i = 0; i < pings; i++) socket.send(ping);
    // The service has had many turns to read them all.
    for (let i = 0; i < 100; i++) await fetch(`${app.url}/healthz`);
    expect(socket.bufferedAmount).toBeGreaterThan((pings * ping.length) / 2);
    let pongs = 0;
    socket.on('message', (data) => {
      if (JSON.parse(String(data)).type === 'pong') pongs++;
    });
    socket.resume();
    await expect.poll(() => pongs).toBe(pings);
    socket.close();
    await once(socket, 'close');
  });

  test.each([
    ['text that is no UTF-8', [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], 1007],
    ['bits that mean nothing', [0xff, 0x80, 0, 0, 0, 0], 1002],
    ['a frame without end', [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1009],
  ])('that sends %s is closed, and no more is made of it', async (_what, bytes, code) => {
    const log = vi.spyOn(console, 'error');
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const [{ socket: raw }] = (await once(socket, 'upgrade')) as [{ socket: Socket }];
    raw.write(Buffer.from(bytes));
    expect((await once(socket, 'close'))[0]).toBe(code);
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  test('is not opened on another path', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql/x`, 'graphql-transport-ws');
    const [error] = await once(socket, 'error');
    expect(error.message).toContain('404');
  });
});
