import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listOperationNames } from '../../schema/operation-names.ts';
import { schema } from '../../schema/schema.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { disableMerchant } from '../../src/domain/accounts/merchant/disable-merchant.ts';
import { switchOperations } from '../../src/domain/accounts/merchant/switch-operations.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { getOperationName } from '../../src/rest/operation-name.ts';
import { operations } from '../../src/rest/operations.ts';
import { basic, callApi } from '../setup/api.ts';
import { payForm } from '../setup/checkout.ts';
import { type GraphqlApp, graphqlApp, overSocket } from '../setup/graphql.ts';
import { makeMerchant } from '../setup/makers.ts';
import { pageVisitor } from '../setup/page-visitor.ts';
import { signedInAs } from '../setup/sign-in.ts';

/** What an operator takes from a merchant: single operations, the account, over every door at once. */

let app: GraphqlApp;
const allOperations = listOperationNames(schema);
const routes = Object.keys(operations).map((route) => route.split(' ') as ['GET' | 'POST' | 'PATCH', string]);

beforeAll(async () => {
  app = await graphqlApp();
});

const by = () => ({ actor: 'operator', merchantId: app.merchant.merchant.id, now: new Date() });
const turn = (to: 'on' | 'off', ...names: string[]) =>
  switchOperations(app.context.service, { ...by(), operations: names, to, allOperations });
const account = (disabled: boolean) => disableMerchant(app.context.service, { ...by(), disabled });
const call = (method: 'GET' | 'POST' | 'PATCH', path: string, keys = app.merchant.keys.live) =>
  callApi(app.app, {
    method,
    url: path.replace('{id}', 'ch_0'),
    keys,
    ...(method === 'POST' && { body: operations[`${method} ${path}`]?.exampleRequest ?? {} }),
  });

/** The checkout page of a merchant's bare address opens, and makes a charge. */
async function expectPayable({ keys }: NewMerchant): Promise<void> {
  const address = `/checkout?apiKey=${keys.live.publishableKey}&amount=20&currency=HKD`;
  const customer = pageVisitor(app.app);
  expect((await customer.get(address)).status).toBe(200);
  expect((await customer.post(address, payForm)).status).toBe(303);
}

const cancel =
  'mutation { cancelCharge(input: { id: "ch_0" }) { __typename ... on UserError { code message } } }';

