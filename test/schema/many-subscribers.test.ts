import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { dropSlowReaders } from '../../schema/server/slow-readers.ts';
import { cancelCharge } from '../../src/domain/charge/cancel-charge.ts';
import { count } from '../setup/counts.ts';
import { authorizationOf, type GraphqlApp, graphqlApp, overSocket, socketClient } from '../setup/graphql.ts';
import { makeCharge } from '../setup/makers.ts';

let app: GraphqlApp;
const now = new Date();

beforeAll(async () => {
  app = await graphqlApp();
});

const follow = 'subscription ($id: ID!) { chargeUpdated(id: $id) { id status } }';
const chargeOf = (email: string) => makeCharge(app.context.service, app.merchant, { input: { email }, now });

test('every one of many subscribers is told, each on a connection of its own', async () => {
  const { id, merchantId, mode } = await chargeOf('many@example.com');
  const streams = Array.from({ length: count(100, 1_000) }, () =>
    overSocket(app.url, app.merchant.keys.live, follow, { id }),
  );
  const first = await Promise.all(streams.map((stream) => stream.next()));
  expect(new Set(first.map(({ data }) => data.chargeUpdated.status))).toEqual(new Set(['pending']));
  await cancelCharge(app.context.service, { merchantId, mode, id, by: 'merchant', actor: 'key:test', now });
  const second = await Promise.all(streams.map((stream) => stream.next()));
  expect(second).toEqual(streams.map(() => ({ data: { chargeUpdated: { id, status: 'cancelled' } } })));
  await Promise.all(streams.map((stream) => stream.end()));
});

test('one connection has at most 100 operations at a time', async () => {
  const { id } = await chargeOf('crowded@example.com');
  const client = socketClient(app.url, authorizationOf(app.merchant.keys.live));
  const streams = Array.from({ length: 100 }, () => client.iterate({ query: follow, variables: { id } }));
  await Promise.all(streams.map((stream) => stream.next()));
  const refused = client.iterate({ query: follow, variables: { id } });
  await expect(refused.next()).rejects.toMatchObject([{ extensions: { code: 'rate_limited' } }]);
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

describe('a reader', () => {
  async function connect(slowMs: number) {
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

  test('that takes nothing is closed with a code that says so', async () => {
    const { sender, reader, closed, end } = await connect(200);
    reader.pause();
    const isClosing = new Promise<void>((resolve) => sender.once('close', () => resolve()));
    sender.send(megabytes(32));
    await expect.poll(() => sender.readyState).toBe(sender.CLOSING);
    // What had been sent before arrives, then why it ends.
    reader.resume();
    expect(await closed).toBe(1013);
    await isClosing;
    end();
  });

  test('that takes what it is sent stays', async () => {
    const { sender, reader, end } = await connect(5_000);
    let received = 0;
    reader.on('message', () => received++);
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => sender.send(megabytes(1), resolve));
    }
    await expect.poll(() => received).toBe(20);
    expect(sender.readyState).toBe(sender.OPEN);
    end();
  });
});
