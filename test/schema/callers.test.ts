import { describe, expect, onTestFinished } from 'vitest';
import type { Mode, UserRole } from '../../prisma/client/client.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { basicAuth } from '../setup/api.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { seedSession } from '../setup/checkout.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import {
  type ApiAuth,
  createWebSocketClient,
  type GraphqlApp,
  type Json,
  setupGraphqlApp,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';
import { publicOrigin } from '../setup/visitor.ts';

const test = fakeTimeGraphqlTest.extend('merchant', ({ service }) =>
  seedMerchant(service, { restrictedAccess: 'none' }),
);

const permissionsQuery = '{ viewer { permissions } }';

const cancel =
  'mutation ($id: ID!) { cancelCharge(input: { id: $id }) { __typename ... on UserError { code } } }';

const complete =
  'mutation ($id: ID!) { completeSandboxCharge(input: { id: $id }) { __typename ... on UserError { code } } }';

const record =
  'mutation { recordTransfers(input: { transfers: [] }) { __typename ... on UserError { code message } } }';

const create = `mutation { createCharge(input: {
  email: "ada@example.com", merchantAmount: "10", merchantCurrency: "HKD", method: fps
}) { __typename ... on UserError { code } } }`;

describe('Roles', () => {
  test.for<[UserRole, Mode, string[]]>([
    ['owner', 'live', ['read', 'write', 'refund', 'transfers', 'manage', 'sell']],
    ['owner', 'sandbox', ['read', 'write', 'refund', 'transfers', 'manage', 'sell']],
    ['developer', 'live', ['read', 'write', 'sell']],
    ['developer', 'sandbox', ['read', 'write', 'refund', 'transfers', 'manage', 'sell']],
    ['accountant', 'live', ['read', 'transfers']],
    ['accountant', 'sandbox', ['read', 'transfers']],
    ['cashier', 'live', ['sell']],
    ['cashier', 'sandbox', ['sell']],
    ['read_only', 'live', ['read']],
    ['read_only', 'sandbox', ['read']],
    ['support', 'live', ['read', 'write', 'sell']],
    ['support', 'sandbox', ['read', 'write', 'sell']],
    ['operator', 'live', []],
  ] as const)('%s has its permissions in %s mode', async ([role, mode, permissions], { app, merchant }) => {
    const visitor = await signInAs(role, app, merchant);
    expect((await visitor.ask(permissionsQuery, { mode })).data.viewer.permissions).toEqual(permissions);
  });

  test('let support cancel a charge, and not record transfers', async ({ app, service, merchant }) => {
    const visitor = await signInAs('support', app, merchant);
    const { id } = await seedCharge(service, merchant);
    const cancelled = await visitor.ask(cancel, { variables: { id } });
    expect(cancelled.data.cancelCharge.__typename).toBe('CancelChargeSuccess');
    expect((await visitor.ask(record)).data.recordTransfers).toMatchObject({
      __typename: 'PermissionError',
      code: 'permission_denied',
    });
    const [event] = await service.prisma.event.findMany({
      where: { objectId: id, type: 'charge_cancelled' },
    });
    expect(event?.actor).toMatch(/^user:usr_/);
  });

  test('deny restricted operations to users of a merchant without access only in live mode', async ({
    app,
    service,
    merchant,
  }) => {
    const visitor = await signInAs('owner', app, merchant);
    const createIn = async (mode: 'live' | 'sandbox') =>
      (await visitor.ask(create, { mode })).data.createCharge;
    const restricted = { __typename: 'PermissionError', code: 'restricted_endpoint' };
    expect(await createIn('live')).toEqual(restricted);
    expect((await createIn('sandbox')).__typename).toBe('CreateChargeSuccess');
    const where = { id: merchant.merchant.id };
    await service.prisma.merchant.update({ where, data: { restrictedAccess: 'granted' } });
    expect(await createIn('live')).not.toEqual(restricted);
  });

  test('let an operator sign in without access to a merchant', async ({ app, merchant }) => {
    const visitor = await signInAs('operator', app, merchant);
    const { data } = await visitor.ask('{ viewer { user { role } merchant { id } } }');
    expect(data.viewer).toEqual({ user: { role: 'operator' }, merchant: null });
    const { errors } = await visitor.ask('{ charges { nodes { id } } }');
    expect(errors[0].extensions.code).toBe('permission_denied');
  });
});

