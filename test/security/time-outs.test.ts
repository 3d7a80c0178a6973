import { type AddressInfo, connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { basicAuth } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** The time-outs of connections, each made short: who is over it is told so where that can be told, and cut. */

const timeouts = { headersMs: 400, bodyMs: 400, fileMs: 1_600, keepAliveMs: 400, idleMs: 5_000, checkMs: 50 };
const dripMs = 20;

/** All that a client got until its connection was closed, and after how many milliseconds that was. */
type Ended = { got: string; afterMs: number };

let app: TestApp;
let results: Record<string, Promise<Ended>>;

/** A client that goes on sending `drip`, whatever comes back. */
function start(first: string, drip = ''): Promise<Ended> {
  const { port } = app.app.server.address() as AddressInfo;
  const started = performance.now();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: drip !== '' });
  let got = '';
  socket.on('data', (bytes) => {
    got += bytes;
  });
  socket.on('error', () => {});
  socket.write(first);
  const timer = drip ? setInterval(() => socket.writable && socket.write(drip), dripMs) : undefined;
  onCleanup(() => {
    clearInterval(timer);
    socket.destroy();
  });
  return new Promise((resolve) =>
    socket.once('close', () => resolve({ got, afterMs: performance.now() - started })),
  );
}

beforeAll(async () => {
  app = await setupApp(onCleanup, { timeouts });
  const { keys } = await seedMerchant(app.context.service, {}, new Date());
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const head = (line: string, more = 'Content-Length: 10000') =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basicAuth(keys.live)}\r\n` +
    `Content-Type: application/json\r\n${more}\r\n\r\n`;
  const ok = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  results = {
    'headers that drip': start(ok.slice(0, -2), 'X: y\r\n'),
    'a body that drips': start(head('POST /charges'), ' '),
    'a body that does not come': start(head('POST /charges')),
    'a form that drips': start(head('POST /checkout').replace('json', 'x-www-form-urlencoded'), 'a'),
    'GraphQL that drips': start(head('POST /graphql'), ' '),
    'a body in chunks that drip': start(head('POST /charges', 'Transfer-Encoding: chunked'), '1\r\n \r\n'),
    nothing: start(''),
    'one request and no more': start(ok),
    'a body that was refused': start(head('POST /charges').replace('Basic ', 'Basic x'), ' '),
    'a file': start(head('PUT /uploads').replace('json', 'octet-stream'), 'x'),
  };
});

describe('a connection is cut', () => {
  test.each([
    'headers that drip',
    'a body that drips',
    'a body that does not come',
    'a form that drips',
    'GraphQL that drips',
    'a body in chunks that drip',
  ])('for %s, and is told 408', async (name) => {
    const { got } = await results[name]!;
    expect(got).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*"code":"request_timeout"/);
  });

  test('for nothing that ever comes', async () => {
    expect((await results.nothing!).got).toMatch(/^$|^HTTP\/1\.1 408 /);
  });

  test('that is kept between requests', async () => {
    expect((await results['one request and no more']!).got).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('that goes on with a body which was refused', async () => {
    const { got } = await results['a body that was refused']!;
    expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });

  test('for a file later than for a body, and the file leaves nothing', async () => {
    const { got, afterMs } = await results['a file']!;
    expect(afterMs).toBeGreaterThan(timeouts.fileMs);
    expect(got).toMatch(/^HTTP\/1\.1 408 /);
    await expect.poll(() => app.context.service.prisma.upload.count()).toBe(0);
  });
});
