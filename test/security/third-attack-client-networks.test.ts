import { beforeAll, describe, expect, test } from 'vitest';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createWebSocketClient, type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** Third penetration test: a client token, or a way to write an address, gives nobody a limit of their own. */

const taken: string[] = [];
const limiter: RateLimiter = {
  take(key) {
    taken.push(key);
    return { isAllowed: true, limit: 1, remaining: 1, resetSeconds: 0, retryAfterSeconds: 0 };
  },
};
const query = '{ __typename }';

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { limiter, trustProxy: ['127.0.0.1'] });
});

async function newToken(): Promise<string> {
  const { service } = app.context;
  return createClientToken(service.secrets, await seedCharge(service, app.merchant, { mode: 'live' }));
}

/** The key that a request over each transport is counted by. */
async function keysOf(forwarded: string): Promise<[http: string | undefined, socket: string | undefined]> {
  taken.length = 0;
  const headers = { 'x-forwarded-for': forwarded };
  await app.ask(query, { as: { token: await newToken() }, headers });
  const connection = { authorization: `Bearer ${await newToken()}` };
  const { value } = await createWebSocketClient(onCleanup, app.url, connection, headers)
    .iterate({ query })
    .next();
  expect(value.data).toEqual({ __typename: 'Query' });
  return [taken[0], taken[1]];
}

describe('client tokens of one network share one limit over HTTP and WebSocket', () => {
  test.each([
    ['203.0.113.5', 'visitor:203.0.113.5'],
    ['198.51.100.1, 203.0.113.5', 'visitor:203.0.113.5'],
    ['203.0.113.5:50123', 'visitor:203.0.113.5'],
    ['::ffff:cb00:7105', 'visitor:203.0.113.5'],
    ['[2001:db8:1:2::9]:50123', 'visitor:2001:db8:1:2::/64'],
    ['a text that the client chose', 'visitor:unknown'],
  ])('when the proxy forwards %s', async (forwarded, key) => {
    expect(await keysOf(forwarded)).toEqual([key, key]);
  });
});

test('an address that no trusted proxy forwards does not count', async () => {
  const direct = await setupGraphqlApp(onCleanup, { limiter });
  taken.length = 0;
  const token = createClientToken(
    direct.context.service.secrets,
    await seedCharge(direct.context.service, direct.merchant, { mode: 'live' }),
  );
  const headers = { 'x-forwarded-for': '203.0.113.5' };
  await direct.ask(query, { as: { token }, headers });
  await createWebSocketClient(onCleanup, direct.url, { authorization: `Bearer ${token}` }, headers)
    .iterate({ query })
    .next();
  expect(taken).toEqual(['visitor:127.0.0.1', 'visitor:127.0.0.1']);
});
