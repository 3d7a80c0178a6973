import { describe, expect, onTestFinished } from 'vitest';
import { listOperationNames } from '../../schema/operation-names.ts';
import { schema } from '../../schema/schema.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { disableMerchant } from '../../src/domain/accounts/merchant/disable-merchant.ts';
import { switchOperations } from '../../src/domain/accounts/merchant/switch-operations.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { getOperationName } from '../../src/rest/operation-name.ts';
import { operations } from '../../src/rest/operations.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import { payForm } from '../setup/checkout.ts';
import { graphqlTest as test } from '../setup/fixtures.ts';
import { type GraphqlApp, subscribeOverWebSocket } from '../setup/graphql.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';

/** Operators disable single operations or an account of a merchant, for all transports at once. */

const allOperations = listOperationNames(schema);
const routes = Object.keys(operations).map((route) => route.split(' ') as ['GET' | 'POST' | 'PATCH', string]);

const by = (app: GraphqlApp) => ({
  actor: 'operator',
  merchantId: app.merchant.merchant.id,
  now: new Date(),
});
const switchTo = (app: GraphqlApp, to: 'on' | 'off', ...names: string[]) =>
  switchOperations(app.context.service, { ...by(app), operations: names, to, allOperations });
const account = (app: GraphqlApp, disabled: boolean) =>
  disableMerchant(app.context.service, { ...by(app), disabled });
const call = (
  app: GraphqlApp,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  keys = app.merchant.keys.live,
) =>
  callApi(app.app, {
    method,
    url: path.replace('{id}', 'ch_0'),
    keys,
    ...(method === 'POST' && { body: operations[`${method} ${path}`]?.exampleRequest ?? {} }),
  });

/** The checkout page of the merchant's bare URL opens and creates a charge. */
async function expectPayable(app: GraphqlApp, { keys }: NewMerchant): Promise<void> {
  const address = `/checkout?apiKey=${keys.live.publishableKey}&amount=20&currency=HKD`;
  const customer = createPageVisitor(app.app);
  expect((await customer.get(address)).status).toBe(200);
  expect((await customer.post(address, payForm)).status).toBe(303);
}

const cancel =
  'mutation { cancelCharge(input: { id: "ch_0" }) { __typename ... on UserError { code message } } }';

