import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { permissions } from '../../src/domain/accounts/api-key/permissions.ts';
import { isCancelToken, readClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type ApiAuth, type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedApiKey, seedCharge, seedMerchant } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const change = (name: string, input: object, fields: string, as?: ApiAuth): Promise<Json> =>
  mutate(app, name, input, fields, as);

const create = (input: object, as?: ApiAuth) =>
  change(
    'createCharge',
    { email: 'ada@example.com', merchantAmount: '128.50', merchantCurrency: 'HKD', method: 'fps', ...input },
    'isDuplicate cancelToken clientToken charge { id status method merchantAmount destination { paymentReference } orders { name amount } customer { email } }',
    as,
  );
const cancel = (id: string, as?: ApiAuth) => change('cancelCharge', { id }, 'charge { id status }', as);
/** With the clock of the machine, by which the application goes here. */
const pay = (charge: Charge, minor?: bigint) =>
  payCharge(app.context.service, app.merchant, charge, { now: new Date(), ...(minor && { minor }) });
const makeOpen = (email: string) =>
  seedCharge(app.context.service, app.merchant, { now: new Date(), input: { email } });
const complete = (id: string, as: ApiAuth = app.merchant.keys.sandbox) =>
  change('completeSandboxCharge', { id }, 'charge { id status completedAt }', as);

/** A key of the merchant with all permissions but one. */
const keyWithout = (permission: string) =>
  seedApiKey(app.context.service, app.merchant, {
    permissions: permissions.filter((one) => one !== permission),
  });

describe('createCharge', () => {
  test('answers the charge and the tokens for its page', async () => {
    const created = await create({ orders: [{ name: 'Tea', amount: '64.25' }] });
    expect(created).toMatchObject({
      isDuplicate: false,
      charge: {
        status: 'pending',
        method: 'fps',
        merchantAmount: '128.50',
        orders: [{ name: 'Tea', amount: '64.25' }],
        customer: { email: 'ada@example.com' },
      },
    });
    const { secrets } = app.context.service;
    const charge = { id: created.charge.id, mode: 'live' } as const;
    expect(isCancelToken(secrets, charge, created.cancelToken)).toBe(true);
    expect(readClientToken(secrets, created.clientToken)).toEqual(charge);
  });

  test('the same again answers the same charge and the same tokens', async () => {
    const input = { email: 'again@example.com' };
    const first = await create(input);
    expect(await create(input)).toEqual({ ...first, isDuplicate: true });
  });

  test.each([
    [{ email: 'nobody' }, 'InvalidRequestError', 'invalid_request', '/email'],
    [{ email: null }, 'InvalidRequestError', 'invalid_request', ''],
    [{ merchantAmount: '1.234' }, 'InvalidRequestError', 'invalid_request', '/merchantAmount'],
    [{ orders: [{}, { quantity: 0 }] }, 'InvalidRequestError', 'invalid_request', '/orders/0'],
    [{ notifyUrl: 'ftp://shop.example' }, 'InvalidRequestError', 'invalid_request', '/notifyUrl'],
    [{ merchantCurrency: 'XXX' }, 'UnprocessableError', 'currency_unsupported'],
    [{ merchantAmount: '5000000' }, 'UnprocessableError', 'amount_out_of_range'],
    [{ merchantCurrency: 'XAF', merchantAmount: '9000' }, 'UnprocessableError', 'rate_unavailable'],
  ])('with %o is refused as %s, %s', async (input, type, code, path?: string) => {
    const refused = await create(input);
    expect(refused).toMatchObject({ __typename: type, code });
    if (path !== undefined) expect(refused.errors[0].path).toBe(path);
  });

  test('is closed to live keys without restricted access, open to sandbox keys', async () => {
    const plain = await seedMerchant(app.context.service, { restricted: 'none' }, new Date());
    expect(await create({}, plain.keys.live)).toMatchObject({
      __typename: 'PermissionError',
      code: 'restricted_endpoint',
    });
    expect(await create({}, plain.keys.sandbox)).toMatchObject({ charge: { status: 'pending' } });
  });

  test.each([
    ['merchantAmount', 128.5],
    ['merchantAmount', 'many'],
    ['merchantCurrency', 'dollars'],
    ['method', 'hk-bank-transfer'],
    ['email', 'a\0@example.com'],
    ['orders', [{ name: '\ud800' }]],
  ])('with %s %j, which no such value can be, is no operation at all', async (name, value) => {
    const input = {
      email: 'a@b.co',
      merchantAmount: '1',
      merchantCurrency: 'HKD',
      method: 'fps',
      [name]: value,
    };
    const query = 'mutation ($input: CreateChargeInput!) { createCharge(input: $input) { __typename } }';
    const { data, errors } = await app.ask(query, { variables: { input } });
    expect([data, errors[0].extensions.code]).toEqual([undefined, 'invalid_request']);
  });
});

