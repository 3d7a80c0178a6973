import { type AddressInfo, connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';

const onCleanup = cleanupAfterFile();

/** Finding 12 of the penetration test: every answer carries the security headers, those of no route included. */

let app: TestApp;

const timeouts = { headersMs: 300, bodyMs: 300, fileMs: 600, keepAliveMs: 300, idleMs: 5_000, checkMs: 50 };

beforeAll(async () => {
  app = await setupApp(onCleanup, { timeouts, publicUrl: 'https://pay.example' });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
});

/** Everything the server writes until it closes the connection, or until the first head is whole. */
function exchange(request: string): Promise<string> {
  const { port } = app.app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
  onCleanup(() => void socket.destroy());
  let answer = '';
  return new Promise((resolve) => {
    socket.on('data', (text) => {
      answer += text;
      if (answer.includes('\r\n\r\n')) resolve(answer);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.write(request);
  });
}

const host = 'Host: localhost\r\n';
const upgrade = `${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
const json = `${host}Content-Type: application/json\r\n`;
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const cases: [string, number, string][] = [
  ['bytes that are no HTTP', 400, 'GARBAGE\r\n\r\n'],
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
  ['a WebSocket without a key', 400, `GET /graphql HTTP/1.1\r\n${upgrade}Sec-WebSocket-Version: 13\r\n\r\n`],
  [
    'a WebSocket of another version',
    400,
    `GET /graphql HTTP/1.1\r\n${upgrade}${key}Sec-WebSocket-Version: 7\r\n\r\n`,
  ],
  ['a WebSocket by POST', 400, `POST /graphql HTTP/1.1\r\n${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`],
  [
    'an upgrade to something else',
    200,
    `GET /healthz HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
  ],
  ['an unknown path', 404, `GET /nothing HTTP/1.1\r\n${host}\r\n`],
  ['another method', 405, `PUT /charges HTTP/1.1\r\n${host}\r\n`],
  ['another method at GraphQL', 405, `PUT /graphql HTTP/1.1\r\n${host}\r\n`],
  ['a method that nobody takes', 404, `PROPFIND / HTTP/1.1\r\n${host}\r\n`],
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
  ['a checkout that leads nowhere', 404, `GET /checkout?charge=x HTTP/1.1\r\n${host}\r\n`],
  ['a refund that does not exist', 404, `GET /pay/refund/re_1.x HTTP/1.1\r\n${host}\r\n`],
  ['metrics for a proxy', 403, `GET /metrics HTTP/1.1\r\n${host}Via: 1.1 proxy\r\n\r\n`],
  ['a redirect', 302, `GET / HTTP/1.1\r\n${host}\r\n`],
  ['health', 200, `GET /healthz HTTP/1.1\r\n${host}\r\n`],
  ['health by HEAD', 200, `HEAD /healthz HTTP/1.1\r\n${host}\r\n`],
  ['the reference', 200, `GET /docs/yaml HTTP/1.1\r\n${host}\r\n`],
  ['the SDL', 200, `GET /schema.graphql HTTP/1.1\r\n${host}\r\n`],
];

/** What every answer says, whatever else it says. */
const expected: [string, RegExp][] = [
  ['cache-control', /^(?:no-store|no-cache)$/],
  ['content-security-policy', /^default-src 'none';.*frame-ancestors 'none'/],
  ['x-content-type-options', /^nosniff$/],
  ['x-frame-options', /^DENY$/],
  ['referrer-policy', /^(?:no-referrer|same-origin)$/],
  ['strict-transport-security', /^max-age=31536000$/],
];

test.each(cases)('%s is answered %i with the security headers', async (_name, status, request) => {
  const [head = ''] = (await exchange(request)).split('\r\n\r\n');
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