describe('Mode', () => {
  test('selects the objects by a header, and hides those of the other mode', async ({
    app,
    service,
    merchant,
  }) => {
    const visitor = await signInAs('owner', app, merchant);
    const charge = await seedCharge(service, merchant, { mode: 'sandbox' });
    const query = '{ charges { nodes { id } } me { mode } }';
    const sandbox = await visitor.ask(query, { mode: 'sandbox' });
    expect(sandbox.data.me.mode).toBe('sandbox');
    expect(sandbox.data.charges.nodes).toContainEqual({ id: charge.id });
    const live = await visitor.ask(query);
    expect(live.data.me.mode).toBe('live');
    expect(live.data.charges.nodes).not.toContainEqual({ id: charge.id });
    const variables = { id: charge.id };
    expect((await visitor.ask(complete, { variables, mode: 'live' })).data.completeSandboxCharge.code).toBe(
      'sandbox_only',
    );
    const done = await visitor.ask(complete, { variables, mode: 'sandbox' });
    expect(done.data.completeSandboxCharge.__typename).toBe('CompleteSandboxChargeSuccess');
  });

  test('is rejected if it is unknown', async ({ app, merchant }) => {
    const visitor = await signInAs('owner', app, merchant);
    const { status, errors } = await visitor.ask(permissionsQuery, { mode: 'test' as Mode });
    expect([status, errors[0].extensions.code]).toEqual([400, 'invalid_request']);
  });
});

describe('Live updates', () => {
  test('arrive over a WebSocket with the session’s cookie, for the requested mode', async ({
    app,
    service,
    merchant,
  }) => {
    const visitor = await signInAs('support', app, merchant);
    const headers = { origin: publicOrigin, cookie: visitor.cookie()! };
    const client = createWebSocketClient(onTestFinished, app.url, { mode: 'sandbox' }, headers);
    const updates = client.iterate({ query: 'subscription { chargesUpdated { id status } }' });
    await seedCharge(service, merchant, { mode: 'sandbox' });
    // After the first event, the subscription misses nothing.
    await updates.next();
    // A charge with equal details would be a duplicate of the first charge.
    const input = { email: 'grace@example.com' };
    const live = await seedCharge(service, merchant, { mode: 'live' });
    const charge = await seedCharge(service, merchant, { mode: 'sandbox', input });
    const received: { id: string; status: string }[] = [];
    for await (const { data } of updates) {
      const update = (data as { chargesUpdated: { id: string; status: string } }).chargesUpdated;
      received.push(update);
      if (update.id === charge.id) break;
    }
    expect(received.at(-1)).toEqual({ id: charge.id, status: 'pending' });
    expect(received.map(({ id }) => id)).not.toContain(live.id);
  });

  test('are denied to another origin, and without a session', async ({ app, merchant }) => {
    const visitor = await signInAs('owner', app, merchant);
    const cookie = visitor.cookie()!;
    const connect = (headers: Record<string, string>, params: object = {}) =>
      createWebSocketClient(onTestFinished, app.url, { mode: 'live', ...params }, headers)
        .iterate({ query: '{ viewer { user { email } } }' })
        .next();
    const unauthenticated = { code: 4401 };
    await expect(connect({ origin: 'https://evil.example', cookie })).rejects.toMatchObject(unauthenticated);
    await expect(connect({ cookie })).rejects.toMatchObject(unauthenticated);
    await expect(connect({ origin: publicOrigin })).rejects.toMatchObject(unauthenticated);
    // The tab shows a user who is no longer signed in.
    const other = connect({ origin: publicOrigin, cookie }, { viewer: 'usr_other' });
    await expect(other).rejects.toMatchObject(unauthenticated);
    expect(await connect({ origin: publicOrigin, cookie })).toMatchObject({
      value: { data: { viewer: { user: { email: visitor.email } } } },
    });
  });
});

const seedChargeFor = (app: GraphqlApp, service: Service, clock: FakeClock, email: string) =>
  seedCharge(service, app.merchant, { input: { email }, now: clock.now() });

const toClientToken = (service: Service, object: { id: string; mode: Mode }): ApiAuth => ({
  token: createClientToken(service.secrets, object),
});

const post = (app: GraphqlApp, headers: Record<string, string>) =>
  fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ me { id } }' }),
  });

const readCode = async (response: Response) => ((await response.json()) as Json).errors[0].extensions.code;

