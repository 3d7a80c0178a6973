import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { Lexer, Source, TokenKind } from 'graphql';
import type { Logger } from 'pino';
import { describe, expect } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import { createLogger } from '../../src/kit/log.ts';
import { basicAuth } from '../setup/api.ts';
import { count } from '../setup/counts.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type Route, setupFullApp } from '../setup/full-app.ts';
import { fuzz, mutateBytes } from '../setup/fuzz.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { arbitraryDocument } from '../setup/graphql-values.ts';
import { seedOneOfEachType } from '../setup/seed-one-of-each-type.ts';
import { signInAs } from '../setup/sign-in.ts';
import { publicOrigin } from '../setup/visitor.ts';

type Faults = { lines: string[]; log: Logger };

/** Collects errors that the service logs. */
const faultTest = fileTest.extend('faults', { scope: 'file' }, (): Faults => {
  const lines: string[] = [];
  return { lines, log: createLogger('error', { write: (line) => void lines.push(line) }) };
});

async function expectHealthy({ url }: GraphqlApp, { lines }: Faults): Promise<void> {
  expect(lines.splice(0).slice(0, 3)).toEqual([]);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
}

/** Headers that the service reads, each with unexpected values. */
const headerValues: Record<string, string[]> = {
  accept: [
    'text/html',
    '*/*',
    'text/event-stream',
    'application/graphql-response+json',
    ',;q=',
    'a/b;q=-1',
    `${'text/html,'.repeat(500)}`,
  ],
  'accept-encoding': ['br;q=0, gzip', 'identity;q=0', '*', ',,,,', 'gzip;q=1e9', 'br;q='.repeat(500)],
  'accept-language': [
    'th',
    'zh-Hant-HK',
    'en-US,en;q=0.5',
    '*;q=x',
    'aaa-bbbb-cc',
    '-',
    'x-'.repeat(1_000),
    'en;q=NaN,th;q=Infinity',
  ],
  authorization: [
    'Basic',
    'Basic !',
    'Basic Og==',
    'Bearer',
    'Bearer ch_x.y',
    'Digest a="b"',
    `Basic ${'A'.repeat(8_000)}`,
    'Basic AAA=',
  ],
  'content-type': [
    'application/json; charset=utf-7',
    'text/plain',
    'application/json;',
    'multipart/form-data; boundary=',
    'application/x-www-form-urlencoded',
    ';;;',
    'application/json; charset="utf-8',
  ],
  'content-length': ['0', '5', '-1', 'x', '99999999999'],
  cookie: [
    'causeway-session=',
    'causeway-session=a; causeway-session=b',
    `${'a=b; '.repeat(800)}`,
    'causeway_browser=%00',
    'causeway_enrolled=%00.x',
    '=;=;',
    'causeway_made_ch_1=%E0%A4%A',
  ],
  'idempotency-key': ['a', 'x'.repeat(256), ' ', 'é'],
  'causeway-version': ['2026-11', '1999-01', ''],
  'causeway-mode': ['live', 'sandbox', 'both'],
  'causeway-viewer': ['x', ''],
  'cancel-token': ['x', 'x'.repeat(4_000)],
  host: ['elsewhere.example', '[::1', 'a b', '', 'localhost:99999', '../'],
  origin: ['null', 'https://elsewhere.example', publicOrigin, 'x'],
  range: ['bytes=0-0', 'bytes=-', 'bytes=9-1'],
  'if-none-match': ['*', '"x"', 'W/'],
  'if-modified-since': ['yesterday'],
  'if-match': ['*', '"x"', ',,'],
  'if-unmodified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  'if-range': ['"x"', 'x'],
  'sec-fetch-site': ['same-origin', 'cross-site', 'x'],
  forwarded: ['for="[::1]"', 'for=1.2.3.4;host=elsewhere.example'],
  'x-forwarded-for': ['1.2.3.4', 'x, y', ','.repeat(1_000)],
  'x-forwarded-host': ['elsewhere.example'],
  'x-forwarded-proto': ['https', 'javascript'],
  'x-http-method-override': ['DELETE'],
  te: ['trailers'],
  traceparent: ['00-0-0-0', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  'user-agent': ['', 'x'.repeat(4_000), '<script>'],
};

type Callers = Record<string, string>[];

const requestsTest = faultTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup, faults }) =>
    // CPU time is measured, so that a busy machine must not end requests.
    setupFullApp(onFileCleanup, { log: faults.log, requestTimeoutMs: 300_000 }),
  )
  .extend('ids', { scope: 'file' }, async ({ app }) => [
    ...Object.values(await seedOneOfEachType(app)),
    'ch_none',
    '',
  ])
  .extend('callers', { scope: 'file' }, async ({ app, ids: _ids, onFileCleanup }): Promise<Callers> => {
    const owner = await signInAs('owner', app, app.merchant);
    const operator = await signInAs('operator', app);
    // Some seeded objects violate invariants already.
    const violations = await checkInvariants(app.context.service);
    onFileCleanup(async () => expect(await checkInvariants(app.context.service)).toEqual(violations));
    return [
      {},
      { authorization: basicAuth(app.merchant.keys.live) },
      { authorization: basicAuth(app.merchant.keys.sandbox) },
      { cookie: owner.cookie()!, origin: publicOrigin },
      { cookie: operator.cookie()!, origin: publicOrigin },
    ];
  })
  .extend('health', { auto: true }, ({ app, faults }, { onCleanup }) =>
    onCleanup(() => expectHealthy(app, faults)),
  );

