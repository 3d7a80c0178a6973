import { parse } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentCache } from '../../schema/server/document-cache.ts';
import { limits } from '../../schema/server/limits.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp, toAuthorization } from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

/** Requests of which the document is in the cache are answered as all others. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

type Sent = {
  query: unknown;
  variables?: unknown;
  operationName?: unknown;
  extensions?: unknown;
  more?: unknown;
};

/** Everything an answer says except the request's own id. */
async function send(body: Sent, headers: Record<string, string>) {
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...toAuthorization(app.merchant.keys.live), ...headers },
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

describe('a document that is sent again', () => {
  test.each(requests)(
    'with %s is answered as the first time, for every Accept header',
    async (_what, body) => {
      for (const accept of accepts) {
        // A document of its own, which is not in the cache.
        const fresh = { ...body, query: `${body.query} # ${accept}` };
        const first = await send(fresh, { accept });
        expect(await send(fresh, { accept })).toEqual(first);
      }
    },
  );

  test('is rejected again where it was rejected before', async () => {
    const query = `{ ${'__typename '.repeat(limits.fieldsPerName + 1)} }`;
    for (const accept of ['application/json', 'application/graphql-response+json', 'application/json']) {
      const { text } = await send({ query }, { accept });
      expect(JSON.parse(text).errors[0].extensions.code).toBe('invalid_request');
    }
  });
});

describe('of the documents that callers send', () => {
  const long = (i: number, length = 9_000) => `{ me { id } } # ${i} ${'x'.repeat(length)}`;

  test('the latest are cached, some hundred thousand characters of them', () => {
    const texts = Array.from({ length: 100 }, (_, i) => long(i));
    for (const text of texts) documentCache.set(text, parse(text));
    expect(texts.filter((text) => documentCache.has(text)).length).toBeLessThan(60);
    expect([texts[0]!, texts.at(-1)!].map((text) => documentCache.has(text))).toEqual([false, true]);
  });

  test('none is cached that is too long', async () => {
    const query = long(1, 10_000);
    await send({ query }, {});
    expect(documentCache.has(query)).toBe(false);
  });
});
