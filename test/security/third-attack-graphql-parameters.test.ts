import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { createRateLimiter, type RateLimiter } from '../../src/kit/rate-limiter.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** Third penetration test: what is limited is what is executed, however a request writes its parameters. */

const limiter = createRateLimiter(100)!;
/** Its time stands still, so that nothing is refilled. */
const still: RateLimiter = { take: (key, _nowMs, cost) => limiter.take(key, 0, cost) };
const long = `{ __typename ${' '.repeat(4_500)}}`;
const short = '{ __typename }';

let app: GraphqlApp;
let page: string;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { limiter: still });
  const { service } = app.context;
  page = `Bearer ${createClientToken(service.secrets, await seedCharge(service, app.merchant, { mode: 'live' }))}`;
});

/** Sends the address as it is: `fetch` and `inject` would rewrite it. */
async function get(address: string, authorization = page, accept = 'application/json') {
  const asked = request(app.url, { path: `/graphql${address}`, headers: { authorization, accept } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await readText(answer) };
}

const query = encodeURIComponent(long);

describe('a GET request', () => {
  test.each([
    ['twice', `?query=${query}&query=b`],
    ['twice, the first one empty', `?query=&query=${query}`],
    ['alone', `?query=${query}`],
  ])('with a long document given %s is rejected with a client token', async (_name, address) => {
    for (const accept of ['application/json', 'text/event-stream', 'application/graphql-response+json']) {
      const { text } = await get(address, page, accept);
      expect(text).toContain('"invalid_request"');
      expect(text).not.toContain('__typename');
    }
  });

  test.each(['query', 'variables', 'operationName', 'extensions'])(
    'with %s given twice is rejected for every caller',
    async (name) => {
      for (const authorization of [page, basicAuth(app.merchant.keys.live)]) {
        const { status, text } = await get(
          `?query=${encodeURIComponent(short)}&${name}=&${name}=a`,
          authorization,
        );
        expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'invalid_request']);
      }
    },
  );

  test('with one short document is executed', async () => {
    const { status, text } = await get(`?query=${encodeURIComponent(short)}&variables=&operationName=`);
    expect([status, JSON.parse(text).data]).toEqual([200, { __typename: 'Query' }]);
  });
});

test.each([
  ['a list', [long]],
  ['an object', { length: 1, text: long }],
  ['a number', 5],
])('a POST request whose document is %s is rejected', async (_name, document) => {
  for (const accept of ['application/json', 'text/event-stream']) {
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { authorization: page, accept, 'content-type': 'application/json' },
      body: JSON.stringify({ query: document }),
    });
    expect(answer.status).toBe(400);
  }
});

test('a WebSocket message whose document is a list closes the connection', async () => {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.once('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: page } })),
  );
  socket.once('message', () =>
    socket.send(JSON.stringify({ type: 'subscribe', id: 'a', payload: { query: [long] } })),
  );
  expect(await closed).toBe(4400);
});