describe('Requests', () => {
  const test = requestsTest;

  const odd = fc.oneof(
    fc.constantFrom('', ' ', '\0', '\u202e', "'", '"', '\\', '%00', '../', 'x'.repeat(5_000), '1e999', '-0'),
    fc.constantFrom('null', '__proto__', 'constructor', '$', '{', '}', '[', '(', '!', '@', '...', '#', '"""'),
    fc.constantFrom('\ud800', '\uffff'),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );

  /** Indexes of callers, mostly of those with access. */
  const anyCaller = fc.constantFrom(0, 1, 1, 1, 2, 2, 3, 3, 4);

  /** The tokens of the documents in the guide. */
  const guide = readFileSync(new URL('../../docs/reference/graphql.md', import.meta.url), 'utf8');
  const guideTokens = [...guide.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text]) => toTokens(text!));

  function toTokens(document: string): string[] {
    const lexer = new Lexer(new Source(document));
    const tokens: string[] = [];
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
      tokens.push(document.slice(token.start, token.end));
    return tokens;
  }

  type Edit = { at: number; kind: 'cut' | 'replace' | 'double' | 'insert' | 'end'; token: string };
  const anyToken = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...guideTokens.flat()) },
    { weight: 1, arbitrary: odd },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{'.repeat(100),
        '[['.repeat(40),
        '@skip(if: true)',
        '@include(if: $x)',
        'a: __typename '.repeat(60),
        '__typename '.repeat(100),
        '$x: [ID!]! = 1',
        'fragment F on Query { ...F }',
        '# '.repeat(5_000),
        '"\\u{110000}"',
        '__schema { types { fields { type { fields { type { name } } } } } }',
      ),
    },
  );
  const edit: fc.Arbitrary<Edit> = fc.record({
    at: fc.nat(400),
    kind: fc.constantFrom('cut', 'replace', 'double', 'insert', 'end'),
    token: anyToken,
  });

  function applyEdits(document: string[], edits: Edit[]): string {
    const copy = [...document];
    for (const { at, kind, token } of edits) {
      const place = at % (copy.length + 1);
      if (kind === 'cut') copy.splice(place, 1);
      if (kind === 'replace') copy.splice(place, 1, token);
      if (kind === 'double') copy.splice(place, 0, ...copy.slice(place, place + 8));
      if (kind === 'insert') copy.splice(place, 0, token);
      if (kind === 'end') copy.length = place;
    }
    return copy.join(' ');
  }

  test('with any GraphQL document and variables are executed or rejected', async ({ app, ids, callers }) => {
    const arbitraryEdits = (from: fc.Arbitrary<string[]>) =>
      fc.tuple(from, fc.array(edit, { maxLength: 4 })).map(([tokens, edits]) => applyEdits(tokens, edits));
    const generated = fc.gen().map((draw) => arbitraryDocument(schema, draw, ids));
    const query = fc.oneof(
      { weight: 5, arbitrary: arbitraryEdits(fc.constantFrom(...guideTokens)) },
      { weight: 2, arbitrary: generated },
      { weight: 2, arbitrary: arbitraryEdits(generated.map(toTokens)) },
      { weight: 1, arbitrary: fc.array(anyToken, { maxLength: 30 }).map((all) => all.join(' ')) },
    );
    const named = fc.dictionary(
      fc.constantFrom('id', 'input', 'first', 'filter', 'after', 'x'),
      fc.oneof(fc.jsonValue(), odd, fc.constantFrom(...ids)),
    );
    const seldom = (arbitrary: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
    const cases = fc.record({
      body: fc.record({
        query,
        variables: fc.oneof(
          { weight: 5, arbitrary: fc.constant(undefined) },
          { weight: 2, arbitrary: named },
          { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
        ),
        operationName: seldom(odd),
        extensions: seldom(fc.jsonValue()),
      }),
      isGet: fc.constantFrom(true, false, false, false),
      caller: anyCaller,
    });
    const counts = { data: 0, rejected: 0 };
    await fuzz(
      cases,
      async ({ body, isGet, caller }) => {
        // A stream of events would not end.
        const headers = { ...callers[caller], accept: 'application/graphql-response+json' };
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(body))
          if (value !== undefined)
            search.set(name, (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed());
        const response = await (isGet
          ? app.app.inject({ url: `/graphql?${search}`.slice(0, 12_000), headers })
          : app.app.inject({
              ...{ method: 'POST', url: '/graphql', payload: JSON.stringify(body) },
              headers: { ...headers, 'content-type': 'application/json' },
            }));
        expect([200, 400, 401, 403, 405, 406, 413, 422]).toContain(response.statusCode);
        if (response.statusCode === 406) return;
        const { data, errors = [] } = response.json();
        const codes = errors.map(({ extensions }: { extensions?: { code?: string } }) => extensions?.code);
        expect(codes.filter((code: string) => code === 'internal_error' || code === 'unavailable')).toEqual(
          [],
        );
        expect(data !== undefined || codes.length > 0).toBe(true);
        counts[data ? 'data' : 'rejected'] += 1;
      },
      { short: 300 },
    );
    expect(counts.data).toBeGreaterThan(count(10, 300));
    expect(counts.rejected).toBeGreaterThan(count(100, 1_000));
  }, 3_600_000);

  const plain = fc.string({
    unit: fc.constantFrom(...'abc019 -_=;,:"\'/<>%\\\u00e9\u00ff\t'),
    maxLength: 40,
  });
  const headers = fc
    .array(
      fc
        .constantFrom(...Object.keys(headerValues))
        .chain((name) =>
          fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...headerValues[name]!), plain)),
        ),
      { maxLength: 6 },
    )
    .map((all) => Object.fromEntries(all));
  const queryNames = [
    ...['lang', 'page', 'limit', 'mode', 'query', 'charge', 'sessionId', 'apiKey', 'amount', 'currency'],
    ...['link', 'token', 'locale', 'startDate', 'customerEmail', 'x', 'a[b]', '__proto__'],
  ];
  const bodies = [
    ...['{', '[]', '""', '{"__proto__":1}', '{"constructor":{"prototype":1}}', '\u00ff', 'a=b&a=c'],
    ...[
      'do=claim',
      'do=pay&email=%00',
      'null',
      '0',
      `${'['.repeat(50_000)}`,
      `{"a":${'{"a":'.repeat(20_000)}`,
    ],
  ];

  test('with any headers, query and body are answered without a 5xx by every route', async ({
    app,
    ids,
    callers,
  }) => {
    // Responses that wait, or do not end.
    const waiting = ['/checkout/live', '/jobs/api/events', '/demo'];
    const routes = app.routes.filter(({ url }) => !waiting.includes(url));
    const cases = fc.record({
      route: fc.constantFrom(...routes),
      param: fc.oneof(odd, fc.constantFrom('x', 'ch_x', 'x.y', '%', '%ff', ...ids)),
      query: fc.dictionary(fc.constantFrom(...queryNames), odd, { maxKeys: 3 }),
      headers,
      body: fc.oneof(fc.constant(undefined), fc.constantFrom(...bodies), odd),
      caller: anyCaller,
    });
    const statuses = new Set<number>();
    await fuzz(
      cases,
      async ({ caller, ...request }) => {
        const { method, url }: Route = request.route;
        const param = request.param.startsWith('%')
          ? request.param
          : encodeURIComponent(request.param.toWellFormed());
        const path = url.replace(/:\w+|\*/g, () => param);
        const search = new URLSearchParams(
          Object.entries(request.query).map(([name, text]) => [name, text.toWellFormed()]),
        );
        const response = await app.app.inject({
          method: method as 'POST',
          url: `${path}?${search}`,
          headers: { ...callers[caller], ...request.headers },
          ...(request.body !== undefined && method !== 'GET' && { payload: request.body.toWellFormed() }),
        });
        const { statusCode: status } = response;
        expect(status, `${method} ${path}: ${response.body.slice(0, 200)}`).toBeLessThan(500);
        statuses.add(status);
      },
      { short: 500 },
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
  }, 3_600_000);
});

