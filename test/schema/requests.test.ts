import { parse } from 'graphql';
import { serverAudits } from 'graphql-http';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { documentCache } from '../../schema/server/document-cache.ts';
import { limits } from '../../schema/server/limits.ts';
import { basicAuth } from '../setup/api.ts';
import { graphqlTest as test } from '../setup/app-fixtures.ts';
import { type GraphqlApp, type Json, subscribeOverWebSocket, toAuthorization } from '../setup/graphql.ts';

describe('Errors', () => {
  const post = async (app: GraphqlApp, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: basicAuth(app.merchant.keys.live),
        ...headers,
      },
      body,
    });
    return { status: response.status, json: (await response.json()) as Json };
  };

  test.for([
    ['subscription { chargesUpdated { id } }', 'application/json', 'graphql-transport-ws'],
    ['subscription { chargesUpdated { id } }', 'multipart/mixed;subscriptionSpec=1.0', 'text/event-stream'],
    ['{ currencies }', 'application/xml', 'application/graphql-response+json'],
  ])('%s with Accept: %s returns 406, and the message names %s', async ([query, accept, hint], { app }) => {
    const { status, json } = await post(app, JSON.stringify({ query }), { accept: accept! });
    expect(status).toBe(406);
    expect(json.errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(hint!),
        extensions: expect.objectContaining({ code: 'not_acceptable' }),
      }),
    ]);
  });

  describe('an unexpected error', () => {
    const error = new Error('password of the database is hunter2');

    test('is logged with the request id, and returned as internal_error over HTTP', async ({ app }) => {
      vi.spyOn(app.context.service.prisma.refund, 'findFirst').mockRejectedValueOnce(error);
      const log = vi.spyOn(app.app.log, 'error');
      const { data, errors, headers } = await app.ask('{ refund(id: "re_1") { id } currencies }');
      expect(data).toMatchObject({ refund: null, currencies: expect.arrayContaining(['HKD']) });
      expect(errors).toEqual([
        {
          message: 'The service failed to process the request',
          locations: [{ line: 1, column: 3 }],
          path: ['refund'],
          extensions: { code: 'internal_error', requestId: headers.get('x-request-id') },
        },
      ]);
      expect(JSON.stringify(errors)).not.toContain('hunter2');
      expect(log.mock.calls).toEqual([
        [{ err: error, requestId: headers.get('x-request-id') }, 'GraphQL operation failed'],
      ]);
      log.mockRestore();
    });

    test('is returned as internal_error over a WebSocket', async ({ app }) => {
      vi.spyOn(app.context.service.prisma.refund, 'findFirst').mockRejectedValueOnce(error);
      const stream = subscribeOverWebSocket(
        onTestFinished,
        app.url,
        app.merchant.keys.live,
        '{ refund(id: "re_1") { id } }',
      );
      const { errors } = await stream.next();
      expect(errors).toMatchObject([
        {
          message: 'The service failed to process the request',
          extensions: { code: 'internal_error', requestId: expect.any(String) },
        },
      ]);
      await stream.close();
    });

    test('in a mutation is a GraphQL error, not a member of the result', async ({ app }) => {
      vi.spyOn(app.context.service.prisma, '$transaction').mockRejectedValueOnce(error);
      const { data, errors } = await app.ask(
        'mutation { cancelCharge(input: { id: "ch_1" }) { __typename } }',
      );
      expect([data, errors[0].extensions.code]).toEqual([null, 'internal_error']);
    });

    test('is returned as unavailable if the database cannot be reached', async ({ app }) => {
      const away = Object.assign(new Error('cannot reach the database'), { code: 'P1001' });
      vi.spyOn(app.context.service.prisma.refund, 'findFirst').mockRejectedValueOnce(away);
      const { errors } = await app.ask('{ refund(id: "re_1") { id } }');
      expect(errors[0]).toMatchObject({ extensions: { code: 'unavailable' } });
    });

    test('during authentication is returned as internal_error', async ({ app }) => {
      vi.spyOn(app.context.service.prisma.apiKey, 'findUnique').mockRejectedValueOnce(error);
      const { status, json } = await post(app, JSON.stringify({ query: '{ me { id } }' }));
      expect([status, json.errors[0].extensions.code, JSON.stringify(json).includes('hunter2')]).toEqual([
        500,
        'internal_error',
        false,
      ]);
    });
  });

  describe('an invalid request', () => {
    test.for([
      ['no JSON', '{', {}, 400, 'invalid_request'],
      ['no query', '{}', {}, 400, 'invalid_request'],
      ['a list', '[{"query":"{ me { id } }"}]', {}, 400, 'invalid_request'],
      ['null', 'null', {}, 400, 'invalid_request'],
      [
        'a form',
        'query={me{id}}',
        { 'content-type': 'application/x-www-form-urlencoded' },
        415,
        'unsupported_media_type',
      ],
      ['plain text', '{"query":"{me{id}}"}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
      [
        'too much',
        JSON.stringify({ query: '{ me { id } }', variables: { x: 'x'.repeat(256 * 1024) } }),
        {},
        413,
        'payload_too_large',
      ],
      [
        'another version',
        '{"query":"{ me { id } }"}',
        { 'causeway-version': '2001-01' },
        400,
        'invalid_request',
      ],
    ] as const)('with %s returns a GraphQL error', async ([_, body, headers, status, code], { app }) => {
      const response = await post(app, body, headers as Record<string, string>);
      expect(response).toMatchObject({
        status,
        json: {
          errors: [{ message: expect.any(String), extensions: { code, requestId: expect.any(String) } }],
        },
      });
    });

    test.for([
      ['{ me {', 'Syntax Error'],
      ['{ nope }', 'Cannot query field "nope"'],
      ['query ($id: ID!) { charge(id: $id) { id } }', 'Variable "$id"'],
      ['{ charge(id: "\\u0000") { id } }', 'U+0000'],
      ['{ charge(id: "\\u{0}") { id } }', 'U+0000'],
      ['{ charge(id: "\0") { id } }', 'U+0000'],
      ['{ charge(id: """\0""") { id } }', 'U+0000'],
    ] as const)('with %s is an invalid_request', async ([query, message], { app }) => {
      const { json } = await post(app, JSON.stringify({ query }));
      expect(json.errors[0]).toMatchObject({
        message: expect.stringContaining(message),
        extensions: { code: 'invalid_request' },
      });
      expect(json.data).toBeUndefined();
      const address = `${app.url}/graphql?query=${encodeURIComponent(query)}`;
      const response = await fetch(address, {
        headers: { authorization: basicAuth(app.merchant.keys.live) },
      });
      expect(((await response.json()) as Json).errors[0].extensions.code).toBe('invalid_request');
      const stream = subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.live, query);
      const rejection = await stream.next().catch((errors) => ({ errors }));
      expect(rejection.errors[0].extensions.code).toBe('invalid_request');
      const strict = await post(app, JSON.stringify({ query }), {
        accept: 'application/graphql-response+json',
      });
      expect(strict.json.errors[0].message).toBe(json.errors[0].message);
    });

    test('with the name of a missing operation is an invalid_request', async ({ app }) => {
      const { json } = await post(
        app,
        JSON.stringify({ query: 'query A { me { id } }', operationName: 'B' }),
      );
      expect(json.errors[0].extensions.code).toBe('invalid_request');
    });

    test.for(['PUT', 'PATCH', 'DELETE'])('with %s returns the allowed methods', async (method, { app }) => {
      const response = await fetch(`${app.url}/graphql`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'method_not_allowed' } }],
      });
    });

    test('with a mutation by GET returns 405', async ({ app }) => {
      const query = encodeURIComponent('mutation { cancelCharge(input: { id: "ch_1" }) { __typename } }');
      const response = await fetch(`${app.url}/graphql?query=${query}`, {
        headers: { authorization: basicAuth(app.merchant.keys.live) },
      });
      expect(response.status).toBe(405);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'method_not_allowed' } }],
      });
    });
  });

  test('REST keeps its own content types and errors', async ({ app }) => {
    const response = await fetch(`${app.url}/charges`, {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'text/csv' },
    });
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  test('the SDL is served', async ({ app }) => {
    const response = await fetch(`${app.url}/schema.graphql`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('union CancelChargeResult = CancelChargeSuccess | ConflictError');
  });
});