describe('Credentials', () => {
  test.for([
    ['no credentials', {}],
    ['an unknown scheme', { authorization: 'Digest x' }],
    ['an empty key', { authorization: 'Basic ' }],
    ['an unknown key', { authorization: `Basic ${Buffer.from('ck_live_x:cs_live_x').toString('base64')}` }],
    ['a key with a NUL character', { authorization: `Basic ${Buffer.from('a\0:b').toString('base64')}` }],
    ['an unknown token', { authorization: 'Bearer ch_1.abc' }],
  ] as const)('%s: the response is 401 with a GraphQL body', async ([_, headers], { app }) => {
    const response = await post(app, headers as Record<string, string>);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual({
      errors: [
        {
          message: expect.any(String),
          extensions: { code: 'unauthenticated', requestId: response.headers.get('x-request-id') },
        },
      ],
    });
  });

  test('with a wrong secret return 401, of a publishable key too', async ({ app }) => {
    const { apiKey, publishableKey } = app.merchant.keys.live;
    for (const key of [apiKey, publishableKey]) {
      const authorization = basicAuth({ apiKey: key, apiSecret: 'cs_live_wrong', publishableKey });
      expect((await post(app, { authorization })).status).toBe(401);
    }
  });

  test('of a disabled merchant return 403', async ({ app, service }) => {
    const disabled = await seedMerchant(service, {}, noon);
    const authorization = basicAuth(disabled.keys.live);
    await service.prisma.merchant.update({
      where: { id: disabled.merchant.id },
      data: { disabledAt: noon },
    });
    const response = await post(app, { authorization });
    expect([response.status, await readCode(response)]).toEqual([403, 'account_disabled']);
  });
});

