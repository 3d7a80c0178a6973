import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  GraphQLError,
  type GraphQLInputType,
  getOperationAST,
  Kind,
  parse,
  parseValue,
  print,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { checkCost, checkDocument, checkVariables, limits } from '../../schema/server/limits.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import {
  type GraphqlApp,
  setupGraphqlApp,
  subscribeOverSse,
  subscribeOverWebSocket,
  toAuthorization,
} from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

/** Sends a body as it is, and answers all that comes back. */
async function send(body: string, accept = 'application/graphql-response+json') {
  const answer = await fetch(`${app.url}/graphql`, { method: 'POST', headers: headers(accept), body });
  return { status: answer.status, ...JSON.parse(await answer.text()) };
}

const headers = (accept: string) => ({
  ...toAuthorization(app.merchant.keys.live),
  'content-type': 'application/json',
  accept,
});
const ask = (query: string, variables = {}) => send(JSON.stringify({ query, variables }));
const costOf = async (query: string, variables = {}) => (await ask(query, variables)).extensions?.cost;

const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

/** An operation that is so many fields deep: a charge of a session of a charge … with its id at the end. */
const deep = (depth: number, root = 'query { charge') =>
  `${root}(id: "ch_1") ${times(depth - 2, (i) => `{ ${i % 2 === 0 ? 'session' : 'charge'}`)} { id } ${'}'.repeat(depth - 1)}`;

const tooLarge: [string, string, string][] = [
  ['too deep', deep(13), '13 fields deep; the limit is 12'],
  [
    'too costly',
    '{ charges(first: 50) { nodes { refunds { charge { refunds { charge { refunds { charge { refunds { id } } } } } } } } } }',
    'the limit is 10000',
  ],
  ['of too many aliases', `{ ${times(51, (i) => `a${i}: me { id }`)} }`, 'at most 50 aliases'],
  ['of too many directives', `{ ${times(51, () => 'me @skip(if: true) { id }')} }`, 'at most 50 directives'],
  ['of too many tokens', `{ ${times(3_000, () => '__typename')} }`, 'at most 3000 tokens'],
  [
    'of brackets without end',
    `{ charges(filter: ${'{a:'.repeat(900)}`,
    'at most 64 brackets within brackets',
  ],
];

describe('an operation that is', () => {
  test.each(tooLarge)('%s is refused before it runs', async (_what, query, message) => {
    const { status, errors, data } = await ask(query);
    expect([status, data]).toEqual([400, undefined]);
    expect(errors).toEqual([
      {
        message: expect.stringContaining(message),
        extensions: { code: 'invalid_request', requestId: expect.any(String) },
      },
    ]);
  });

  test('at the limit runs', async () => {
    expect((await ask(deep(12))).data).toEqual({ charge: null });
    expect((await ask(`{ ${times(50, (i) => `a${i}: me { id }`)} }`)).errors).toBeUndefined();
  });

  test('a mutation over the limit changes nothing', async () => {
    const charge = await seedCharge(app.context.service, app.merchant, { now: new Date() });
    const tail = deep(12, 'charge').replace('charge(id: "ch_1")', 'charge');
    const { errors } = await ask(
      `mutation { cancelCharge(input: { id: "${charge.id}" }) { ... on CancelChargeSuccess { ${tail} } } }`,
    );
    expect(errors[0].extensions.code).toBe('invalid_request');
    const { data } = await ask(`{ charge(id: "${charge.id}") { status } }`);
    expect(data.charge.status).toBe('pending');
  });

  test.each([
    ['a WebSocket', subscribeOverWebSocket],
    ['server-sent events', subscribeOverSse],
  ])('too deep is refused over %s too', async (_name, open) => {
    const fault = {
      message: expect.stringContaining('13 fields deep'),
      extensions: { code: 'invalid_request' },
    };
    const stream = open(onCleanup, app.url, app.merchant.keys.live, deep(13, 'subscription { chargeUpdated'));
    expect(await stream.next()).toMatchObject({ errors: [fault] });
    await stream.close();
  });

  test('too large is refused over a WebSocket before it is parsed', async () => {
    const stream = subscribeOverWebSocket(onCleanup, app.url, app.merchant.keys.live, tooLarge[4]![1]);
    await expect(stream.next()).rejects.toMatchObject([{ message: expect.stringContaining('tokens') }]);
  });

  test('one of several operations in a document counts alone', async () => {
    const query = `query A { me { id } } ${deep(13, 'query B { charge')}`;
    expect((await send(JSON.stringify({ query, operationName: 'A' }))).errors).toBeUndefined();
    expect((await send(JSON.stringify({ query, operationName: 'B' }))).status).toBe(400);
  });
});

describe('the cost', () => {
  test('comes back with what is left: objects count 1, lists as often as they may have objects', async () => {
    expect(await costOf('{ me { id name } }')).toEqual({
      requested: 1,
      limit: 10_000,
      left: 9_999,
      depth: 2,
    });
    const nodes = 'nodes { id customer { email } refunds { id } }';
    // A page, and 20 times: the charge, its customer, five refunds.
    expect((await costOf(`{ charges(first: 20) { ${nodes} } }`)).requested).toBe(1 + 20 * 7);
    expect((await costOf(`{ charges { ${nodes} } }`)).requested).toBe(1 + 10 * 7);
    expect((await costOf(`query ($n: Int) { charges(last: $n) { ${nodes} } }`, { n: 5 })).requested).toBe(
      1 + 5 * 7,
    );
    expect(
      (await costOf('{ charges(first: 20) { edges { node { id } } pageInfo { endCursor } } }')).requested,
    ).toBe(21);
    expect((await costOf('{ charges(first: 20) { totalCount } }')).requested).toBe(21);
    expect(
      (await costOf('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['a', 'b', 'c'] })).requested,
    ).toBe(3);
  });

  test('of a page that is too large counts as it is asked for', async () => {
    const { errors } = await ask('{ charges(first: 1000000000) { nodes { id } } }');
    expect(errors[0].extensions.code).toBe('invalid_request');
  });

  test('of a mutation is 10 more, and comes with a refusal too', async () => {
    const { data, extensions } = await ask(
      'mutation { cancelCharge(input: { id: "ch_0" }) { ... on UserError { code } ... on CancelChargeSuccess { charge { id } } } }',
    );
    expect(data.cancelCharge.code).toBe('charge_not_found');
    expect(extensions.cost.requested).toBe(11);
  });

  test.each([
    ['a WebSocket', subscribeOverWebSocket],
    ['server-sent events', subscribeOverSse],
  ])('comes with each event over %s', async (_name, open) => {
    await seedCharge(app.context.service, app.merchant, { now: new Date() });
    const stream = open(
      onCleanup,
      app.url,
      app.merchant.keys.live,
      'subscription { chargesUpdated { id customer { id } } }',
    );
    expect(await stream.nextWithExtensions()).toMatchObject({
      extensions: { cost: { requested: 2, left: 9_998 } },
    });
    await stream.close();
  });
});

describe('what is nested absurdly is refused as the caller’s fault', () => {
  const bracket = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;

  test.each([100, 50_000])('variables %i deep', async (count) => {
    const query = JSON.stringify('query ($f: ChargeFilter) { charges(filter: $f) { nodes { id } } }');
    const { status, errors } = await send(`{"query":${query},"variables":{"f":${bracket(count)}}}`);
    expect([status, errors[0].extensions.code]).toEqual([400, 'invalid_request']);
  });

  test('variables over a WebSocket', async () => {
    const query = 'query ($f: ChargeFilter) { charges(filter: $f) { nodes { id } } }';
    const stream = subscribeOverWebSocket(onCleanup, app.url, app.merchant.keys.live, query, {
      f: JSON.parse(bracket(500)),
    });
    await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
  });

  test('extensions, and members nobody asked for', async () => {
    for (const name of ['extensions', 'operationName']) {
      const { errors } = await send(`{"query":"{ me { id } }","${name}":${bracket(50_000)}}`);
      expect(errors[0].extensions.code).toBe('invalid_request');
    }
  });

  test.each(['{', '[1', 'undefined', bracket(500), '"text"', '7'])(
    'variables=%s of an address',
    async (variables) => {
      const url = new URL(`${app.url}/graphql`);
      url.searchParams.set('query', '{ me { id } }');
      url.searchParams.set('variables', variables);
      const answer = await fetch(url, { headers: headers('application/json') });
      const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] };
      expect([answer.status < 500, errors[0]?.extensions.code]).toEqual([true, 'invalid_request']);
    },
  );
});

test('several operations in one request are refused', async () => {
  const { status, errors } = await send(
    JSON.stringify([{ query: '{ me { id } }' }, { query: '{ me { id } }' }]),
  );
  expect([status, errors[0].extensions.code]).toEqual([400, 'invalid_request']);
});

test('of a list of variables in which nothing fits no more is looked at than the first', () => {
  const document = parse('query ($x: [ID!]!) { nodes(ids: $x) { id } }');
  const lookedAt = (use: (variableValues: Record<string, unknown>) => unknown) => {
    let count = 0;
    const list = {
      *[Symbol.iterator]() {
        for (; count < 1_000; count++) yield [];
      },
    };
    try {
      use({ x: list });
    } catch (error) {
      expect(error).toBeInstanceOf(GraphQLError);
    }
    return count;
  };
  const operation = getOperationAST(document)!;
  expect(lookedAt((variables) => checkVariables(schema, operation, variables))).toBeLessThan(5);
});

test('variables that do not fit are reported once, also where the cost of the operation is cached', async () => {
  const query = 'query ($filter: ChargeFilter) { charges(filter: $filter) { nodes { id } } }';
  const variables = { filter: { status: ['none', 'neither', 'nor'] } };
  await app.ask(query, { variables: {} });
  const { errors, extensions } = await app.ask(query, { variables });
  expect([errors.length, errors[0].extensions.code, extensions]).toEqual([1, 'invalid_request', undefined]);
});

test('all that the dashboard asks is within the limits, and far from the cost', async () => {
  const folder = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const texts = files.flatMap((name) =>
    [...readFileSync(folder + name, 'utf8').matchAll(/graphql\(\s*`([^`]+)`/g)].map(
      (match) => match[1] as string,
    ),
  );
  const { definitions } = parse(texts.join('\n'));
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  expect(operations.length).toBeGreaterThan(20);
  for (const operation of operations) {
    const document = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] } as const;
    checkDocument(print(operation));
    const variables = Object.fromEntries(
      (operation.variableDefinitions ?? []).map(({ variable, type }) => [
        variable.name.value,
        valueFromASTUntyped(parseValue(sampleInput(typeFromAST(schema, type) as GraphQLInputType))),
      ]),
    );
    const cost = checkCost(schema, document, { operation, variables, context: {} });
    expect([operation.name?.value, cost.left > limits.cost / 2]).toEqual([operation.name?.value, true]);
  }
});
