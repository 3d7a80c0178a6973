import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { defaultTimeouts } from '../../src/http/timeouts.ts';
import { basicAuth } from '../setup/api.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { fileTest } from '../setup/fixtures.ts';
import { createMigratedDataDir } from './data-dir.ts';
import { parsePrintedKeys, runService, type ServiceProcess } from './run-service.ts';

type FloodedService = {
  service: ServiceProcess;
  url: URL;
  authorization: string;
  readTo: number;
};

const test = fileTest
  .extend('flooded', { scope: 'file' }, async ({ onFileCleanup }) => {
    const flooded = {} as FloodedService;
    flooded.readTo = 0;
    flooded.service = runService({ DATA_DIR: await createMigratedDataDir(onFileCleanup) });
    onFileCleanup(async () => void (await flooded.service.end('SIGKILL')));
    flooded.url = new URL((await flooded.service.ready()).url);
    flooded.authorization = basicAuth(parsePrintedKeys(flooded.service.output(), 'sandbox'));
    return flooded;
  })
  .extend('eachTest', { auto: true }, async ({ flooded }, { onCleanup }) => {
    onCleanup(() => {
      const end = flooded.service.logged().lastIndexOf('\n') + 1;
      const lines = flooded.service.logged().slice(flooded.readTo, end).split('\n').filter(Boolean);
      flooded.readTo = end;
      expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    });
  });

const connections = count(100, 1_000);
/** The maximum wait of other callers: far more than they need, and far less than any timeout. */
const patienceMs = 5_000;

type Client = { socket: Socket; got: () => string; isClosed: () => boolean };

/** Opens connections that send `first`, and then `drip` repeatedly. */
function flood(flooded: FloodedService, first: string, drip = ''): Client[] {
  const clients = Array.from({ length: connections }, () => {
    const socket = connect({ port: Number(flooded.url.port), host: flooded.url.hostname });
    let got = '';
    socket.on('data', (bytes) => {
      got = `${got}${bytes}`.slice(0, 2_000);
    });
    socket.on('error', () => {});
    socket.write(first);
    return { socket, got: () => got, isClosed: () => socket.closed };
  });
  const timer = setInterval(() => {
    if (drip) for (const { socket } of clients) if (socket.writable) socket.write(drip);
  }, 200);
  onTestFinished(() => {
    clearInterval(timer);
    for (const { socket } of clients) socket.destroy();
  });
  return clients;
}

/** Sends a request without credentials, a read and a write, and expects responses in time. */
async function expectOthersServed(flooded: FloodedService): Promise<void> {
  const signal = () => AbortSignal.timeout(patienceMs);
  expect((await fetch(`${flooded.url.origin}/readyz`, { signal: signal() })).status).toBe(200);
  const list = await fetch(`${flooded.url.origin}/charges`, {
    headers: { authorization: flooded.authorization },
    signal: signal(),
  });
  expect(list.status).toBe(200);
  const created = await fetch(`${flooded.url.origin}/charges`, {
    method: 'POST',
    headers: { authorization: flooded.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `${Math.random()}@example.com`,
      ...{ merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' },
    }),
    signal: signal(),
  });
  expect(created.status).toBe(201);
}

const host = 'Host: localhost\r\n';
const json = `${host}Content-Type: application/json\r\n`;
const upgrade =
  `GET /graphql HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n';

test.for([
  ['headers that drip', `GET /healthz HTTP/1.1\r\n${host}`, 'X: y\r\n', defaultTimeouts.headersMs],
  [
    'bodies that drip',
    `POST /graphql HTTP/1.1\r\n${json}Content-Length: 100000\r\n\r\n`,
    ' ',
    defaultTimeouts.bodyMs,
  ],
  ['silent connections', '', '', defaultTimeouts.headersMs],
  ['idle connections', `GET /healthz HTTP/1.1\r\n${host}\r\n`, '', defaultTimeouts.keepAliveMs],
  ['WebSockets that never authenticate', upgrade, '', 8_000],
] as const)(
  'Others are served during a flood of %s',
  { timeout: 200_000 },
  async ([_, first, drip, cutMs], { flooded }) => {
    const clients = flood(flooded, first, drip);
    await expectOthersServed(flooded);
    const isCut = () => clients.every(({ isClosed }) => isClosed());
    // The long run waits for the whole timeouts; test/security/connections.test.ts tests those of HTTP with
    // short limits.
    if (!isLongRun) return;
    await expect.poll(isCut, { timeout: cutMs + 20_000, interval: 200 }).toBe(true);
  },
);

test.for([
  [
    'headers without end',
    `GET /healthz HTTP/1.1\r\n${host}${`X: ${'y'.repeat(8_000)}\r\n`.repeat(3)}`,
    '431',
  ],
  ['many headers', `GET /healthz HTTP/1.1\r\n${host}${'X: y\r\n'.repeat(4_000)}`, '431'],
  [
    'bodies too large',
    `POST /graphql HTTP/1.1\r\n${json}Content-Length: 1000000000\r\n\r\n{"query":"`,
    '413|401',
  ],
  ['bytes that are not HTTP', 'EHLO localhost\r\n\r\n', '400'],
] as const)(
  'Others are served during a flood of %s, which are rejected',
  async ([_, first, status], { flooded }) => {
    const clients = flood(flooded, first);
    await expectOthersServed(flooded);
    for (const { got } of clients) await expect.poll(got).toMatch(new RegExp(`^HTTP/1\\.1 (?:${status}) `));
  },
);

test('Others are served during a flood of requests from many connections', async ({ flooded }) => {
  const clients = flood(flooded, `GET /translations HTTP/1.1\r\n${host}\r\n`.repeat(20));
  await expectOthersServed(flooded);
  // The rate limit of the network rejects all but the first requests without a key.
  for (const { got } of clients) await expect.poll(got).toMatch(/^HTTP\/1\.1 4(?:01|29) /);
});
