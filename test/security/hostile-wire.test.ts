import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { basic } from '../setup/api.ts';
import { fuzz, mutated } from '../setup/fuzz.ts';
import { type GraphqlApp, graphqlApp } from '../setup/graphql.ts';

/** Bytes as they come over the wire: whatever comes, it is no fault of ours, and others are served. */

let app: GraphqlApp;
let authorization: string;
let log: MockInstance;

beforeAll(async () => {
  app = await graphqlApp();
  authorization = basic(app.merchant.keys.live);
});
beforeEach(() => {
  log = vi.spyOn(app.app.log, 'error');
});
afterEach(async () => {
  expect(log.mock.calls.slice(0, 3)).toEqual([]);
  log.mockRestore();
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
});

/** Sends bytes over a connection of its own, ends it, and gives all that comes back until the server ends it too. */
function exchange(bytes: Buffer): Promise<string> {
  const { port } = app.app.server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.end(bytes);
  });
}

test('bytes that are nearly HTTP', async () => {
  const head = `Host: localhost\r\nAuthorization: ${authorization}\r\nConnection: close\r\n`;
  const body = '{"email":"a@example.com","merchantAmount":5,"merchantCurrency":"HKD","method":"fps"}';
  const json = `${head}Content-Type: application/json\r\n`;
  const samples = [
    `GET /charges?limit=2 HTTP/1.1\r\n${head}\r\n`,
    `POST /charges HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`,
    `POST /charges HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `POST /graphql HTTP/1.1\r\n${json}Content-Length: 21\r\n\r\n{"query":"{me{id}}"}  `,
    `GET /checkout?lang=th HTTP/1.1\r\n${head}Accept-Language: th\r\n\r\n`,
    `PUT /uploads?fileName=x HTTP/1.1\r\n${head}Content-Length: 3\r\n\r\nabc`,
  ].map((text) => Buffer.from(text));
  const payloads = [
    '\r\n',
    '\n',
    '\0',
    'Content-Length: 1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: x\r\n',
    'Upgrade: h2c\r\n',
    'HTTP/2.0',
    'GET http://elsewhere.example/ HTTP/1.1\r\n',
    '//elsewhere.example',
    '%',
    '\t',
    ': ',
    'X: y\r\n'.repeat(200),
    'x'.repeat(20_000),
  ].map((text) => Buffer.from(text));
  await fuzz(
    mutated(samples, payloads),
    async (bytes) => {
      const statuses = [...(await exchange(bytes)).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
        Number(status),
      );
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
    },
    { parallel: 20 },
  );
}, 3_600_000);
