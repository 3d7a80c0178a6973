import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Lexer, Source, TokenKind } from 'graphql';
import { afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { checkInvariants } from '../../src/domain/check/check-invariants.ts';
import { basic } from '../setup/api.ts';
import { fuzz } from '../setup/fuzz.ts';
import { signedInAs } from '../setup/sign-in.ts';
import { homeOrigin } from '../setup/visitor.ts';
import { type Route, wholeApp } from '../setup/whole-app.ts';
import { headerValues } from './header-values.ts';

/** Documents, headers and queries: whatever is asked, it is no fault of ours, and others are served. */

let app: Awaited<ReturnType<typeof wholeApp>>;
let authorization: string;
let cookie: string;
let log: MockInstance;

beforeAll(async () => {
  app = await wholeApp();
  authorization = basic(app.merchant.keys.live);
  cookie = (await signedInAs('owner', app, app.merchant)).cookie()!;
});
beforeEach(() => {
  log = vi.spyOn(app.app.log, 'error');
});
afterEach(async () => {
  expect(log.mock.calls.slice(0, 3)).toEqual([]);
  log.mockRestore();
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
});

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\u202e',
    "'",
    '"',
    '\\',
    '%00',
    '../',
    'x'.repeat(5_000),
    '1e999',
    '-0',
    'null',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '$',
    '{',
    '}',
    '[',
    '(',
    '!',
    '@',
    '...',
    '#',
    '"""',
    '\ud800',
    '\uffff',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** The documents of the guide, cut into their words. */
const guide = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8');
const documents = [...guide.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text]) => text!);
const words = documents.map(wordsOf);

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
      'a: __typename '.repeat(60),
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

const document = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...words), fc.array(edit, { maxLength: 4 }))
      .map(([one, edits]) => edited(one, edits)),
  },
  { weight: 1, arbitrary: fc.array(anyWord, { maxLength: 30 }).map((all) => all.join(' ')) },
);
const variables = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(fc.constantFrom('id', 'input', 'first', 'filter', 'after'), fc.oneof(fc.jsonValue(), odd)),
);

test('GraphQL documents and their variables', async () => {
  const cases = fc.record({
    query: document,
    variables,
    operationName: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd }),
    extensions: fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    isGet: fc.boolean(),
    asOwner: fc.boolean(),
  });
  const seen = { data: 0, refused: 0 };
  await fuzz(cases, async ({ isGet, asOwner, ...body }) => {
    const headers = asOwner && !isGet ? { cookie, origin: homeOrigin } : { authorization };
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(body))
      if (value !== undefined)
        search.set(name, (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed());
    // A stream has no end to wait for.
    const answer = await (isGet
      ? app.app.inject({ url: `/graphql?${search}`.slice(0, 12_000), headers })
      : app.app.inject({
          method: 'POST',
          url: '/graphql',
          headers: { ...headers, 'content-type': 'application/json' },
          payload: JSON.stringify(body),
        }));
    expect([200, 400, 401, 404, 405, 413, 422]).toContain(answer.statusCode);
    const { data, errors = [] } = answer.json();
    const codes = errors.map(({ extensions }: { extensions?: { code?: string } }) => extensions?.code);
    expect(codes.filter((code: string) => code === 'internal_error' || code === 'unavailable')).toEqual([]);
    expect(data !== undefined || codes.length > 0).toBe(true);
    seen[data ? 'data' : 'refused'] += 1;
  });
  expect(seen.data).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(100);
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

test('headers and queries of every route', async () => {
  const routes = app.routes.filter(
    ({ url }) => !['/checkout/live', '/jobs/api/events', '/demo'].includes(url),
  );
  const cases = fc.record({
    route: fc.nat(routes.length - 1),
    param: fc.oneof(odd, fc.constantFrom('x', 'ch_x', 'x.y', '%', '%ff')),
    query: fc.dictionary(
      fc.constantFrom(
        'lang',
        'page',
        'limit',
        'mode',
        'query',
        'charge',
        'sessionId',
        'apiKey',
        'amount',
        'x',
        'a[b]',
        '__proto__',
      ),
      odd,
      { maxKeys: 3 },
    ),
    headers,
    body: fc.oneof(
      fc.constant(undefined),
      fc.constantFrom(
        '{',
        '[]',
        '""',
        '{"__proto__":1}',
        '{"constructor":{"prototype":1}}',
        '\u00ff',
        'a=b&a=c',
        `${'['.repeat(50_000)}`,
      ),
      odd,
    ),
    isKnown: fc.boolean(),
  });
  await fuzz(cases, async (one) => {
    const { method, url } = routes[one.route] as Route;
    const param = one.param.startsWith('%') ? one.param : encodeURIComponent(one.param.toWellFormed());
    const path = url.replace(/:\w+|\*/g, () => param);
    const search = new URLSearchParams(
      Object.entries(one.query).map(([name, text]) => [name, text.toWellFormed()]),
    );
    const answer = await app.app.inject({
      method: method as 'POST',
      url: `${path}?${search}`,
      headers: { ...(one.isKnown && { authorization }), ...one.headers },
      ...(one.body !== undefined && method !== 'GET' && { payload: one.body.toWellFormed() }),
    });
    const { statusCode: status } = answer;
    expect(status, `${method} ${path}: ${answer.body.slice(0, 200)}`).toBeLessThan(500);
    expect(answer.headers['x-content-type-options'] ?? 'none').toBe(
      status === 400 && answer.headers['x-content-type-options'] === undefined ? 'none' : 'nosniff',
    );
  });
}, 3_600_000);

test('afterwards the books hold', async () => {
  expect(await checkInvariants(app.context.service)).toEqual([]);
});
