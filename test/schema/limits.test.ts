import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  buildClientSchema,
  GraphQLError,
  type GraphQLInputType,
  getIntrospectionQuery,
  getOperationAST,
  Kind,
  parse,
  parseValue,
  print,
  printSchema,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import { describe, expect, onTestFinished } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { checkCost, checkDocument, checkVariables, limits } from '../../schema/server/limits.ts';
import { graphqlTest as test } from '../setup/app-fixtures.ts';
import {
  type GraphqlApp,
  subscribeOverSse,
  subscribeOverWebSocket,
  toAuthorization,
} from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { seedCharge } from '../setup/seed.ts';

describe('Limits', () => {
  /** Sends a body without changes. */
  async function send(app: GraphqlApp, body: string, accept = 'application/graphql-response+json') {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: headers(app, accept),
      body,
    });
    return { status: response.status, ...JSON.parse(await response.text()) };
  }

  const headers = (app: GraphqlApp, accept: string) => ({
    ...toAuthorization(app.merchant.keys.live),
    'content-type': 'application/json',
    accept,
  });

  const request = (app: GraphqlApp, query: string, variables = {}) =>
    send(app, JSON.stringify({ query, variables }));

  const readCost = async (app: GraphqlApp, query: string, variables = {}) =>
    (await request(app, query, variables)).extensions?.cost;

  const times = (count: number, text: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => text(i)).join(' ');

  /** An operation of a depth: a charge of a session of a charge … with its id at the end. */
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
    [
      'of too many directives',
      `{ ${times(51, () => 'me @skip(if: true) { id }')} }`,
      'at most 50 directives',
    ],
    ['of too many tokens', `{ ${times(3_000, () => '__typename')} }`, 'at most 3000 tokens'],
    [
      'of too many nested brackets',
      `{ charges(filter: ${'{a:'.repeat(900)}`,
      'nest brackets more than 64 levels deep',
    ],
  ];

  describe('an operation', () => {
    test.for(tooLarge)(
      'that is %s is rejected before it is executed',
      async ([_what, query, message], { app }) => {
        const { status, errors, data } = await request(app, query);
        expect([status, data]).toEqual([400, undefined]);
        expect(errors).toEqual([
          {
            message: expect.stringContaining(message),
            extensions: { code: 'invalid_request', requestId: expect.any(String) },
          },
        ]);
      },
    );

    test('at the limit is executed', async ({ app }) => {
      expect((await request(app, deep(12))).data).toEqual({ charge: null });
      expect((await request(app, `{ ${times(50, (i) => `a${i}: me { id }`)} }`)).errors).toBeUndefined();
    });

    test('over the limit changes nothing if it is a mutation', async ({ app }) => {
      const charge = await seedCharge(app.context.service, app.merchant, { now: new Date() });
      const tail = deep(12, 'charge').replace('charge(id: "ch_1")', 'charge');
      const { errors } = await request(
        app,
        `mutation { cancelCharge(input: { id: "${charge.id}" }) { ... on CancelChargeSuccess { ${tail} } } }`,
      );
      expect(errors[0].extensions.code).toBe('invalid_request');
      const { data } = await request(app, `{ charge(id: "${charge.id}") { status } }`);
      expect(data.charge.status).toBe('pending');
    });

    test.for([
      ['a WebSocket', subscribeOverWebSocket],
      ['server-sent events', subscribeOverSse],
    ] as const)('that is too deep is rejected over %s too', async ([_name, open], { app }) => {
      const error = {
        message: expect.stringContaining('13 fields deep'),
        extensions: { code: 'invalid_request' },
      };
      const stream = open(
        onTestFinished,
        app.url,
        app.merchant.keys.live,
        deep(13, 'subscription { chargeUpdated'),
      );
      expect(await stream.next()).toMatchObject({ errors: [error] });
      await stream.close();
    });

    test('that is too large is rejected over a WebSocket before it is parsed', async ({ app }) => {
      const stream = subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.live, tooLarge[4]![1]);
      await expect(stream.next()).rejects.toMatchObject([{ message: expect.stringContaining('tokens') }]);
    });

    test('among several in a document is counted alone', async ({ app }) => {
      const query = `query A { me { id } } ${deep(13, 'query B { charge')}`;
      expect((await send(app, JSON.stringify({ query, operationName: 'A' }))).errors).toBeUndefined();
      expect((await send(app, JSON.stringify({ query, operationName: 'B' }))).status).toBe(400);
    });
  });

  describe('the cost', () => {
    test('is returned with the remaining cost: 1 for an object, for a list its size', async ({ app }) => {
      expect(await readCost(app, '{ me { id name } }')).toEqual({
        requested: 1,
        limit: 10_000,
        remaining: 9_999,
        depth: 2,
      });
      const nodes = 'nodes { id customer { email } refunds { id } }';
      // The cost is one for the page, and for each of 20 charges one for itself, its customer and five refunds.
      expect((await readCost(app, `{ charges(first: 20) { ${nodes} } }`)).requested).toBe(1 + 20 * 7);
      expect((await readCost(app, `{ charges { ${nodes} } }`)).requested).toBe(1 + 10 * 7);
      expect(
        (await readCost(app, `query ($n: Int) { charges(last: $n) { ${nodes} } }`, { n: 5 })).requested,
      ).toBe(1 + 5 * 7);
      expect(
        (await readCost(app, '{ charges(first: 20) { edges { node { id } } pageInfo { endCursor } } }'))
          .requested,
      ).toBe(21);
      expect((await readCost(app, '{ charges(first: 20) { totalCount } }')).requested).toBe(21);
      expect(
        (await readCost(app, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['a', 'b', 'c'] }))
          .requested,
      ).toBe(3);
    });

    test('of a page that is too large is counted by its requested size', async ({ app }) => {
      const { errors } = await request(app, '{ charges(first: 1000000000) { nodes { id } } }');
      expect(errors[0].extensions.code).toBe('invalid_request');
    });

    test('of a mutation is 10 more, also with an error in its result', async ({ app }) => {
      const { data, extensions } = await request(
        app,
        'mutation { cancelCharge(input: { id: "ch_0" }) { ... on UserError { code } ... on CancelChargeSuccess { charge { id } } } }',
      );
      expect(data.cancelCharge.code).toBe('charge_not_found');
      expect(extensions.cost.requested).toBe(11);
    });

    test.for([
      ['a WebSocket', subscribeOverWebSocket],
      ['server-sent events', subscribeOverSse],
    ] as const)('is sent with each event over %s', async ([_name, open], { app }) => {
      await seedCharge(app.context.service, app.merchant, { now: new Date() });
      const stream = open(
        onTestFinished,
        app.url,
        app.merchant.keys.live,
        'subscription { chargesUpdated { id customer { id } } }',
      );
      expect(await stream.nextWithExtensions()).toMatchObject({
        extensions: { cost: { requested: 2, remaining: 9_998 } },
      });
      await stream.close();
    });
  });

  describe('invalid_request', () => {
    const bracket = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;

    test.for([100, 50_000])('is returned for variables that are nested %i deep', async (count, { app }) => {
      const query = JSON.stringify('query ($f: ChargeFilter) { charges(filter: $f) { nodes { id } } }');
      const { status, errors } = await send(app, `{"query":${query},"variables":{"f":${bracket(count)}}}`);
      expect([status, errors[0].extensions.code]).toEqual([400, 'invalid_request']);
    });

    test('is returned for deeply nested variables over a WebSocket', async ({ app }) => {
      const query = 'query ($f: ChargeFilter) { charges(filter: $f) { nodes { id } } }';
      const stream = subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.live, query, {
        f: JSON.parse(bracket(500)),
      });
      await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    });

    test('is returned for deeply nested extensions and operationName', async ({ app }) => {
      for (const name of ['extensions', 'operationName']) {
        const { errors } = await send(app, `{"query":"{ me { id } }","${name}":${bracket(50_000)}}`);
        expect(errors[0].extensions.code).toBe('invalid_request');
      }
    });

    test.for(['{', '[1', 'undefined', bracket(500), '"text"', '7'])(
      'is returned for the variables %s of a URL',
      async (variables, { app }) => {
        const url = new URL(`${app.url}/graphql`);
        url.searchParams.set('query', '{ me { id } }');
        url.searchParams.set('variables', variables);
        const response = await fetch(url, { headers: headers(app, 'application/json') });
        const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
        expect([response.status < 500, errors[0]?.extensions.code]).toEqual([true, 'invalid_request']);
      },
    );
  });

  test('several operations in one request are rejected', async ({ app }) => {
    const { status, errors } = await send(
      app,
      JSON.stringify([{ query: '{ me { id } }' }, { query: '{ me { id } }' }]),
    );
    expect([status, errors[0].extensions.code]).toEqual([400, 'invalid_request']);
  });

  test('only the first elements of an invalid list in the variables are read', () => {
    const document = parse('query ($x: [ID!]!) { nodes(ids: $x) { id } }');
    const countReads = (use: (variableValues: Record<string, unknown>) => unknown) => {
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
    expect(countReads((variables) => checkVariables(schema, operation, variables))).toBeLessThan(5);
  });

  test('invalid variables are reported once, also if the cost of the operation is cached', async ({
    app,
  }) => {
    const query = 'query ($filter: ChargeFilter) { charges(filter: $filter) { nodes { id } } }';
    const variables = { filter: { status: ['none', 'neither', 'nor'] } };
    await app.ask(query, { variables: {} });
    const { errors, extensions } = await app.ask(query, { variables });
    expect([errors.length, errors[0].extensions.code, extensions]).toEqual([1, 'invalid_request', undefined]);
  });

  test('all operations of the dashboard are within the limits and half the cost', async () => {
    const folder = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));
    const files = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    const texts = files.flatMap((name) =>
      [...readFileSync(folder + name, 'utf8').matchAll(/graphql\(\s*`([^`]+)`/g)].map(
        (match) => match[1] as string,
      ),
    );
    const { definitions } = parse(texts.join('\n'));
    const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
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
      expect([operation.name?.value, cost.remaining > limits.cost / 2]).toEqual([
        operation.name?.value,
        true,
      ]);
    }
  });
});

describe('Introspection', () => {
  const accept = 'application/graphql-response+json';

  const request = (app: GraphqlApp, query: string) => app.ask(query, { headers: { accept } });

  /** Sends the query as a dashboard page without a session. */
  const askSignedOut = (app: GraphqlApp, query: string) =>
    app.ask(query, { as: null, headers: { origin: app.context.service.settings.publicUrl } });

  test.for([
    ['the introspection of clients', getIntrospectionQuery()],
    [
      'the introspection of GraphiQL',
      getIntrospectionQuery({
        schemaDescription: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    ],
  ] as const)('%s gets the same result with and without credentials', async ([_name, query], { app }) => {
    const { data, errors } = await request(app, query);
    expect(errors).toBeUndefined();
    expect(data.__schema.types.length).toBeGreaterThan(100);
    expect((await askSignedOut(app, query)).data).toEqual(data);
  });

  test('returns 401 for any other introspection without credentials', async ({ app }) => {
    const { status, errors } = await askSignedOut(app, '{ __schema { types { name } } }');
    expect([status, errors[0].extensions.code]).toEqual([401, 'unauthenticated']);
  });

  test('/schema.graphql returns the introspection result if JSON is accepted, else the SDL', async ({
    app,
  }) => {
    const json = await fetch(`${app.url}/schema.graphql`, { headers: { accept: 'application/json' } });
    const { data } = await json.json();
    expect(printSchema(buildClientSchema(data))).toBe(printSchema(schema));
    const sdl = await fetch(`${app.url}/schema.graphql`);
    expect(await sdl.text()).toBe(`${printSchema(schema)}\n`);
  });

  test.for([
    ['an alias of the schema', '{ a: __schema { types { name } } }'],
    ['an alias of a type', '{ a: __type(name: "Charge") { name } }'],
    [
      'aliases of a type’s fields, in a fragment',
      '{ __schema { types { ...F } } } fragment F on __Type { a: fields { name } }',
    ],
    ['fields of the types of fields', '{ __schema { types { fields { type { fields { name } } } } } }'],
    [
      'the same in fragments',
      `{ __schema { types { ...A } } }
     fragment A on __Type { name ... on __Type { fields { type { ofType { ...B } } } } } fragment B on __Type { inputFields { name } }`,
    ],
  ] as const)('introspection with repetition is rejected: %s', async ([_name, query], { app }) => {
    const { status, errors } = await request(app, query);
    expect(status).toBe(400);
    expect(errors[0].message).toMatch(/^Introspection queries cannot/);
  });
});
