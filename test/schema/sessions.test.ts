import { beforeAll, describe, expect, test } from 'vitest';
import { readClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { methodCodes } from '../../src/method/catalogue.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type ApiAuth, type GraphqlApp, mutate, setupGraphqlApp } from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const fields = `id status amount currency orders { orderId quantity } methods checkoutUrl redirectUrl notifyUrl notifyPayload
  customer { email phone firstName lastName } charge { id } expiresAt createdAt updatedAt`;
const create = (input: object, as?: ApiAuth) =>
  mutate(
    app,
    'createSession',
    { amount: '128.50', currency: 'HKD', ...input },
    `clientToken session { ${fields} }`,
    as,
  );
const cancel = (id: string, as?: ApiAuth) =>
  mutate(app, 'cancelSession', { id }, 'session { id status }', as);

/** The customer opens the session and chooses FPS. */
async function use(id: string) {
  const { service } = app.context;
  const now = new Date();
  const { session } = await claimSession(service, { id, browserToken: 'browser', takeOver: false, now });
  return chargeSession(service, {
    merchant: app.merchant.merchant,
    session,
    browserToken: 'browser',
    method: 'fps',
    customer: { email: 'ada@example.com' },
    now,
  });
}

describe('createSession', () => {
  test('answers the session, where to send the customer, and the token for your own page', async () => {
    const { session, clientToken } = await create({
      orders: [{ orderId: 'o-1', quantity: 2 }],
      methods: ['hk_bank_transfer', 'fps'],
      notifyUrl: 'https://shop.example/paid',
      notifyPayload: 'b3JkZXI=',
      redirectUrl: 'https://shop.example/thanks',
      customer: { email: 'ada@example.com', phone: { code: '+852', phone: '5123 4567' }, firstName: 'Ada' },
    });
    expect(session).toMatchObject({
      status: 'created',
      amount: '128.50',
      currency: 'HKD',
      orders: [{ orderId: 'o-1', quantity: 2 }],
      methods: ['fps', 'hk_bank_transfer'],
      checkoutUrl: `http://127.0.0.1:4000/checkout?sessionId=${session.id}`,
      redirectUrl: 'https://shop.example/thanks',
      notifyUrl: 'https://shop.example/paid',
      notifyPayload: 'b3JkZXI=',
      customer: { email: 'ada@example.com', phone: '+85251234567', firstName: 'Ada', lastName: null },
      charge: null,
    });
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(7 * 24 * 3_600_000);
    const { secrets } = app.context.service;
    expect(readClientToken(secrets, clientToken)).toEqual({ id: session.id, mode: 'live' });
  });

  test('in the sandbox says so in its address, and offers all methods when none are named', async () => {
    const { session } = await create({}, app.merchant.keys.sandbox);
    expect(session.checkoutUrl).toMatch(/&isSandbox=true$/);
    expect(session.methods).toEqual(methodCodes.map((code) => code.replaceAll('-', '_')));
  });

  test.each([
    [{ amount: '0' }, 'InvalidRequestError', 'invalid_request', '/amount'],
    [{ redirectUrl: 'javascript:alert(1)' }, 'InvalidRequestError', 'invalid_request', '/redirectUrl'],
    [
      { customer: { phone: { code: '+852', phone: '1' } } },
      'InvalidRequestError',
      'invalid_request',
      '/customer/phone',
    ],
    [{ currency: 'XXX' }, 'UnprocessableError', 'currency_unsupported'],
    [{ amount: '20000000', methods: ['fps'] }, 'UnprocessableError', 'amount_out_of_range'],
  ])('with %o is refused as %s, %s', async (input, type, code, path?: string) => {
    const refused = await create(input);
    expect(refused).toMatchObject({ __typename: type, code });
    if (path) expect(refused.errors[0].path).toBe(path);
  });
});

describe('a session', () => {
  test('is found by its id and in the list, with its charge once it has been used', async () => {
    await create({});
    const { session } = await create({});
    const charge = await use(session.id);
    const { data } = await app.ask(
      `{ session(id: "${session.id}") { status charge { id session { id } } } sessions(first: 1) { totalCount nodes { id status } } }`,
    );
    expect(data.session).toEqual({
      status: 'charged',
      charge: { id: charge.id, session: { id: session.id } },
    });
    expect(data.sessions.nodes).toEqual([{ id: session.id, status: 'charged' }]);
    expect(data.sessions.totalCount).toBeGreaterThan(1);
  });

  test('is expired by the clock, before any job says so', async () => {
    const { session } = await create({});
    const past = new Date(Date.now() - 1);
    await app.context.service.prisma.checkoutSession.update({
      where: { id: session.id },
      data: { expiresAt: past },
    });
    const { data } = await app.ask(`{ session(id: "${session.id}") { status } }`);
    expect(data.session.status).toBe('expired');
    expect(await cancel(session.id)).toMatchObject({ __typename: 'ConflictError', code: 'session_expired' });
  });
});

describe('cancelSession', () => {
  test('cancels a session that has no charge, once', async () => {
    const { session } = await create({});
    expect((await cancel(session.id)).session).toEqual({ id: session.id, status: 'cancelled' });
    expect(await cancel(session.id)).toMatchObject({
      __typename: 'ConflictError',
      code: 'session_cancelled',
    });
  });

  test('of a used session is a conflict', async () => {
    const { session } = await create({});
    await use(session.id);
    expect(await cancel(session.id)).toMatchObject({ code: 'session_already_used' });
  });

  test('does not find what is missing, another merchant’s or of the other mode', async () => {
    const { session } = await create({});
    const notFound = { __typename: 'NotFoundError', code: 'session_not_found' };
    expect(await cancel('ses_missing')).toMatchObject(notFound);
    expect(await cancel(session.id, app.otherMerchant.keys.live)).toMatchObject(notFound);
    expect(await cancel(session.id, app.merchant.keys.sandbox)).toMatchObject(notFound);
  });
});
