import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { defaultTimeouts } from '../../src/http/timeouts.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { madeDataDir } from './data-dir.ts';
import { printedKeys, runService, type ServiceProcess } from './run-service.ts';

const onCleanup = cleanupAfterFile();

/** Floods against the service as it is started: others are served meanwhile. */

const connections = count(100, 1_000);
/** How long others may wait: far more than they do, and far less than any time-out. */
const patienceMs = 5_000;
let service: ServiceProcess;
let url: URL;
let authorization: string;
/** So much of the log is judged. */
let readTo = 0;

beforeAll(async () => {
  service = runService({ DATA_DIR: await madeDataDir(onCleanup) });
  url = new URL((await service.ready()).url);
  authorization = basicAuth(printedKeys(service.said(), 'sandbox'));
});
afterAll(async () => void (await service.end('SIGKILL')));

/** Nothing of a flood is taken for a fault of ours. */
afterEach(() => {
  const end = service.logged().lastIndexOf('\n') + 1;
  const lines = service.logged().slice(readTo, end).split('\n').filter(Boolean);
  readTo = end;
  expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

type Client = { socket: Socket; got: () => string; isClosed: () => boolean };

/** Connections that send something, and then more of it again and again. */
function flood(first: string, drip = ''): Client[] {
  const clients = Array.from({ length: connections }, () => {
    const socket = connect({ port: Number(url.port), host: url.hostname });
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

/** What others do: a request without credentials, a read, and a write. */
async function othersAreServed(): Promise<void> {
  const signal = () => AbortSignal.timeout(patienceMs);
  expect((await fetch(`${url.origin}/readyz`, { signal: signal() })).status).toBe(200);
  const list = await fetch(`${url.origin}/charges`, { headers: { authorization }, signal: signal() });
  expect(list.status).toBe(200);
  const made = await fetch(`${url.origin}/charges`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `${Math.random()}@example.com`,
      ...{ merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' },
    }),
    signal: signal(),
  });
  expect(made.status).toBe(201);
}

const host = 'Host: localhost\r\n';
const json = `${host}Content-Type: application/json\r\n`;
const upgrade =
  `GET /graphql HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n';

test.each([
  ['headers that drip', `GET /healthz HTTP/1.1\r\n${host}`, 'X: y\r\n', defaultTimeouts.headersMs],
  [
    'bodies that drip',
    `POST /graphql HTTP/1.1\r\n${json}Content-Length: 100000\r\n\r\n`,
    ' ',
    defaultTimeouts.bodyMs,
  ],
  ['connections that say nothing', '', '', defaultTimeouts.headersMs],
  ['connections that are kept', `GET /healthz HTTP/1.1\r\n${host}\r\n`, '', defaultTimeouts.keepAliveMs],
  ['WebSockets that never say who they are', upgrade, '', 8_000],
])(
  '%s',
  async (_, first, drip, cutMs) => {
    const clients = flood(first, drip);
    await othersAreServed();
    const isCut = () => clients.every(({ isClosed }) => isClosed());
    // The whole time-outs, in the long run; test/security/time-outs.test.ts has those of HTTP short.
    if (!isLongRun) return;
    await expect.poll(isCut, { timeout: cutMs + 20_000, interval: 200 }).toBe(true);
  },
  200_000,
);

test.each([
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
  ['no HTTP', 'EHLO localhost\r\n\r\n', '400'],
])('%s are refused, and others served', async (_, first, status) => {
  const clients = flood(first);
  await othersAreServed();
  for (const { got } of clients) await expect.poll(got).toMatch(new RegExp(`^HTTP/1\\.1 (?:${status}) `));
});

test('requests as fast as they come, from many connections', async () => {
  const clients = flood(`GET /translations HTTP/1.1\r\n${host}\r\n`.repeat(20));
  await othersAreServed();
  for (const { got } of clients) await expect.poll(got).toMatch(/^HTTP\/1\.1 401 /);
});