describe('Other origins', () => {
  const origin = 'https://shop.example';

  test('may send requests with a client token, or without credentials', async ({ app, service, clock }) => {
    const charge = await seedChargeFor(app, service, clock, 'origin@example.com');
    const { token } = toClientToken(service, charge) as { token: string };
    for (const headers of [{ authorization: `Bearer ${token}` }, {}]) {
      const response = await post(app, { origin, ...headers } as Record<string, string>);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('are allowed by the response to a preflight request', async ({ app }) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toMatch(
      /Authorization, Content-Type.*Traceparent, Tracestate, Baggage, Sentry-Trace/,
    );
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST');
  });

  test('cannot read the response to an API secret', async ({ app }) => {
    const response = await post(app, { origin, authorization: basicAuth(app.merchant.keys.live) });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('Too many requests of one caller are rejected, over HTTP with 429, over a WebSocket with an error', async ({
  clock,
}) => {
  const limited = await setupGraphqlApp(onTestFinished, { clock, limiter: createLimiterOfTwo() });
  const { live } = limited.merchant.keys;
  const query = '{ me { id } }';
  const responses = await Promise.all([1, 2, 3, 4].map(() => limited.ask(query)));
  const rejected = responses.find(({ status }) => status === 429)!;
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(rejected.errors[0].extensions.code).toBe('rate_limited');
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect(subscribeOverWebSocket(onTestFinished, limited.url, live, query).next()).rejects.toMatchObject(
    [{ extensions: { code: 'rate_limited' } }],
  );
  expect((await limited.ask(query, { as: limited.otherMerchant.keys.live })).status).toBe(200);
});

/** Allows two requests of each caller, regardless of the speed of the test. */
function createLimiterOfTwo(): RateLimiter {
  const counts = new Map<string, number>();
  return {
    take(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { isAllowed: count <= 2, limit: 2, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 };
    },
  };
}

const dayMinutes = 24 * 60;

const seedOpenSession = (app: GraphqlApp, service: Service, clock: FakeClock) =>
  seedSession(service, app.merchant, {
    input: { amount: '128.50', currency: 'HKD', customer: { email: 'ada@example.com' } },
    now: clock.now(),
  });

describe('Client token of a charge', () => {
  const charge = (id: string, fields = 'id') => `{ charge(id: "${id}") { ${fields} } }`;

  test('gives access to that charge only', async ({ app, service, clock }) => {
    const [ownCharge, other] = [
      await seedChargeFor(app, service, clock, 'mine@example.com'),
      await seedChargeFor(app, service, clock, 'other@example.com'),
    ];
    const as = toClientToken(service, ownCharge);
    expect((await app.ask(charge(ownCharge.id), { as })).data.charge).toEqual({ id: ownCharge.id });
    expect((await app.ask(charge(other.id), { as })).data.charge).toBeNull();
    const { data } = await app.ask('{ paymentMethods { code } }', { as });
    expect(data.paymentMethods).not.toEqual([]);
  });

  test('reads the charge without the fields that only the merchant may see', async ({
    app,
    service,
    clock,
  }) => {
    const ownCharge = await seedChargeFor(app, service, clock, 'fields@example.com');
    const owner = {
      merchantId: ownCharge.merchantId,
      mode: ownCharge.mode,
      actor: 'key:test',
      now: clock.now(),
    };
    await payCharge(service, app.merchant, ownCharge, { now: clock.now() });
    await createRefund(service, { ...owner, input: { chargeId: ownCharge.id, customerAmount: 1 } });
    const fields = `id allocations { id } amountRefundable amountReleased customer { id } events { id } hasLatePayment
      notifications { id } receivingAccount { id } transfers { id }
      refunds { status customer { id } events { id } payingAccount { id } payoutReference payouts { id } }`;
    const { data, errors } = await app.ask(charge(ownCharge.id, fields), {
      as: toClientToken(service, ownCharge),
    });
    const denied = { customer: null, events: null };
    expect(data.charge).toEqual({
      id: ownCharge.id,
      ...denied,
      allocations: null,
      amountRefundable: null,
      amountReleased: '0.00',
      hasLatePayment: null,
      notifications: null,
      receivingAccount: null,
      transfers: null,
      refunds: [
        { status: 'initiated', ...denied, payingAccount: null, payoutReference: null, payouts: null },
      ],
    });
    const deniedPaths = errors.map(({ path, extensions }: Json) => [path.length, extensions.code]);
    expect(deniedPaths.toSorted()).toEqual([
      ...Array(8).fill([2, 'permission_denied']),
      ...Array(5).fill([4, 'permission_denied']),
    ]);
  });

  const cancelAs = async (app: GraphqlApp, id: string, as: ApiAuth) => {
    const { data } = await app.ask(
      'mutation ($id: ID!) { cancelCharge(input: { id: $id }) { ... on CancelChargeSuccess { charge { status } } ... on UserError { code } } }',
      { variables: { id }, as },
    );
    return data.cancelCharge;
  };

  test('cancels that charge as the customer, and no other', async ({ app, service, clock }) => {
    const [ownCharge, other] = [
      await seedChargeFor(app, service, clock, 'cancel1@example.com'),
      await seedChargeFor(app, service, clock, 'cancel2@example.com'),
    ];
    expect(await cancelAs(app, other.id, toClientToken(service, ownCharge))).toEqual({
      code: 'charge_not_found',
    });
    expect(await cancelAs(app, ownCharge.id, toClientToken(service, ownCharge))).toEqual({
      charge: { status: 'cancelled' },
    });
    const event = await service.prisma.event.findFirstOrThrow({
      where: { objectId: ownCharge.id, type: 'charge_cancelled' },
    });
    expect(event.actor).toBe('customer');
  });

  test('cannot cancel a charge that has received money, which the merchant can', async ({
    app,
    service,
    clock,
  }) => {
    const ownCharge = await seedChargeFor(app, service, clock, 'money@example.com');
    await payCharge(service, app.merchant, ownCharge, { minor: 100n, now: clock.now() });
    expect(await cancelAs(app, ownCharge.id, toClientToken(service, ownCharge))).toEqual({
      code: 'charge_not_pending',
    });
    expect(await cancelAs(app, ownCharge.id, app.merchant.keys.live)).toEqual({
      charge: { status: 'cancelled' },
    });
  });

  test.for(['completed', 'cancelled', 'expired'])(
    'expires 24 hours after the charge is %s',
    async (status, { app, service, clock }) => {
      const ownCharge = await seedChargeFor(app, service, clock, `ends-${status}@example.com`);
      const owned = { id: ownCharge.id, merchantId: ownCharge.merchantId, mode: ownCharge.mode };
      const end = status === 'expired' ? ownCharge.expiresAt : minutesAfter(noon, 5);
      if (status === 'expired') await expireCharges(service, { now: minutesAfter(noon, 31) });
      if (status === 'cancelled')
        await cancelCharge(service, { ...owned, by: 'merchant', actor: 'user:test', now: end });
      if (status === 'completed') {
        const data = { status: 'completed' as const, completedAt: end };
        await service.prisma.charge.update({ where: { id: ownCharge.id }, data });
      }
      clock.set(minutesAfter(end, dayMinutes));
      expect((await app.ask(charge(ownCharge.id), { as: toClientToken(service, ownCharge) })).status).toBe(
        200,
      );
      clock.set(new Date(minutesAfter(end, dayMinutes).getTime() + 1));
      const after = await app.ask(charge(ownCharge.id), { as: toClientToken(service, ownCharge) });
      expect([after.status, after.errors[0].extensions.code]).toEqual([401, 'unauthenticated']);
    },
  );
});

describe('Client token of a session', () => {
  test('gives access to that session and its charge, and cancels both', async ({ app, service, clock }) => {
    const [ownSession, other] = [
      await seedOpenSession(app, service, clock),
      await seedOpenSession(app, service, clock),
    ];
    const as = toClientToken(service, ownSession);
    const query = (id: string) =>
      `{ session(id: "${id}") { id status amount methods checkoutUrl charge { id status } } }`;
    expect((await app.ask(query(ownSession.id), { as })).data.session).toMatchObject({
      status: 'created',
      charge: null,
    });
    expect((await app.ask(query(other.id), { as })).data.session).toBeNull();
    const { session } = await claimSession(service, {
      id: ownSession.id,
      browserToken: 'b',
      canTakeOver: false,
      now: noon,
    });
    const customer = { email: 'ada@example.com' };
    const { merchant } = app.merchant;
    const options = { merchant, session, browserToken: 'b', method: 'fps' as const, customer, now: noon };
    const charge = await chargeSession(service, options);
    expect((await app.ask(query(ownSession.id), { as })).data.session.charge).toEqual({
      id: charge.id,
      status: 'pending',
    });
    expect((await app.ask(`{ charge(id: "${charge.id}") { id } }`, { as })).data.charge).toEqual({
      id: charge.id,
    });
    const cancel = `mutation { cancelCharge(input: { id: "${charge.id}" }) { __typename } }`;
    expect((await app.ask(cancel, { as: toClientToken(service, other) })).data.cancelCharge.__typename).toBe(
      'NotFoundError',
    );
    expect((await app.ask(cancel, { as })).data.cancelCharge.__typename).toBe('CancelChargeSuccess');
    const cancelOther = `mutation { cancelSession(input: { id: "${other.id}" }) { __typename } }`;
    expect((await app.ask(cancelOther, { as })).data.cancelSession.__typename).toBe('NotFoundError');
    expect(
      (await app.ask(cancelOther, { as: toClientToken(service, other) })).data.cancelSession.__typename,
    ).toBe('CancelSessionSuccess');
  });

  test('does not read the prefilled customer and the fields of notifications', async ({
    app,
    service,
    clock,
  }) => {
    const ownSession = await seedOpenSession(app, service, clock);
    for (const field of ['customer { email }', 'notifyUrl', 'notifyPayload']) {
      const { data, errors } = await app.ask(`{ session(id: "${ownSession.id}") { ${field} } }`, {
        as: toClientToken(service, ownSession),
      });
      expect(data.session === null || Object.values(data.session)[0] === null).toBe(true);
      expect(errors[0].extensions.code).toBe('permission_denied');
    }
  });

  test('expires 24 hours after an unused session', async ({ app, service, clock }) => {
    const ownSession = await seedSession(service, app.merchant, { mode: 'sandbox', now: clock.now() });
    const query = `{ session(id: "${ownSession.id}") { status } }`;
    // The sandbox’s test clock ends the session, but not its token.
    await service.prisma.merchant.update({
      where: { id: ownSession.merchantId },
      data: { testClockOffsetMs: 30n * 86_400_000n },
    });
    expect((await app.ask(query, { as: toClientToken(service, ownSession) })).data.session).toEqual({
      status: 'expired',
    });
    clock.set(minutesAfter(ownSession.expiresAt, dayMinutes));
    expect((await app.ask(query, { as: toClientToken(service, ownSession) })).data.session).toEqual({
      status: 'expired',
    });
    clock.set(minutesAfter(ownSession.expiresAt, dayMinutes + 1));
    expect((await app.ask(query, { as: toClientToken(service, ownSession) })).status).toBe(401);
  });
});
