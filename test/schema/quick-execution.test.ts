import fc from 'fast-check';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLObjectType,
  parse,
  validate,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GraphqlContext } from '../../schema/kit/graphql-context.ts';
import { schema } from '../../schema/schema.ts';
import { findDocument, noteDocument } from '../../schema/server/known-operations.ts';
import { answerQuickly, executePlanned } from '../../schema/server/quick-execution.ts';
import { clientToken } from '../../src/domain/checkout/page-tokens.ts';
import { authenticateCaller, type Caller } from '../../src/http/caller.ts';
import { count } from '../setup/counts.ts';
import { anyDocument } from '../setup/documents.ts';
import { everyNoun } from '../setup/every-noun.ts';
import { authorizationOf, type GraphqlApp, graphqlApp } from '../setup/graphql.ts';
import { wholeOf } from '../setup/hostile-input.ts';
import { makeCharge } from '../setup/makers.ts';

/** What is answered quickly is what the plain ways would answer: graphql-js's executor, and the engine over HTTP. */

let app: GraphqlApp;
let ids: string[];
let callers: Caller[];

beforeAll(async () => {
  const start = new Date();
  app = await graphqlApp({ clock: { now: () => start } });
  const nouns = await everyNoun(app);
  const foreign = await makeCharge(app.context.service, app.stranger, { now: start });
  ids = [...Object.values(nouns), foreign.id, 'ch_none', ''];
  const { service } = app.context;
  const page = { token: clientToken(service.secrets, { id: nouns.charge!, mode: 'live' }) };
  const as = (who: Parameters<typeof authorizationOf>[0]) =>
    authenticateCaller(service, { authorization: authorizationOf(who).authorization }, start);
  const key = await as(app.merchant.keys.live);
  if (key.kind !== 'key') throw new Error('a key is a key');
  callers = [
    key,
    { ...key, permissions: new Set(['read']) },
    { ...key, permissions: new Set() },
    await as(page),
  ];
});

/** As a request comes in: what is kept for it is its own. */
function contextOf(caller: Caller): GraphqlContext {
  return { ...app.context, caller, authenticate: async () => caller, requestId: 'req_1', log: app.app.log };
}

/**
 * Errors by where and what they are; which of several comes first is chance. Where one has made an object null, it is
 * chance too whether another of the same object is told beside it (GraphQL, section 6.4.4): those are `beside`.
 */
function plainly({ data, errors = [] }: ExecutionResult) {
  const tell = ({ path, message, locations, originalError }: GraphQLError) =>
    JSON.stringify([path, message, locations, originalError?.constructor.name]);
  const isBeside = ({ path = [] }: GraphQLError) => hasNullAbove(data, path);
  return {
    data: JSON.parse(JSON.stringify(data)),
    errors: errors
      .filter((error) => !isBeside(error))
      .map(tell)
      .sort(),
    beside: errors.filter(isBeside).map(tell),
  };
}

function hasNullAbove(data: unknown, path: readonly (string | number)[]): boolean {
  let value = data;
  for (const key of path) {
    if (value == null) return true;
    value = (value as Record<string | number, unknown>)[key];
  }
  return false;
}

async function expectSame(document: DocumentNode, caller: Caller): Promise<ExecutionResult> {
  const quick = await executePlanned({ schema, document, contextValue: contextOf(caller) });
  const plain = await execute({ schema, document, contextValue: contextOf(caller) });
  const [{ beside: ours, ...told }, { beside: theirs, ...expected }] = [
    plainly(quick as ExecutionResult),
    plainly(plain),
  ];
  expect(told).toEqual(expected);
  expect(ours.some((error) => theirs.includes(error))).toBe(theirs.length > 0);
  return plain;
}

describe('an operation that is executed by its plan', () => {
  test('is answered as graphql-js does, whatever is asked by whom', async () => {
    const seen = { data: 0, errors: 0 };
    await fc.assert(
      fc.asyncProperty(fc.gen(), fc.nat({ max: 3 }), async (draw, who) => {
        const document = parse(anyDocument(schema, draw, ids));
        if (validate(schema, document).length > 0) return;
        const { data, errors } = await expectSame(document, callers[who]!);
        if (data) seen.data++;
        if (errors) seen.errors++;
      }),
      { numRuns: count(150, 5_000) },
    );
    expect([seen.data, seen.errors].every((number) => number > 20)).toBe(true);
  });

  test('tells each field of a charge as it is told beside all others', async () => {
    const read = async (selection: string) => {
      const document = parse(`{ charges(first: 5) { nodes { ${selection} } } }`);
      const result = (await executePlanned({ schema, document, contextValue: contextOf(callers[0]!) }))!;
      return plainly(result).data.charges.nodes as object[];
    };
    const fields = Object.values((schema.getType('Charge') as GraphQLObjectType).getFields());
    for (const { name, type } of fields) {
      const alone = `${name} ${wholeOf(type, 0)}`;
      // What was paid is read with the whole row.
      const whole = (await read(`${alone} paid: amountReceived`)).map((node) => {
        const { paid: _, ...rest } = node as { paid: unknown };
        return rest;
      });
      expect(whole.length).toBeGreaterThan(0);
      expect([name, await read(alone)]).toEqual([name, whole]);
      expect([name, await read(`... on Charge { ${alone} }`)]).toEqual([name, whole]);
    }
  });

  test('that is a mutation carries its fields out in turn, and goes on after one that is refused', async () => {
    const create = (alias: string, amount: string) =>
      `${alias}: createCharge(input: { email: "ada@example.com", merchantAmount: "${amount}", merchantCurrency: "HKD", method: fps }) {
        ... on CreateChargeSuccess { charge { merchantAmount } isDuplicate } ... on Error { code } }`;
    const document = parse(`mutation { ${create('a', '7')} ${create('b', '-1')} ${create('c', '7')} }`);
    const { data } = (await executePlanned({ schema, document, contextValue: contextOf(callers[0]!) }))!;
    expect(data).toEqual({
      a: { charge: { merchantAmount: '7.00' }, isDuplicate: false },
      b: { code: 'invalid_request' },
      c: { charge: { merchantAmount: '7.00' }, isDuplicate: true },
    });
  });

  test.each([
    ['a subscription', 'subscription { chargesUpdated { id } }'],
    ['introspection', '{ __schema { queryType { name } } }'],
    ['what a variable may skip', 'query ($no: Boolean!) { me { id @skip(if: $no) } }'],
    ['a name that no plain object holds', '{ __proto__: me { id } }'],
  ])('has no plan for %s, which the engine executes', (_what, text) => {
    const document = parse(text);
    expect(executePlanned({ schema, document, variableValues: { no: true } })).toBeUndefined();
  });
});

