import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

/** Requests that offer to go on in another protocol, as nobody's client library would write them. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

async function open(request: string): Promise<Socket> {
  const socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${request}\r\n\r\n`);
  return socket;
}

const asking = (path: string, headers: string) =>
  `GET ${path} HTTP/1.1\r\nHost: pay.example.com\r\n${headers}`;
const webSocket = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
].join('\r\n');

describe('an offer to upgrade that is not taken', () => {
  // As curl --http2 and the HTTP client of Java make it with every request that is not encrypted.
  const http2 = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk';

  test.each([
    ['to HTTP/2', '/healthz', http2, 'HTTP/1.1 200 OK'],
    ['to HTTP/2 of GraphQL', '/graphql?query=%7Bme%7Bid%7D%7D', http2, 'HTTP/1.1 401 Unauthorized'],
    [
      'to a WebSocket elsewhere',
      '/charges',
      `Connection: close\r\n${webSocket}`,
      'HTTP/1.1 401 Unauthorized',
    ],
    ['to a WebSocket nowhere', '//', `Connection: close\r\n${webSocket}`, 'HTTP/1.1 404 Not Found'],
  ])('%s leaves the request as it is', async (_what, path, headers, status) => {
    const answer = await text(await open(asking(path, headers)));
    expect(answer.split('\r\n', 1)).toEqual([status]);
  });
});

test.each(['/graphql', '/charges', '//'])(
  'the process outlives whoever breaks off while asking %s',
  async (path) => {
    const faults: Error[] = [];
    const note = (error: Error) => faults.push(error);
    process.on('uncaughtException', note);
    for (let i = 0; i < 20; i++) {
      const socket = await open(asking(path, webSocket));
      if (i % 2 === 0) await once(socket, 'data');
      socket.resetAndDestroy();
    }
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    process.off('uncaughtException', note);
    expect(faults).toEqual([]);
  },
);
