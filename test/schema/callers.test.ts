import { beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import {
  type ApiAuth,
  type GraphqlApp,
  type Json,
  setupGraphqlApp,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
let clock: FakeClock;
const start = new Date('2026-11-20T12:00:00Z');

beforeAll(async () => {
  clock = createFakeClock(start);
  app = await setupGraphqlApp(onCleanup, { clock });
});

const chargeOf = (email: string) =>
  seedCharge(app.context.service, app.merchant, { input: { email }, now: clock.now() });
const tokenOf = (object: { id: string; mode: Mode }): ApiAuth => ({
  token: createClientToken(app.context.service.secrets, object),
});
const post = (headers: Record<string, string>) =>
  fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ me { id } }' }),
  });
const codeOf = async (answer: Response) => ((await answer.json()) as Json).errors[0].extensions.code;

describe('credentials', () => {
  test.each([
    ['none', {}],
    ['an unknown scheme', { authorization: 'Digest x' }],
    ['no key', { authorization: 'Basic ' }],
    ['an unknown key', { authorization: `Basic ${Buffer.from('ck_live_x:cs_live_x').toString('base64')}` }],
    ['a key that no text can be', { authorization: `Basic ${Buffer.from('a\0:b').toString('base64')}` }],
    ['a token that is none of ours', { authorization: 'Bearer ch_1.abc' }],
  ])('%s: 401 with a GraphQL body', async (_, headers) => {
    const answer = await post(headers as Record<string, string>);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toEqual({
      errors: [
        {
          message: expect.any(String),
          extensions: { code: 'unauthenticated', requestId: answer.headers.get('x-request-id') },
        },
      ],
    });
  });

  test('of a key with a wrong secret: 401; of a publishable key too', async () => {
    const { apiKey, publishableKey } = app.merchant.keys.live;
    for (const key of [apiKey, publishableKey]) {
      const authorization = basicAuth({ apiKey: key, apiSecret: 'cs_live_wrong', publishableKey });
      expect((await post({ authorization })).status).toBe(401);
    }
  });

  test('of a merchant that is switched off: 403', async () => {
    const off = await seedMerchant(app.context.service, {}, start);
    const authorization = basicAuth(off.keys.live);
    await app.context.service.prisma.merchant.update({
      where: { id: off.merchant.id },
      data: { disabledAt: start },
    });
    const answer = await post({ authorization });
    expect([answer.status, await codeOf(answer)]).toEqual([403, 'account_disabled']);
  });
});

describe('other origins', () => {
  const origin = 'https://shop.example';

  test('may ask with a client token, or with nothing', async () => {
    const charge = await chargeOf('origin@example.com');
    const { token } = tokenOf(charge) as { token: string };
    for (const headers of [{ authorization: `Bearer ${token}` }, {}]) {
      const answer = await post({ origin, ...headers } as Record<string, string>);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('are told so when the browser asks first', async () => {
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/Authorization, Content-Type/);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST');
  });

  test('do not get to read what an API secret is answered', async () => {
    const answer = await post({ origin, authorization: basicAuth(app.merchant.keys.live) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('too many requests of one caller are refused, over HTTP with 429, over a WebSocket as an error', async () => {
  const limited = await setupGraphqlApp(onCleanup, { clock, limiter: twoOnly() });
  const { live } = limited.merchant.keys;
  const query = '{ me { id } }';
  const answers = await Promise.all([1, 2, 3, 4].map(() => limited.ask(query)));
  const refused = answers.find(({ status }) => status === 429)!;
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(refused.errors[0].extensions.code).toBe('rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect(subscribeOverWebSocket(onCleanup, limited.url, live, query).next()).rejects.toMatchObject([
    { extensions: { code: 'rate_limited' } },
  ]);
  expect((await limited.ask(query, { as: limited.otherMerchant.keys.live })).status).toBe(200);
});

/** Lets two requests of each caller through, at whatever speed the tests run. */
function twoOnly(): RateLimiter {
  const counts = new Map<string, number>();
  return {
    take(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { isAllowed: count <= 2, limit: 2, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 };
    },
  };
}
