import { beforeAll, describe, expect, test, vi } from 'vitest';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, setupGraphqlApp, subscribeOverWebSocket } from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const post = async (body: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: basicAuth(app.merchant.keys.live),
      ...headers,
    },
    body,
  });
  return { status: answer.status, json: (await answer.json()) as Json };
};

describe('what we did not expect', () => {
  const fault = new Error('password of the database is hunter2');

  test('is logged with the request’s id, and told as internal_error over HTTP', async () => {
    vi.spyOn(app.context.service.prisma.refund, 'findFirst').mockRejectedValueOnce(fault);
    const log = vi.spyOn(app.app.log, 'error');
    const { data, errors, headers } = await app.ask('{ refund(id: "re_1") { id } currencies }');
    expect(data).toMatchObject({ refund: null, currencies: expect.arrayContaining(['HKD']) });
    expect(errors).toEqual([
      {
        message: 'Something went wrong on our side',
        locations: [{ line: 1, column: 3 }],
        path: ['refund'],
        extensions: { code: 'internal_error', requestId: headers.get('x-request-id') },
      },
    ]);
    expect(JSON.stringify(errors)).not.toContain('hunter2');
    expect(log.mock.calls).toEqual([
      [{ err: fault, requestId: headers.get('x-request-id') }, 'GraphQL operation failed'],
    ]);
    log.mockRestore();
  });

  test('is told the same way over a WebSocket', async () => {
    vi.spyOn(app.context.service.prisma.refund, 'findFirst').mockRejectedValueOnce(fault);
    const stream = subscribeOverWebSocket(
      onCleanup,
      app.url,
      app.merchant.keys.live,
      '{ refund(id: "re_1") { id } }',
    );
    const { errors } = await stream.next();
    expect(errors).toMatchObject([
      {
        message: 'Something went wrong on our side',
        extensions: { code: 'internal_error', requestId: expect.any(String) },
      },
    ]);
    await stream.close();
  });

  test('in a mutation is no member of its result', async () => {
    vi.spyOn(app.context.service.prisma, '$transaction').mockRejectedValueOnce(fault);
    const { data, errors } = await app.ask('mutation { cancelCharge(input: { id: "ch_1" }) { __typename } }');
    expect([data, errors[0].extensions.code]).toEqual([null, 'internal_error']);
  });

  test('a database that is away is unavailable', async () => {
    const away = Object.assign(new Error('cannot reach the database'), { code: 'P1001' });
    vi.spyOn(app.context.service.prisma.refund, 'findFirst').mockRejectedValueOnce(away);
    const { errors } = await app.ask('{ refund(id: "re_1") { id } }');
    expect(errors[0]).toMatchObject({ extensions: { code: 'unavailable' } });
  });

  test('while the caller is looked up is told as internal_error too', async () => {
    vi.spyOn(app.context.service.prisma.apiKey, 'findUnique').mockRejectedValueOnce(fault);
    const { status, json } = await post(JSON.stringify({ query: '{ me { id } }' }));
    expect([status, json.errors[0].extensions.code, JSON.stringify(json).includes('hunter2')]).toEqual([
      500,
      'internal_error',
      false,
    ]);
  });
});

describe('a request that is none', () => {
  test.each([
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
  ])('%s is answered in the form of GraphQL', async (_, body, headers, status, code) => {
    const answer = await post(body, headers as Record<string, string>);
    expect(answer).toMatchObject({
      status,
      json: {
        errors: [{ message: expect.any(String), extensions: { code, requestId: expect.any(String) } }],
      },
    });
  });

  test.each([
    ['{ me {', 'Syntax Error'],
    ['{ nope }', 'Cannot query field "nope"'],
    ['query ($id: ID!) { charge(id: $id) { id } }', 'Variable "$id"'],
    ['{ charge(id: "\\u0000") { id } }', 'U+0000'],
    ['{ charge(id: "\\u{0}") { id } }', 'U+0000'],
    ['{ charge(id: "\0") { id } }', 'U+0000'],
    ['{ charge(id: """\0""") { id } }', 'U+0000'],
  ])('%s is an invalid_request', async (query, message) => {
    const { json } = await post(JSON.stringify({ query }));
    expect(json.errors[0]).toMatchObject({
      message: expect.stringContaining(message),
      extensions: { code: 'invalid_request' },
    });
    expect(json.data).toBeUndefined();
    const address = `${app.url}/graphql?query=${encodeURIComponent(query)}`;
    const got = await fetch(address, { headers: { authorization: basicAuth(app.merchant.keys.live) } });
    expect(((await got.json()) as Json).errors[0].extensions.code).toBe('invalid_request');
    const stream = subscribeOverWebSocket(onCleanup, app.url, app.merchant.keys.live, query);
    const refused = await stream.next().catch((errors) => ({ errors }));
    expect(refused.errors[0].extensions.code).toBe('invalid_request');
    const strict = await post(JSON.stringify({ query }), { accept: 'application/graphql-response+json' });
    expect(strict.json.errors[0].message).toBe(json.errors[0].message);
  });

  test('names an operation that the document does not hold', async () => {
    const { json } = await post(JSON.stringify({ query: 'query A { me { id } }', operationName: 'B' }));
    expect(json.errors[0].extensions.code).toBe('invalid_request');
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is told what is taken', async (method) => {
    const answer = await fetch(`${app.url}/graphql`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'method_not_allowed' } }] });
  });

  test('changes something by GET', async () => {
    const query = encodeURIComponent('mutation { cancelCharge(input: { id: "ch_1" }) { __typename } }');
    const answer = await fetch(`${app.url}/graphql?query=${query}`, {
      headers: { authorization: basicAuth(app.merchant.keys.live) },
    });
    expect(answer.status).toBe(405);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'method_not_allowed' } }] });
  });
});

test('REST keeps its own content types and errors beside it', async () => {
  const answer = await fetch(`${app.url}/charges`, {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'text/csv' },
  });
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
});

test('the SDL is served', async () => {
  const answer = await fetch(`${app.url}/schema.graphql`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('union CancelChargeResult = CancelChargeSuccess | ConflictError');
});
