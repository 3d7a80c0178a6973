import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Lexer, Source, TokenKind } from 'graphql';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { checkInvariants } from '../../src/domain/operations/check/check-invariants.ts';
import { createLogger } from '../../src/kit/log.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { type Route, setupFullApp } from '../setup/full-app.ts';
import { fuzz } from '../setup/fuzz.ts';
import { arbitraryDocument } from '../setup/graphql-values.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';
import { signInAs } from '../setup/sign-in.ts';
import { publicOrigin } from '../setup/visitor.ts';
import { headerValues } from './hostile-headers.ts';

const onCleanup = cleanupAfterFile();

/** Documents, headers, addresses and bodies: whatever is asked, it is no fault of ours, and others are served. */

let app: Awaited<ReturnType<typeof setupFullApp>>;
let ids: string[];
let callers: Record<string, string>[];
/** What does not hold before: some of the objects were put there by hand. */
let violations: unknown;
const faults: string[] = [];

beforeAll(async () => {
  const log = createLogger('error', { write: (line) => void faults.push(line) });
  // However busy the machine is: what takes too long is told by the time it works.
  app = await setupFullApp(onCleanup, { log, requestTimeoutMs: 300_000 });
  const nouns = await seedEveryType(app);
  ids = [...Object.values(nouns), 'ch_none', ''];
  const owner = await signInAs('owner', app, app.merchant);
  const operator = await signInAs('operator', app);
  violations = await checkInvariants(app.context.service);
  callers = [
    {},
    { authorization: basicAuth(app.merchant.keys.live) },
    { authorization: basicAuth(app.merchant.keys.sandbox) },
    { cookie: owner.cookie()!, origin: publicOrigin },
    { cookie: operator.cookie()!, origin: publicOrigin },
  ];
});
afterEach(async () => {
  expect(faults.splice(0).slice(0, 3)).toEqual([]);
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
});
afterAll(async () => {
  expect(await checkInvariants(app.context.service)).toEqual(violations);
});

const odd = fc.oneof(
  fc.constantFrom('', ' ', '\0', '\u202e', "'", '"', '\\', '%00', '../', 'x'.repeat(5_000), '1e999', '-0'),
  fc.constantFrom('null', '__proto__', 'constructor', '$', '{', '}', '[', '(', '!', '@', '...', '#', '"""'),
  fc.constantFrom('\ud800', '\uffff'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** Which of the callers; mostly such as are let in. */
const anyCaller = fc.constantFrom(0, 1, 1, 1, 2, 2, 3, 3, 4);

/** The documents of the guide, cut into their words. */
const guide = readFileSync(new URL('../../docs/reference/graphql.md', import.meta.url), 'utf8');
const words = [...guide.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text]) => wordsOf(text!));

function wordsOf(document: string): string[] {
  const lexer = new Lexer(new Source(document));
  const found: string[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
    found.push(document.slice(token.start, token.end));
  return found;
}

type Edit = { at: number; how: 'lose' | 'swap' | 'double' | 'put' | 'end'; word: string };
const anyWord = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words.flat()) },
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
  how: fc.constantFrom('lose', 'swap', 'double', 'put', 'end'),
  word: anyWord,
});

function edited(document: string[], edits: Edit[]): string {
  const copy = [...document];
  for (const { at, how, word } of edits) {
    const place = at % (copy.length + 1);
    if (how === 'lose') copy.splice(place, 1);
    if (how === 'swap') copy.splice(place, 1, word);
    if (how === 'double') copy.splice(place, 0, ...copy.slice(place, place + 8));
    if (how === 'put') copy.splice(place, 0, word);
    if (how === 'end') copy.length = place;
  }
  return copy.join(' ');
}