const bytesTest = faultTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup, faults }) =>
    setupGraphqlApp(onFileCleanup, { log: faults.log }),
  )
  .extend('authorization', { scope: 'file' }, ({ app }) => basicAuth(app.merchant.keys.live))
  .extend('health', { auto: true }, ({ app, faults }, { onCleanup }) =>
    onCleanup(() => expectHealthy(app, faults)),
  );

describe('Bytes', () => {
  const test = bytesTest;

  /**
   * Sends bytes over a new connection, and each of `later` once its `after` was received. Ends the connection after the
   * last, or after a close frame. Returns all that the server sent.
   */
  function exchange(
    app: GraphqlApp,
    bytes: Buffer,
    ...later: { after: string; send: Buffer }[]
  ): Promise<string> {
    const { port } = app.app.server.address() as AddressInfo;
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
      let got = '';
      const sendNext = (send: Buffer) => {
        if (later.length === 0) socket.end(send);
        else socket.write(send);
      };
      socket.on('data', (chunk) => {
        got += chunk;
        if (got.includes(closeFrame)) socket.end();
        else if (later[0] && got.includes(later[0].after)) sendNext(later.shift()!.send);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(got));
      sendNext(bytes);
    });
  }

  /** The first byte of a close frame. */
  const closeFrame = '\u0088';

  test('that are nearly HTTP cause no 5xx', async ({ app, authorization }) => {
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
      mutateBytes(samples, payloads),
      async (bytes) => {
        const statuses = [...(await exchange(app, bytes)).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(
          ([, status]) => Number(status),
        );
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
      },
      { parallel: 20 },
    );
  }, 3_600_000);

  type Frame = {
    fin?: boolean;
    opcode?: number;
    payload: Buffer;
    isMasked?: boolean;
    rsv?: number;
    /** The declared length. */
    claims?: number;
  };

  /** A frame of RFC 6455; by default complete, of text, and masked as a client must. */
  function buildFrame({ fin = true, opcode = 1, payload, isMasked = true, rsv = 0, claims }: Frame): Buffer {
    const size = claims ?? payload.length;
    const long = Buffer.alloc(8);
    long.writeBigUInt64BE(BigInt(size));
    const length = size < 126 ? [size] : size < 65_536 ? [126, ...long.subarray(6)] : [127, ...long];
    length[0]! |= isMasked ? 128 : 0;
    const mask = Buffer.from(isMasked ? [1, 2, 3, 4] : []);
    const body = isMasked ? payload.map((byte, i) => byte ^ mask[i % 4]!) : payload;
    return Buffer.concat([Buffer.from([(fin ? 128 : 0) | rsv | opcode, ...length]), mask, body]);
  }

  test('that are WebSocket frames are answered, or close the connection', async ({ app, authorization }) => {
    const handshake = Buffer.from(
      'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    const init = { type: 'connection_init', payload: { authorization } };
    const toMessage = (query: string) => ({ type: 'subscribe', id: 'a', payload: { query } });
    const messages = [
      init,
      init,
      toMessage('{ me { id } }'),
      toMessage('subscription { chargesUpdated { id } }'),
      { type: 'ping' },
      { type: 'complete', id: 'a' },
      { type: 'next', id: 'a', payload: {} },
      { type: 'subscribe', id: '', payload: {} },
      { type: 'connection_init', payload: { authorization: [1] } },
      { type: {} },
      [],
      null,
    ].map((message) => Buffer.from(JSON.stringify(message)));
    const payload: fc.Arbitrary<Buffer> = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...messages) },
      {
        weight: 2,
        arbitrary: mutateBytes(messages, [
          Buffer.from('\0'),
          Buffer.from('{"__proto__":1}'),
          Buffer.from('[['.repeat(5_000)),
          Buffer.from([0xff, 0xc3, 0x28]),
        ]),
      },
      { weight: 1, arbitrary: fc.constantFrom(Buffer.alloc(300_000, '{'), Buffer.alloc(200_000, '[')) },
    );
    const broken = fc
      .record(
        {
          fin: fc.boolean(),
          opcode: fc.constantFrom(0, 1, 1, 1, 2, 3, 8, 9, 10, 15),
          payload,
          isMasked: fc.boolean(),
          rsv: fc.constantFrom(0, 0, 0, 64, 16),
          claims: fc.constantFrom(1, 125, 5_000_000, 2 ** 31),
        },
        { requiredKeys: ['payload'] },
      )
      .map((options) => buildFrame(options as Frame));
    const validFrame = payload.map((content) => buildFrame({ payload: content }));
    const cases = fc.oneof(
      fc.record({ kind: fc.constant('whole'), frames: fc.array(validFrame, { maxLength: 5 }) }),
      fc.record({
        kind: fc.constantFrom('broken', 'stranger'),
        frames: fc.array(fc.oneof(validFrame, broken), { maxLength: 5 }),
      }),
    );
    const first = Buffer.concat([handshake, buildFrame({ payload: messages[0]! })]);
    const end = Buffer.alloc(0);
    const last = buildFrame({
      payload: Buffer.from(JSON.stringify({ ...toMessage('{ me { id } }'), id: 'last' })),
    });
    // After complete messages, the server answers or closes; otherwise it may send nothing.
    const talk = (kind: string, send: Buffer) => {
      if (kind === 'stranger') return exchange(app, Buffer.concat([handshake, send]));
      if (kind === 'broken') return exchange(app, first, { after: 'connection_ack', send });
      const followed = { after: 'connection_ack', send: Buffer.concat([send, last]) };
      return exchange(app, first, followed, { after: '"id":"last"', send: end });
    };
    let responded = 0;
    await fuzz(
      cases,
      async ({ kind, frames }) => {
        const got = await talk(kind, Buffer.concat(frames));
        expect(got.startsWith('HTTP/1.1 101 ')).toBe(true);
        expect(got).not.toMatch(/internal_error|Internal/);
        if (got.includes('"type":"next"')) responded += 1;
      },
      { parallel: 20, short: 150 },
    );
    expect(responded).toBeGreaterThan(count(5, 300));
  }, 3_600_000);
});
