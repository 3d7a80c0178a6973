import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { basicAuth } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import type { OnCleanup } from '../setup/cleanup.ts';
import { fileTest } from '../setup/fixtures.ts';
import { seedMerchant } from '../setup/seed.ts';

const shortTimeouts = {
  headersMs: 300,
  bodyMs: 300,
  fileMs: 600,
  keepAliveMs: 300,
  idleMs: 5_000,
  checkMs: 50,
};

const securityHeadersTest = fileTest.extend('app', { scope: 'file' }, async ({ onFileCleanup }) => {
  const app = await setupApp(onFileCleanup, { timeouts: shortTimeouts, publicUrl: 'https://pay.example' });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  return app;
});

describe('Security headers', () => {
  const test = securityHeadersTest;

  /** Reads until the server closes the connection, or until the first header is complete. */
  function exchange(app: TestApp, request: string): Promise<string> {
    const { port } = app.app.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
    onTestFinished(() => void socket.destroy());
    let response = '';
    return new Promise((resolve) => {
      socket.on('data', (text) => {
        response += text;
        if (response.includes('\r\n\r\n')) resolve(response);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(response));
      socket.write(request);
    });
  }

  const host = 'Host: localhost\r\n';
  const upgrade = `${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
  const json = `${host}Content-Type: application/json\r\n`;
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

  const cases: [string, number, string][] = [
    ['bytes that are not HTTP', 400, 'GARBAGE\r\n\r\n'],
    [
      'two lengths of one body',
      400,
      `POST /charges HTTP/1.1\r\n${json}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc`,
    ],
    ['headers that are too large', 431, `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['headers that do not end', 408, `GET / HTTP/1.1\r\n${host}`],
    ['a body that does not end', 408, `POST /graphql HTTP/1.1\r\n${json}Content-Length: 9\r\n\r\n{`],
    ['an expectation', 400, `GET /healthz HTTP/1.1\r\n${host}Expect: x\r\n\r\n`],
    ['no Host', 400, 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['no Host at GraphQL', 400, 'GET /graphql HTTP/1.1\r\n\r\n'],
    ['an address that cannot be decoded', 400, `GET /%zz HTTP/1.1\r\n${host}\r\n`],
    ['an address of a page that cannot be decoded', 400, `GET /pay/refund/%zz HTTP/1.1\r\n${host}\r\n`],
    ['a parameter that is too long', 400, `GET /charges/${'x'.repeat(300)} HTTP/1.1\r\n${host}\r\n`],
    [
      'a WebSocket without a key',
      400,
      `GET /graphql HTTP/1.1\r\n${upgrade}Sec-WebSocket-Version: 13\r\n\r\n`,
    ],
    [
      'a WebSocket of another version',
      400,
      `GET /graphql HTTP/1.1\r\n${upgrade}${key}Sec-WebSocket-Version: 7\r\n\r\n`,
    ],
    [
      'a WebSocket by POST',
      400,
      `POST /graphql HTTP/1.1\r\n${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`,
    ],
    [
      'an upgrade to something else',
      200,
      `GET /healthz HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    ],
    ['an unknown path', 404, `GET /nothing HTTP/1.1\r\n${host}\r\n`],
    ['another method', 405, `PUT /charges HTTP/1.1\r\n${host}\r\n`],
    ['another method at GraphQL', 405, `PUT /graphql HTTP/1.1\r\n${host}\r\n`],
    ['a method without routes', 404, `PROPFIND / HTTP/1.1\r\n${host}\r\n`],
    ['OPTIONS of everything', 404, `OPTIONS * HTTP/1.1\r\n${host}\r\n`],
    ['no credentials', 401, `GET /charges HTTP/1.1\r\n${host}\r\n`],
    [
      'no credentials at GraphQL',
      401,
      `POST /graphql HTTP/1.1\r\n${json}Content-Length: 16\r\n\r\n{"query":"{me}"}`,
    ],
    ['a body that is too large', 413, `POST /graphql HTTP/1.1\r\n${json}Content-Length: 999999\r\n\r\n`],
    [
      'a body of another type',
      415,
      `POST /graphql HTTP/1.1\r\n${host}Content-Type: a/b\r\nContent-Length: 1\r\n\r\nx`,
    ],
    ['GraphiQL without gzip', 406, `GET /graphql HTTP/1.1\r\n${host}Accept: text/html\r\n\r\n`],
    ['GraphiQL', 200, `GET /graphql HTTP/1.1\r\n${host}Accept: text/html\r\nAccept-Encoding: gzip\r\n\r\n`],
    ['a checkout that does not exist', 404, `GET /checkout?charge=x HTTP/1.1\r\n${host}\r\n`],
    ['a refund that does not exist', 404, `GET /pay/refund/re_1.x HTTP/1.1\r\n${host}\r\n`],
    ['metrics for a proxy', 403, `GET /metrics HTTP/1.1\r\n${host}Via: 1.1 proxy\r\n\r\n`],
    ['a redirect', 302, `GET / HTTP/1.1\r\n${host}\r\n`],
    ['health', 200, `GET /healthz HTTP/1.1\r\n${host}\r\n`],
    ['health by HEAD', 200, `HEAD /healthz HTTP/1.1\r\n${host}\r\n`],
    ['the reference', 200, `GET /docs/yaml HTTP/1.1\r\n${host}\r\n`],
    ['the SDL', 200, `GET /schema.graphql HTTP/1.1\r\n${host}\r\n`],
  ];

  /** Headers of every response. */
  const expected: [string, RegExp][] = [
    ['cache-control', /^(?:no-store|no-cache)$/],
    ['content-security-policy', /^default-src 'none';.*frame-ancestors 'none'/],
    ['x-content-type-options', /^nosniff$/],
    ['x-frame-options', /^DENY$/],
    ['referrer-policy', /^(?:no-referrer|same-origin)$/],
    ['strict-transport-security', /^max-age=31536000$/],
  ];

  test.for(cases)('are sent for %s, with status %i', async ([_name, status, request], { app }) => {
    const [head = ''] = (await exchange(app, request)).split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    for (const [name, pattern] of expected)
      expect([name, headers.get(name)]).toEqual([name, expect.stringMatching(pattern)]);
  });
});

const timeouts = {
  headersMs: 400,
  bodyMs: 400,
  fileMs: 1_600,
  keepAliveMs: 400,
  idleMs: 5_000,
  checkMs: 50,
};

type Results = Record<string, Promise<Ended>>;

/** A client that keeps sending `drip`, regardless of the response. */
function startClient(onCleanup: OnCleanup, { app }: TestApp, first: string, drip = ''): Promise<Ended> {
  const { port } = app.server.address() as AddressInfo;
  const startMs = performance.now();
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
    socket.once('close', () => resolve({ got, afterMs: performance.now() - startMs })),
  );
}

const timeoutsTest = fileTest
  .extend('app', { scope: 'file' }, async ({ onFileCleanup }) => {
    const app = await setupApp(onFileCleanup, { timeouts });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    return app;
  })
  // All clients start at once, because each waits for a timeout.
  .extend('results', { scope: 'file' }, async ({ app, onFileCleanup }): Promise<Results> => {
    const { keys } = await seedMerchant(app.context.service, {}, new Date());
    const start = (first: string, drip?: string) => startClient(onFileCleanup, app, first, drip);
    const head = (line: string, more = 'Content-Length: 10000') =>
      `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basicAuth(keys.live)}\r\n` +
      `Content-Type: application/json\r\n${more}\r\n\r\n`;
    const ok = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
    return {
      'headers that drip': start(ok.slice(0, -2), 'X: y\r\n'),
      'a body that drips': start(head('POST /charges'), ' '),
      'a body that does not arrive': start(head('POST /charges')),
      'a form that drips': start(head('POST /checkout').replace('json', 'x-www-form-urlencoded'), 'a'),
      'GraphQL that drips': start(head('POST /graphql'), ' '),
      'a body in chunks that drip': start(head('POST /charges', 'Transfer-Encoding: chunked'), '1\r\n \r\n'),
      nothing: start(''),
      'one request and no more': start(ok),
      'a body that was rejected': start(head('POST /charges').replace('Basic ', 'Basic x'), ' '),
      'a file': start(head('PUT /uploads').replace('json', 'octet-stream'), 'x'),
    };
  });

const dripMs = 20;

/** The received text until the connection was closed, and the time in milliseconds. */
type Ended = { got: string; afterMs: number };

describe('Timeouts', () => {
  const test = timeoutsTest;

  describe('close a connection', () => {
    test.for([
      'headers that drip',
      'a body that drips',
      'a body that does not arrive',
      'a form that drips',
      'GraphQL that drips',
      'a body in chunks that drip',
    ])('with 408 for %s', async (name, { results }) => {
      const { got } = await results[name]!;
      expect(got).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*"code":"request_timeout"/);
    });

    test('that sends nothing', async ({ results }) => {
      expect((await results.nothing!).got).toMatch(/^$|^HTTP\/1\.1 408 /);
    });

    test('that is idle between requests', async ({ results }) => {
      expect((await results['one request and no more']!).got).toMatch(/^HTTP\/1\.1 200 OK/);
    });

    test('that continues to send a rejected body', async ({ results }) => {
      const { got } = await results['a body that was rejected']!;
      expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
    });

    test('that sends a file, later than for a body, and store nothing of it', async ({ app, results }) => {
      const { got, afterMs } = await results['a file']!;
      expect(afterMs).toBeGreaterThan(timeouts.fileMs);
      expect(got).toMatch(/^HTTP\/1\.1 408 /);
      await expect.poll(() => app.context.service.prisma.upload.count()).toBe(0);
    });
  });
});