describe('cancelCharge', () => {
  test('cancels once: the second is a conflict', async () => {
    const { charge } = await create({ email: 'cancel@example.com' });
    const both = await Promise.all([cancel(charge.id), cancel(charge.id)]);
    expect(both).toContainEqual({
      __typename: 'CancelChargeSuccess',
      charge: { id: charge.id, status: 'cancelled' },
    });
    expect(both).toContainEqual(
      expect.objectContaining({ __typename: 'ConflictError', code: 'charge_not_pending' }),
    );
  });

  test('answers a charge that holds nothing any more of what had been paid in part', async () => {
    const charge = await makeOpen('part@example.com');
    await pay(charge, 10_000n);
    const shown = 'charge { status paymentState amountReceived }';
    expect(await change('cancelCharge', { id: charge.id }, shown)).toMatchObject({
      charge: { status: 'cancelled', paymentState: 'none', amountReceived: '0.00' },
    });
  });

  test('does not cancel a paid charge: it is no longer pending', async () => {
    const charge = await makeOpen('paid@example.com');
    await pay(charge);
    expect(await cancel(charge.id)).toMatchObject({
      code: 'charge_not_pending',
      message: `The charge ${charge.id} is no longer pending`,
    });
  });

  test('does not find what is missing, another merchant’s or of the other mode', async () => {
    const { charge } = await create({ email: 'notfound@example.com' });
    const notFound = { __typename: 'NotFoundError', code: 'charge_not_found' };
    expect(await cancel('ch_missing')).toMatchObject(notFound);
    expect(await cancel(charge.id, app.otherMerchant.keys.live)).toMatchObject(notFound);
    expect(await cancel(charge.id, app.merchant.keys.sandbox)).toMatchObject(notFound);
    expect(await cancel(charge.id)).toMatchObject({ charge: { status: 'cancelled' } });
  });
});

describe('completeSandboxCharge', () => {
  test('completes a pending sandbox charge, once', async () => {
    const charge = await seedCharge(app.context.service, app.merchant, { mode: 'sandbox', now: new Date() });
    expect(await complete(charge.id)).toMatchObject({
      charge: { id: charge.id, status: 'completed', completedAt: expect.any(String) },
    });
    expect(await complete(charge.id)).toMatchObject({
      __typename: 'ConflictError',
      code: 'charge_not_pending',
    });
  });

  test('is refused to live keys', async () => {
    const { charge } = await create({ email: 'live@example.com' });
    expect(await complete(charge.id, app.merchant.keys.live)).toMatchObject({
      __typename: 'PermissionError',
      code: 'sandbox_only',
    });
  });
});

describe('a key without a permission', () => {
  test.each([
    [
      'createCharge',
      { email: 'a@b.co', merchantAmount: '1', merchantCurrency: 'HKD', method: 'fps' },
      'write',
    ],
    ['cancelCharge', { id: 'ch_1' }, 'write'],
    ['completeSandboxCharge', { id: 'ch_1' }, 'write'],
    ['createSession', { amount: '1', currency: 'HKD' }, 'write'],
    ['cancelSession', { id: 'ses_1' }, 'write'],
    ['createCheckoutLink', { amount: '1', currency: 'HKD' }, 'write'],
    ['recordTransfers', { transfers: [] }, 'transfers'],
  ])('is refused %s', async (name, input, permission) => {
    const as = await keyWithout(permission);
    expect(await change(name, input, '__typename', as)).toEqual({
      __typename: 'PermissionError',
      code: 'permission_denied',
      message: `Missing permission: ${permission}`,
    });
  });

  test('is refused queries without read', async () => {
    const as = await keyWithout('read');
    const { data, errors } = await app.ask('{ charge(id: "ch_1") { id } node(id: "ch_1") { id } }', { as });
    expect(data).toEqual({ charge: null, node: null });
    expect(errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([
      'permission_denied',
      'permission_denied',
    ]);
  });
});