test('GraphQL documents and their variables', async () => {
  const editsOf = (from: fc.Arbitrary<string[]>) =>
    fc.tuple(from, fc.array(edit, { maxLength: 4 })).map(([one, edits]) => edited(one, edits));
  const made = fc.gen().map((draw) => arbitraryDocument(schema, draw, ids));
  const query = fc.oneof(
    { weight: 5, arbitrary: editsOf(fc.constantFrom(...words)) },
    { weight: 2, arbitrary: made },
    { weight: 2, arbitrary: editsOf(made.map(wordsOf)) },
    { weight: 1, arbitrary: fc.array(anyWord, { maxLength: 30 }).map((all) => all.join(' ')) },
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
  const seen = { data: 0, refused: 0 };
  await fuzz(
    cases,
    async ({ body, isGet, caller }) => {
      // No stream of events, which would have no end to wait for.
      const headers = { ...callers[caller], accept: 'application/graphql-response+json' };
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(body))
        if (value !== undefined)
          search.set(name, (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed());
      const answer = await (isGet
        ? app.app.inject({ url: `/graphql?${search}`.slice(0, 12_000), headers })
        : app.app.inject({
            ...{ method: 'POST', url: '/graphql', payload: JSON.stringify(body) },
            headers: { ...headers, 'content-type': 'application/json' },
          }));
      expect([200, 400, 401, 403, 405, 406, 413, 422]).toContain(answer.statusCode);
      if (answer.statusCode === 406) return;
      const { data, errors = [] } = answer.json();
      const codes = errors.map(({ extensions }: { extensions?: { code?: string } }) => extensions?.code);
      expect(codes.filter((code: string) => code === 'internal_error' || code === 'unavailable')).toEqual([]);
      expect(data !== undefined || codes.length > 0).toBe(true);
      seen[data ? 'data' : 'refused'] += 1;
    },
    { short: 300 },
  );
  expect(seen.data).toBeGreaterThan(count(10, 300));
  expect(seen.refused).toBeGreaterThan(count(100, 1_000));
}, 3_600_000);

const plain = fc.string({ unit: fc.constantFrom(...'abc019 -_=;,:"\'/<>%\\\u00e9\u00ff\t'), maxLength: 40 });
const headers = fc
  .array(
    fc
      .constantFrom(...Object.keys(headerValues))
      .chain((name) => fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...headerValues[name]!), plain))),
    { maxLength: 6 },
  )
  .map((all) => Object.fromEntries(all));
const queryNames = [
  ...['lang', 'page', 'limit', 'mode', 'query', 'charge', 'sessionId', 'apiKey', 'amount', 'currency'],
  ...['link', 'token', 'locale', 'startDate', 'customerEmail', 'x', 'a[b]', '__proto__'],
];
const bodies = [
  ...['{', '[]', '""', '{"__proto__":1}', '{"constructor":{"prototype":1}}', '\u00ff', 'a=b&a=c'],
  ...['do=claim', 'do=pay&email=%00', 'null', '0', `${'['.repeat(50_000)}`, `{"a":${'{"a":'.repeat(20_000)}`],
];

test('headers, addresses and bodies of every route', async () => {
  // Those that wait, or go on for ever.
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
    async ({ caller, ...one }) => {
      const { method, url }: Route = one.route;
      const param = one.param.startsWith('%') ? one.param : encodeURIComponent(one.param.toWellFormed());
      const path = url.replace(/:\w+|\*/g, () => param);
      const search = new URLSearchParams(
        Object.entries(one.query).map(([name, text]) => [name, text.toWellFormed()]),
      );
      const answer = await app.app.inject({
        method: method as 'POST',
        url: `${path}?${search}`,
        headers: { ...callers[caller], ...one.headers },
        ...(one.body !== undefined && method !== 'GET' && { payload: one.body.toWellFormed() }),
      });
      const { statusCode: status } = answer;
      expect(status, `${method} ${path}: ${answer.body.slice(0, 200)}`).toBeLessThan(500);
      statuses.add(status);
    },
    { short: 500 },
  );
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
}, 3_600_000);