type Sent = {
  query: unknown;
  variables?: unknown;
  operationName?: unknown;
  extensions?: unknown;
  more?: unknown;
};

/** All that an answer says, but for the request's own id. */
async function send(body: Sent, headers: Record<string, string>) {
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorizationOf(app.merchant.keys.live), ...headers },
    body: JSON.stringify(body),
  });
  const text = (await answer.text()).replaceAll(/req_[\w-]+/g, 'req_1');
  const [type, cache] = ['content-type', 'cache-control'].map((name) => answer.headers.get(name));
  return { status: answer.status, type, cache, text };
}

const page =
  'query Page($first: Int) { charges(first: $first) { nodes { id status } totalCount } me { id } }';
const two = 'query A { me { id } } query B { me { name } }';
const requests: [string, Sent][] = [
  ['a page', { query: page, variables: { first: 2 } }],
  ['a name and extensions', { query: page, operationName: 'Page', variables: null, extensions: {} }],
  ['one of two operations', { query: two, operationName: 'B' }],
  ['none of two operations', { query: two }],
  ['an operation that is not there', { query: page, operationName: 'Other' }],
  ['a variable that does not fit', { query: page, variables: { first: 'two' } }],
  ['variables that are none', { query: page, variables: [] }],
  ['a page that is too large', { query: page, variables: { first: 51 } }],
  ['what costs too much', { query: page, variables: { first: 2_000_000 } }],
  ['a member nobody asked for', { query: page, more: 1 }],
  ['an object of nobody', { query: '{ charge(id: "ch_none") { id } refund(id: "") { id } }' }],
];
const accepts = [
  ...['*/*', 'application/json', 'application/graphql-response+json', 'text/html', 'application/*;q=0.5'],
  'application/graphql-response+json;charset=utf-8, application/json;q=0.9, text/event-stream',
  'application/json; charset=utf-16',
];

describe('a request that comes again', () => {
  test.each(requests)('with %s is answered as the first time, in every type', async (_what, body) => {
    for (const accept of accepts) {
      // A document of its own, which is not known yet.
      const fresh = { ...body, query: `${body.query} # ${accept}` };
      const first = await send(fresh, { accept });
      expect(await send(fresh, { accept })).toEqual(first);
    }
  });

  test('is answered past the engine, unless it has a key against repeats', async () => {
    const body = { query: `{ me { id } } # ${Date.now()}` };
    const context = contextOf(callers[0]!);
    expect(await answerQuickly(body, context)).toBeUndefined();
    await send(body, {});
    const { id } = app.merchant.merchant;
    expect(await answerQuickly(body, context)).toMatchObject({
      data: { me: { id } },
      extensions: { cost: {} },
    });
    expect(await answerQuickly(body, { ...context, idempotencyKey: 'once' })).toBeUndefined();
  });

  test('by the name of its operation: one that it has not is none, the empty one too', async () => {
    const body = { query: `query Named { me { id } } # ${Date.now()}` };
    await send(body, {});
    for (const operationName of ['', 'Other'])
      expect(await answerQuickly({ ...body, operationName }, contextOf(callers[0]!))).toBeUndefined();
    expect(await answerQuickly(body, contextOf(callers[0]!))).toBeDefined();
  });
});

describe('of the documents that callers send', () => {
  const note = (text: string) => noteDocument(parse(text));
  const long = (i: number, length = 9_000) => `{ me { id } } # ${i} ${'x'.repeat(length)}`;

  test('the latest are kept, some hundred thousand characters of them', () => {
    const texts = Array.from({ length: 100 }, (_, i) => long(i));
    for (const text of texts) note(text);
    expect(texts.filter(findDocument).length).toBeLessThan(60);
    expect([findDocument(texts[0]!), findDocument(texts.at(-1)!)]).toEqual([undefined, expect.anything()]);
  });

  test('none is kept that is too long, nor one that was refused', async () => {
    note(long(1, 10_000));
    expect(findDocument(long(1, 10_000))).toBeUndefined();
    for (const query of ['{ me { id } } # no such operation', '{ nobody { id } }', '{ me { id'])
      await send({ query, operationName: 'Other' }, {});
    expect(
      ['{ me { id } } # no such operation', '{ nobody { id } }', '{ me { id'].filter(findDocument),
    ).toEqual([]);
  });
});
