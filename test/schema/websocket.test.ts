import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { dropSlowReaders } from '../../schema/server/drop-slow-readers.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { basicAuth } from '../setup/api.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import { count } from '../setup/counts.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  subscribeOverWebSocket,
  toAuthorization,
} from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

describe('a WebSocket', () => {
  const test = graphqlTest;

  const pings = 200;

  const sandbox = (app: GraphqlApp) => app.merchant.keys.sandbox;

  const readCloseCode = async (app: GraphqlApp, params: Record<string, unknown>) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: params }));
    const [code] = await once(socket, 'close');
    return code;
  };

  test('without valid credentials is closed with 4401', async ({ app }) => {
    expect(await readCloseCode(app, {})).toBe(4401);
    expect(await readCloseCode(app, { authorization: 'Basic bm86Ym9keQ==' })).toBe(4401);
    expect(await readCloseCode(app, { authorization: 'Bearer ch_1.x' })).toBe(4401);
    expect(await readCloseCode(app, { authorization: 5 })).toBe(4401);
  });

  test('is closed with 1013, after which clients retry, if the credentials cannot be checked', async ({
    app,
  }) => {
    const { pool } = app.context.service;
    const { authorization } = toAuthorization(app.otherMerchant.keys.live);
    await pool.query('ALTER TABLE api_key RENAME TO api_key_away');
    const code = await readCloseCode(app, { authorization });
    await pool.query('ALTER TABLE api_key_away RENAME TO api_key');
    expect(code).toBe(1013);
  });

  test('executes queries too', async ({ app }) => {
    const client = createWebSocketClient(onTestFinished, app.url, { authorization: `Bearer x` });
    await expect(client.iterate({ query: '{ me { id } }' }).next()).rejects.toMatchObject({ code: 4401 });
    const stream = subscribeOverWebSocket(onTestFinished, app.url, sandbox(app), '{ me { mode } }');
    expect(await stream.next()).toEqual({ data: { me: { mode: 'sandbox' } } });
    expect(await stream.next()).toBe('the end');
    await stream.close();
  });

  test.for(['{ nope }', '{ me {'])('reports the error of %s', async (query, { app }) => {
    const stream = subscribeOverWebSocket(onTestFinished, app.url, sandbox(app), query);
    await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    await stream.close();
  });

  test.for(['next', 'error', 'connection_ack'])(
    'that sends the server message %s is closed with 4400',
    async (type, { app }) => {
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      await once(socket, 'open');
      socket.send(JSON.stringify({ id: '1', type, payload: {} }));
      expect((await once(socket, 'close'))[0]).toBe(4400);
    },
  );

  test.for([
    [256 * 1024, 4401],
    [256 * 1024 + 1, 1009],
  ] as const)('whose message has %i bytes is closed with %i', async ([bytes, code], { app }) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    // The message has no credentials, so that the code shows whether it was read.
    const params = (fill: string) => JSON.stringify({ type: 'connection_init', payload: { fill } });
    socket.send(params('x'.repeat(bytes - params('').length)));
    expect((await once(socket, 'close'))[0]).toBe(code);
  });

  test('that sends pings without reading is paused, and receives all pongs when it reads', async ({
    app,
  }) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    const authorization = basicAuth(sandbox(app));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    await once(socket, 'message');
    socket.pause();
    const ping = JSON.stringify({ type: 'ping', payload: { fill: 'x'.repeat(250 * 1024) } });
    for (let i = 0; i < pings; i++) socket.send(ping);
    // The service has had enough time to read them all.
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

  test.for([
    ['text that is not UTF-8', [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], 1007],
    ['reserved bits', [0xff, 0x80, 0, 0, 0, 0], 1002],
    ['a frame of excessive length', [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1009],
  ] as const)('that sends %s is closed, and no error is logged', async ([_what, bytes, code], { app }) => {
    const log = vi.spyOn(console, 'error');
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const [{ socket: raw }] = (await once(socket, 'upgrade')) as [{ socket: Socket }];
    raw.write(Buffer.from(bytes));
    expect((await once(socket, 'close'))[0]).toBe(code);
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  test('cannot be opened on another path', async ({ app }) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql/x`, 'graphql-transport-ws');
    const [error] = await once(socket, 'error');
    expect(error.message).toContain('404');
  });
});

describe('Upgrade requests', () => {
  const test = graphqlTest;

  async function open(app: GraphqlApp, request: string): Promise<Socket> {
    const socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${request}\r\n\r\n`);
    return socket;
  }

  const toRequest = (path: string, headers: string) =>
    `GET ${path} HTTP/1.1\r\nHost: pay.example.com\r\n${headers}`;

  const webSocket = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ].join('\r\n');

  describe('an unsupported upgrade', () => {
    // curl --http2 and the HTTP client of Java send it with every unencrypted request.
    const http2 = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk';

    test.for([
      ['to HTTP/2', '/healthz', http2, 'HTTP/1.1 200 OK'],
      ['to HTTP/2 of GraphQL', '/graphql?query=%7Bme%7Bid%7D%7D', http2, 'HTTP/1.1 401 Unauthorized'],
      [
        'to a WebSocket elsewhere',
        '/charges',
        `Connection: close\r\n${webSocket}`,
        'HTTP/1.1 401 Unauthorized',
      ],
      ['to a WebSocket nowhere', '//', `Connection: close\r\n${webSocket}`, 'HTTP/1.1 404 Not Found'],
    ] as const)(
      '%s is ignored and the request is answered',
      async ([_what, path, headers, status], { app }) => {
        const response = await text(await open(app, toRequest(path, headers)));
        expect(response.split('\r\n', 1)).toEqual([status]);
      },
    );
  });

  test.for(['/graphql', '/charges', '//'])(
    'a client that disconnects during the upgrade of %s raises no uncaught error',
    async (path, { app }) => {
      const errors: Error[] = [];
      const record = (error: Error) => errors.push(error);
      process.on('uncaughtException', record);
      for (let i = 0; i < 20; i++) {
        const socket = await open(app, toRequest(path, webSocket));
        if (i % 2 === 0) await once(socket, 'data');
        socket.resetAndDestroy();
      }
      expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
      process.off('uncaughtException', record);
      expect(errors).toEqual([]);
    },
  );
});