describe('Document cache', () => {
  type Sent = {
    query: unknown;
    variables?: unknown;
    operationName?: unknown;
    extensions?: unknown;
    more?: unknown;
  };

  /** Returns the response without the request ID. */
  async function send(app: GraphqlApp, body: Sent, headers: Record<string, string>) {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...toAuthorization(app.merchant.keys.live), ...headers },
      body: JSON.stringify(body),
    });
    const text = (await response.text()).replaceAll(/req_[\w-]+/g, 'req_1');
    const [type, cache] = ['content-type', 'cache-control'].map((name) => response.headers.get(name));
    return { status: response.status, type, cache, text };
  }

  const page =
    'query Page($first: Int) { charges(first: $first) { nodes { id status } totalCount } me { id } }';

  const two = 'query A { me { id } } query B { me { name } }';

  const requests: [string, Sent][] = [
    ['a page', { query: page, variables: { first: 2 } }],
    ['a name and extensions', { query: page, operationName: 'Page', variables: null, extensions: {} }],
    ['one of two operations', { query: two, operationName: 'B' }],
    ['none of two operations', { query: two }],
    ['an operation that does not exist', { query: page, operationName: 'Other' }],
    ['a variable that does not fit', { query: page, variables: { first: 'two' } }],
    ['variables of another type', { query: page, variables: [] }],
    ['a page that is too large', { query: page, variables: { first: 51 } }],
    ['an operation that costs too much', { query: page, variables: { first: 2_000_000 } }],
    ['an unknown member', { query: page, more: 1 }],
    ['an object that does not exist', { query: '{ charge(id: "ch_none") { id } refund(id: "") { id } }' }],
  ];

  const accepts = [
    ...['*/*', 'application/json', 'application/graphql-response+json', 'text/html', 'application/*;q=0.5'],
    'application/graphql-response+json;charset=utf-8, application/json;q=0.9, text/event-stream',
    'application/json; charset=utf-16',
  ];

  describe('a repeated document', () => {
    test.for(requests)(
      'with %s gets the same response, for every Accept header',
      async ([_what, body], { app }) => {
        for (const accept of accepts) {
          // The comment makes a new document, which is not in the cache.
          const fresh = { ...body, query: `${body.query} # ${accept}` };
          const first = await send(app, fresh, { accept });
          expect(await send(app, fresh, { accept })).toEqual(first);
        }
      },
    );

    test('is rejected again where it was rejected before', async ({ app }) => {
      const query = `{ ${'__typename '.repeat(limits.fieldsPerName + 1)} }`;
      for (const accept of ['application/json', 'application/graphql-response+json', 'application/json']) {
        const { text } = await send(app, { query }, { accept });
        expect(JSON.parse(text).errors[0].extensions.code).toBe('invalid_request');
      }
    });
  });

  describe('of all documents', () => {
    const long = (i: number, length = 9_000) => `{ me { id } } # ${i} ${'x'.repeat(length)}`;

    test('the latest are cached, up to a number of characters', () => {
      const texts = Array.from({ length: 100 }, (_, i) => long(i));
      for (const text of texts) documentCache.set(text, parse(text));
      expect(texts.filter((text) => documentCache.has(text)).length).toBeLessThan(60);
      expect([texts[0]!, texts.at(-1)!].map((text) => documentCache.has(text))).toEqual([false, true]);
    });

    test('those that are too long are not cached', async ({ app }) => {
      const query = long(1, 10_000);
      await send(app, { query }, {});
      expect(documentCache.has(query)).toBe(false);
    });
  });
});

describe('GraphQL over HTTP', () => {
  /** The official audit suite of the GraphQL over HTTP specification, against the real server. */

  const toAudits = (url: string, authorization: object = {}) =>
    serverAudits({
      url: `${url}/graphql`,
      fetchFn: (address: string, { headers, ...init }: RequestInit = {}) =>
        fetch(address, { ...init, headers: { ...authorization, ...(headers as object) } }),
    });

  const audits = toAudits('').map(({ name, id }) => [name, id] as const);

  test('the suite is complete', () => {
    const required = (level: string) => audits.filter(([name]) => name.startsWith(level)).length;
    expect([required('MUST'), required('SHOULD')]).toEqual([13, 23]);
  });

  test.for(audits)('%s (%s)', async ([, id], { app }) => {
    const all = toAudits(app.url, toAuthorization(app.merchant.keys.live));
    const result = await all.find((audit) => audit.id === id)!.fn();
    expect(result).toMatchObject({ status: 'ok' });
  });
});