describe('an operation that is switched off', () => {
  afterEach(() => turn('on', ...allOperations));

  test.each(routes)('%s %s: 403, and open again when switched on', async (method, path) => {
    const name = getOperationName(method, path.replace('{id}', ':id')) ?? '';
    expect(allOperations).toContain(name);
    await turn('off', name);
    for (const keys of [app.merchant.keys.live, app.merchant.keys.sandbox]) {
      const { status, json } = await call(method, path, keys);
      expect([status, json.code, json.detail]).toEqual([
        403,
        'permission_denied',
        `${name} is disabled for this account`,
      ]);
    }
    expect((await call(method, path, app.stranger.keys.live)).json?.code).not.toBe('permission_denied');
    await turn('on', name);
    expect((await call(method, path)).json?.code).not.toBe('permission_denied');
  });

  test('is off over GraphQL too, typed like any refusal, for keys, users and pages', async () => {
    const owner = await signedInAs('owner', app, app.merchant);
    const { data: made } = await app.ask(
      'mutation { createSession(input: { amount: "5", currency: "HKD" }) { ... on CreateSessionSuccess { clientToken } } }',
    );
    await turn('off', 'cancelCharge', 'charges', 'chargeUpdated');
    const refused = { __typename: 'PermissionError', code: 'permission_denied' };
    expect((await app.ask(cancel)).data.cancelCharge).toMatchObject(refused);
    expect((await owner.ask(cancel)).data.cancelCharge).toMatchObject(refused);
    const page = { token: made.createSession.clientToken };
    expect((await app.ask(cancel, { as: page })).data.cancelCharge).toMatchObject({
      ...refused,
      message: 'cancelCharge is disabled for this account',
    });
    const { errors } = await app.ask('{ charges(first: 1) { nodes { id } } me { disabledOperations } }');
    expect(errors).toMatchObject([{ path: ['charges'], extensions: { code: 'permission_denied' } }]);
    expect((await app.ask('{ me { disabledOperations } }')).data.me.disabledOperations).toEqual([
      'cancelCharge',
      'chargeUpdated',
      'charges',
    ]);
    const live = overSocket(
      app.url,
      app.merchant.keys.live,
      'subscription { chargeUpdated(id: "ch_0") { id } }',
    );
    expect(JSON.stringify(await live.next())).toContain('permission_denied');
    const stranger = await app.ask(cancel, { as: app.stranger.keys.live });
    expect(stranger.data.cancelCharge).toMatchObject({ code: 'charge_not_found' });
  });

  test('HEAD asks for what GET does', async () => {
    await turn('off', 'charges');
    const authorization = basic(app.merchant.keys.live);
    const answer = await app.app.inject({ method: 'HEAD', url: '/charges', headers: { authorization } });
    expect(answer.statusCode).toBe(403);
  });

  test('the service’s own pages go on', async () => {
    await turn('off', 'createCharge', 'session', 'createSession');
    await expectPayable(app.merchant);
  });

  test('has a name; what is none, and signing in, cannot be switched off', async () => {
    for (const names of [['deleteEverything'], ['signIn'], ['me'], []]) {
      await expect(turn('off', ...names)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  test('is told in the audit trail, once', async () => {
    const count = () =>
      app.context.service.prisma.auditEntry.count({ where: { action: 'operations.disabled' } });
    const before = await count();
    await Promise.all(Array.from({ length: 5 }, () => turn('off', 'forex')));
    expect(await count()).toBe(before + 1);
  });
});

describe('restricted access', () => {
  test.each([
    'POST /charges',
    'POST /charges/hash',
    'POST /customers/phone/verification',
    'POST /customers/phone/verify',
    'GET /translations',
  ])(
    '%s is refused before its input is looked at, with a live key; never with a sandbox key',
    async (route) => {
      const { keys } = await makeMerchant(app.context.service, { restricted: 'none' });
      const [method, path] = route.split(' ') as ['GET', string];
      expect(operations[route]?.restricted).toBe(true);
      const live = await callApi(app.app, { method, url: path, keys: keys.live });
      expect([live.status, live.json.code]).toEqual([403, 'restricted_endpoint']);
      const sandbox = await callApi(app.app, { method, url: path, keys: keys.sandbox });
      expect(sandbox.status).toBe(400);
    },
  );

  test('the service’s own pages need none', async () => {
    await expectPayable(await makeMerchant(app.context.service, { restricted: 'none' }));
  });

  test('the same operations over GraphQL: refused to live keys and to users in both modes, not to sandbox keys', async () => {
    const other = await makeMerchant(app.context.service, { restricted: 'none' });
    const owner = await signedInAs('owner', app, other);
    const phone = '{ code: "+852", phone: "51234567" }';
    const mutations = [
      'createCharge(input: { email: "a@example.com", merchantAmount: "1", merchantCurrency: "HKD", method: fps })',
      'createChargeHash(input: { merchantAmount: "1", merchantCurrency: "HKD" })',
      `requestPhoneVerification(input: { phone: ${phone} })`,
      `verifyPhone(input: { phone: ${phone}, code: "000000" })`,
    ];
    for (const mutation of mutations) {
      const query = `mutation { it: ${mutation} { __typename ... on UserError { code } } }`;
      const refused = { __typename: 'PermissionError', code: 'restricted_endpoint' };
      expect((await app.ask(query, { as: other.keys.live })).data.it).toEqual(refused);
      for (const mode of ['live', 'sandbox'] as const) {
        expect((await owner.ask(query, { mode })).data.it).toEqual(refused);
      }
      expect((await app.ask(query, { as: other.keys.sandbox })).data.it.code).not.toBe('restricted_endpoint');
    }
    const { errors } = await app.ask('{ translation(locale: en) }', { as: other.keys.live });
    expect(errors[0].extensions.code).toBe('restricted_endpoint');
  });
});

test('an account that is switched off is refused at every door, and works again when switched on', async () => {
  const owner = await signedInAs('owner', app, app.merchant);
  const { live } = app.merchant.keys;
  const { data: made } = await app.ask(
    'mutation { createSession(input: { amount: "5", currency: "HKD" }) { ... on CreateSessionSuccess { clientToken session { checkoutUrl } } } }',
  );
  const address = toPath(made.createSession.session.checkoutUrl);
  await account(true);
  for (const [method, path] of routes) {
    const { status, json } = await call(method, path);
    expect([path, status, json.code]).toEqual([path, 403, 'account_disabled']);
  }
  expect((await app.ask('{ me { id } }')).errors[0].extensions.code).toBe('account_disabled');
  const page = { token: made.createSession.clientToken };
  expect((await app.ask('{ paymentMethods { name } }', { as: page })).errors[0].extensions.code).toBe(
    'account_disabled',
  );
  expect((await owner.ask('{ me { id } }')).errors[0].extensions.code).toBe('account_disabled');
  const visitor = pageVisitor(app.app);
  const bare = `/checkout?apiKey=${live.publishableKey}&amount=20&currency=HKD`;
  expect((await visitor.get(bare)).status).toBe(403);
  expect((await visitor.get(address)).status).toBe(403);
  await account(false);
  expect((await call('GET', '/charges')).status).toBe(200);
  expect((await visitor.get(bare)).status).toBe(200);
});