describe('Slow readers', () => {
  const slowMs = 5_000;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Both ends of a connection that is checked for slow reading. */
  async function connect() {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const sockets = new WebSocketServer({ server: http });
    const stop = dropSlowReaders(sockets, slowMs);
    const accepted = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve));
    const reader = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
    const opened = once(reader, 'open');
    const closed = new Promise<number>((resolve) => reader.once('close', resolve));
    const end = () => {
      stop();
      reader.terminate();
      sockets.close();
      http.close();
    };
    await opened;
    return { sender: await accepted, reader, closed, end };
  }

  const megabytes = (size: number) => Buffer.alloc(size * 1_048_576);

  describe('a reader', () => {
    test('that reads nothing is disconnected with the code 1013', async () => {
      const { sender, reader, closed, end } = await connect();
      reader.pause();
      const isClosing = new Promise<void>((resolve) => sender.once('close', () => resolve()));
      sender.send(megabytes(32));
      const later = async () => {
        await vi.advanceTimersByTimeAsync(slowMs / 5);
        return sender.readyState;
      };
      await expect.poll(later).toBe(sender.CLOSING);
      // The messages that were sent before arrive before the close code.
      reader.resume();
      expect(await closed).toBe(1013);
      await isClosing;
      end();
    });

    test('that reads its messages stays connected', async () => {
      const { sender, reader, end } = await connect();
      let received = 0;
      reader.on('message', () => received++);
      for (let i = 1; i <= 20; i++) {
        sender.send(megabytes(1));
        await vi.advanceTimersByTimeAsync(slowMs / 5);
        await expect.poll(() => received).toBe(i);
        await vi.advanceTimersByTimeAsync(slowMs);
      }
      expect(sender.readyState).toBe(sender.OPEN);
      end();
    });
  });
});

describe('Many subscribers', () => {
  const test = graphqlTest;

  const now = new Date();

  const follow = 'subscription ($id: ID!) { chargeUpdated(id: $id) { id status } }';

  const seedChargeFor = (app: GraphqlApp, email: string) =>
    seedCharge(app.context.service, app.merchant, { input: { email }, now });

  test('each of many subscribers on connections of their own receives the change', async ({ app }) => {
    const { id, merchantId, mode } = await seedChargeFor(app, 'many@example.com');
    const streams = Array.from({ length: count(100, 1_000) }, () =>
      subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.live, follow, { id }),
    );
    const first = await Promise.all(streams.map((stream) => stream.next()));
    expect(new Set(first.map(({ data }) => data.chargeUpdated.status))).toEqual(new Set(['pending']));
    await cancelCharge(app.context.service, { merchantId, mode, id, by: 'merchant', actor: 'key:test', now });
    const second = await Promise.all(streams.map((stream) => stream.next()));
    expect(second).toEqual(streams.map(() => ({ data: { chargeUpdated: { id, status: 'cancelled' } } })));
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test('one connection has at most 100 operations at a time', async ({ app }) => {
    const { id } = await seedChargeFor(app, 'crowded@example.com');
    const client = createWebSocketClient(onTestFinished, app.url, toAuthorization(app.merchant.keys.live));
    const streams = Array.from({ length: 100 }, () => client.iterate({ query: follow, variables: { id } }));
    await Promise.all(streams.map((stream) => stream.next()));
    const rejected = client.iterate({ query: follow, variables: { id } });
    await expect(rejected.next()).rejects.toMatchObject([{ extensions: { code: 'rate_limited' } }]);
    await streams[0]?.return?.();
    await expect
      .poll(() =>
        client
          .iterate({ query: '{ me { name } }' })
          .next()
          .then(
            ({ value }) => value.data,
            () => undefined,
          ),
      )
      .toEqual({ me: { name: 'Harbour Teas' } });
  });
});