describe('Disabled operation', () => {
  test.afterEach(({ app }) => switchTo(app, 'on', ...allOperations));

  test.for(routes)('%s %s returns 403 until it is enabled again', async ([method, path], { app }) => {
    const name = getOperationName(method, path.replace('{id}', ':id')) ?? '';
    expect(allOperations).toContain(name);
    await switchTo(app, 'off', name);
    for (const keys of [app.merchant.keys.live, app.merchant.keys.sandbox]) {
      const { status, json } = await call(app, method, path, keys);
      expect([status, json.code, json.detail]).toEqual([
        403,
        'permission_denied',
        `${name} is disabled for this account`,
      ]);
    }
    expect((await call(app, method, path, app.otherMerchant.keys.live)).json?.code).not.toBe(
      'permission_denied',
    );
    await switchTo(app, 'on', name);
    expect((await call(app, method, path)).json?.code).not.toBe('permission_denied');
  });

  test('returns a PermissionError over GraphQL to keys, users and pages', async ({ app }) => {
    const owner = await signInAs('owner', app, app.merchant);
    const { data: created } = await app.ask(
      'mutation { createSession(input: { amount: "5", currency: "HKD" }) { ... on CreateSessionSuccess { clientToken } } }',
    );
    await switchTo(app, 'off', 'cancelCharge', 'charges', 'chargeUpdated');
    const permissionError = { __typename: 'PermissionError', code: 'permission_denied' };
    expect((await app.ask(cancel)).data.cancelCharge).toMatchObject(permissionError);
    expect((await owner.ask(cancel)).data.cancelCharge).toMatchObject(permissionError);
    const page = { token: created.createSession.clientToken };
    expect((await app.ask(cancel, { as: page })).data.cancelCharge).toMatchObject({
      ...permissionError,
      message: 'cancelCharge is disabled for this account',
    });
    const { errors } = await app.ask('{ charges(first: 1) { nodes { id } } me { disabledOperations } }');
    expect(errors).toMatchObject([{ path: ['charges'], extensions: { code: 'permission_denied' } }]);
    expect((await app.ask('{ me { disabledOperations } }')).data.me.disabledOperations).toEqual([
      'cancelCharge',
      'chargeUpdated',
      'charges',
    ]);
    const live = subscribeOverWebSocket(
      onTestFinished,
      app.url,
      app.merchant.keys.live,
      'subscription { chargeUpdated(id: "ch_0") { id } }',
    );
    expect(JSON.stringify(await live.next())).toContain('permission_denied');
    const otherResult = await app.ask(cancel, { as: app.otherMerchant.keys.live });
    expect(otherResult.data.cancelCharge).toMatchObject({ code: 'charge_not_found' });
  });

  test('rejects HEAD like GET', async ({ app }) => {
    await switchTo(app, 'off', 'charges');
    const authorization = basicAuth(app.merchant.keys.live);
    const response = await app.app.inject({ method: 'HEAD', url: '/charges', headers: { authorization } });
    expect(response.statusCode).toBe(403);
  });

  test('does not affect the service’s own pages', async ({ app }) => {
    await switchTo(app, 'off', 'createCharge', 'session', 'createSession');
    await expectPayable(app, app.merchant);
  });

  test('must be a known operation other than sign-in', async ({ app }) => {
    for (const names of [['deleteEverything'], ['signIn'], ['me'], []]) {
      await expect(switchTo(app, 'off', ...names)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  test('is recorded in the audit trail once', async ({ app }) => {
    const count = () =>
      app.context.service.prisma.auditEntry.count({ where: { action: 'operations.disabled' } });
    const before = await count();
    await Promise.all(Array.from({ length: 5 }, () => switchTo(app, 'off', 'forex')));
    expect(await count()).toBe(before + 1);
  });
});

describe('Restricted access', () => {
  test.for([
    'POST /charges',
    'POST /charges/hash',
    'POST /customers/phone/verification',
    'POST /customers/phone/verify',
    'GET /translations',
  ])(
    'is required by %s for live keys before the input is validated, and never for sandbox keys',
    async (route, { app }) => {
      const { keys } = await seedMerchant(app.context.service, { restricted: 'none' });
      const [method, path] = route.split(' ') as ['GET', string];
      expect(operations[route]?.restricted).toBe(true);
      const live = await callApi(app.app, { method, url: path, keys: keys.live });
      expect([live.status, live.json.code]).toEqual([403, 'restricted_endpoint']);
      const sandbox = await callApi(app.app, { method, url: path, keys: keys.sandbox });
      expect(sandbox.status).toBe(400);
    },
  );

  test('is not required by the service’s own pages', async ({ app }) => {
    await expectPayable(app, await seedMerchant(app.context.service, { restricted: 'none' }));
  });

  test('is required over GraphQL for live keys and for users, but not for sandbox keys', async ({ app }) => {
    const other = await seedMerchant(app.context.service, { restricted: 'none' });
    const owner = await signInAs('owner', app, other);
    const phone = '{ code: "+852", phone: "51234567" }';
    const mutations = [
      'createCharge(input: { email: "a@example.com", merchantAmount: "1", merchantCurrency: "HKD", method: fps })',
      'createChargeHash(input: { merchantAmount: "1", merchantCurrency: "HKD" })',
      `requestPhoneVerification(input: { phone: ${phone} })`,
      `verifyPhone(input: { phone: ${phone}, code: "000000" })`,
    ];
    for (const mutation of mutations) {
      const query = `mutation { it: ${mutation} { __typename ... on UserError { code } } }`;
      const permissionError = { __typename: 'PermissionError', code: 'restricted_endpoint' };
      expect((await app.ask(query, { as: other.keys.live })).data.it).toEqual(permissionError);
      for (const mode of ['live', 'sandbox'] as const) {
        expect((await owner.ask(query, { mode })).data.it).toEqual(permissionError);
      }
      expect((await app.ask(query, { as: other.keys.sandbox })).data.it.code).not.toBe('restricted_endpoint');
    }
    const { errors } = await app.ask('{ translation(locale: en) }', { as: other.keys.live });
    expect(errors[0].extensions.code).toBe('restricted_endpoint');
  });
});

test('A disabled account is rejected everywhere until it is enabled again', async ({ app }) => {
  const owner = await signInAs('owner', app, app.merchant);
  const { live } = app.merchant.keys;
  const { data: created } = await app.ask(
    'mutation { createSession(input: { amount: "5", currency: "HKD" }) { ... on CreateSessionSuccess { clientToken session { checkoutUrl } } } }',
  );
  const address = toPath(created.createSession.session.checkoutUrl);
  await account(app, true);
  for (const [method, path] of routes) {
    const { status, json } = await call(app, method, path);
    expect([path, status, json.code]).toEqual([path, 403, 'account_disabled']);
  }
  expect((await app.ask('{ me { id } }')).errors[0].extensions.code).toBe('account_disabled');
  const page = { token: created.createSession.clientToken };
  expect((await app.ask('{ paymentMethods { name } }', { as: page })).errors[0].extensions.code).toBe(
    'account_disabled',
  );
  expect((await owner.ask('{ me { id } }')).errors[0].extensions.code).toBe('account_disabled');
  const visitor = createPageVisitor(app.app);
  const bare = `/checkout?apiKey=${live.publishableKey}&amount=20&currency=HKD`;
  expect((await visitor.get(bare)).status).toBe(403);
  expect((await visitor.get(address)).status).toBe(403);
  await account(app, false);
  expect((await call(app, 'GET', '/charges')).status).toBe(200);
  expect((await visitor.get(bare)).status).toBe(200);
});
