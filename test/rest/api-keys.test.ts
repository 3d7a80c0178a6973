import { describe, expect, onTestFinished } from 'vitest';
import { listOperationNames } from '../../schema/operation-names.ts';
import { schema } from '../../schema/schema.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { setMerchantEnabled } from '../../src/domain/accounts/merchant/set-merchant-enabled.ts';
import { setOperationsEnabled } from '../../src/domain/accounts/merchant/set-operations-enabled.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { findOperation } from '../../src/rest/find-operation.ts';
import { operations, type RestOperation } from '../../src/rest/operations.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest, graphqlTest } from '../setup/app-fixtures.ts';
import { checkResponse } from '../setup/check-response.ts';
import { payForm } from '../setup/checkout.ts';
import { collectAuditEntries } from '../setup/database-state.ts';
import { type GraphqlApp, type Json, subscribeOverWebSocket } from '../setup/graphql.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedApiKey, seedCharge, seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

/** Calls every operation of the OpenAPI document as every kind of caller. */

const callerTest = appTest.extend('callers', { scope: 'file' }, async ({ service }) => {
  const [merchant, otherMerchant, disabled] = await Promise.all(
    Array.from({ length: 3 }, () => seedMerchant(service)),
  );
  const unrestricted = await seedMerchant(service, { restrictedAccess: 'none' });
  await service.prisma.merchant.update({ where: { id: disabled!.merchant.id }, data: { disabledAt: noon } });
  const { sandbox } = merchant!.keys;
  const revoked = await seedApiKey(service, merchant!, { mode: 'sandbox' });
  await service.prisma.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: noon } });
  const expired = await seedApiKey(service, merchant!, { mode: 'sandbox' });
  const expiresAt = minutesAfter(noon, -1);
  await service.prisma.apiKey.update({ where: { id: expired.id }, data: { expiresAt } });
  const withoutPermissions = await seedApiKey(service, merchant!, { mode: 'sandbox', permissions: [] });
  const callers: Record<string, string | undefined> = {
    'no credentials': undefined,
    'a wrong secret': basicAuth({ ...sandbox, apiSecret: 'cs_test_wrong' }),
    'the secret of another key': basicAuth({ ...sandbox, apiSecret: otherMerchant!.keys.sandbox.apiSecret }),
    'an unknown key': basicAuth({ ...sandbox, apiKey: 'ck_test_unknown' }),
    'a publishable key': basicAuth({ ...sandbox, apiKey: sandbox.publishableKey }),
    'a bearer token': 'Bearer ch_1.x',
    'a revoked key': basicAuth(revoked),
    'an expired key': basicAuth(expired),
    'a disabled merchant': basicAuth(disabled!.keys.sandbox),
    'a key without permissions': basicAuth(withoutPermissions),
    'a live key without restricted access': basicAuth(unrestricted.keys.live),
  };
  return callers;
});

const rejections: Record<string, [status: number, code: string]> = {
  'no credentials': [401, 'unauthenticated'],
  'a wrong secret': [401, 'unauthenticated'],
  'the secret of another key': [401, 'unauthenticated'],
  'an unknown key': [401, 'unauthenticated'],
  'a publishable key': [401, 'unauthenticated'],
  'a bearer token': [401, 'unauthenticated'],
  'a revoked key': [401, 'unauthenticated'],
  'an expired key': [401, 'unauthenticated'],
  'a disabled merchant': [403, 'account_disabled'],
  'a key without permissions': [403, 'permission_denied'],
};

async function call(app: TestApp, name: string, operation: RestOperation, authorization: string | undefined) {
  const [method = '', path = ''] = name.split(' ');
  const query = {
    'GET /forex': '?sourceCurrency=HKD&sourceAmount=1&destinationCurrency=HKD',
    'GET /translations': '?locale=en',
  };
  const url = path.replace('{id}', 'none') + (query[name as keyof typeof query] ?? '');
  const response = await app.app.inject({
    method: method as 'POST',
    url,
    headers: { ...(authorization !== undefined && { authorization }) },
    ...(operation.exampleRequest && { payload: operation.exampleRequest }),
  });
  const { statusCode: status, body } = response;
  checkResponse(app.app, {
    method,
    url,
    status,
    contentType: String(response.headers['content-type']),
    body,
  });
  const isProblem = String(response.headers['content-type']).includes('problem');
  return { status, code: isProblem ? response.json().code : undefined, headers: response.headers };
}

const auditTest = graphqlTest.extend('owner', ({ app }) => signInAs('owner', app, app.merchant));

/** Changes by API keys over REST are audited, like those by users. */

const readEntries = (app: GraphqlApp, change: () => Promise<unknown>) =>
  collectAuditEntries(app.context.service, change);

const auditCall = (app: GraphqlApp, method: 'POST' | 'PATCH', url: string, body?: object, headers = {}) =>
  callApi(app.app, { method, url, keys: app.merchant.keys.live, ...(body && { body }), headers });

const pending = (app: GraphqlApp, email: string) =>
  seedCharge(app.context.service, app.merchant, { input: { email }, now: app.context.clock.now() });

async function seedPaidCharge(app: GraphqlApp): Promise<string> {
  const { service, clock } = app.context;
  const charge = await pending(app, `${crypto.randomUUID()}@example.com`);
  await payCharge(service, app.merchant, charge, { now: clock.now() });
  return charge.id;
}

/** The operations that the interface restricts. */
const restrictedRoutes = [
  'POST /charges',
  'POST /charges/hash',
  'POST /customers/phone/verification',
  'POST /customers/phone/verify',
  'GET /translations',
];

describe('Caller', () => {
  describe.each(Object.entries(operations))('%s', (name, operation) => {
    callerTest.for(Object.entries(rejections))('rejects %s', async ([caller, expected], { app, callers }) => {
      const { status, code, headers } = await call(app, name, operation, callers[caller]);
      expect([status, code]).toEqual(expected);
      expect(headers['www-authenticate']).toBe(
        status === 401 ? 'Basic realm="Causeway", charset="UTF-8"' : undefined,
      );
    });

    callerTest(
      'requires restricted access if and only if the interface says so',
      async ({ app, callers }) => {
        const { code } = await call(app, name, operation, callers['a live key without restricted access']);
        expect(code === 'restricted_endpoint').toBe(restrictedRoutes.includes(name));
      },
    );
  });
});

describe('Last use', () => {
  const test = appTest;

  const request = (app: TestApp, keys: Parameters<typeof callApi>[1]['keys']) =>
    callApi(app.app, { method: 'GET', url: '/charges', keys });

  test('The last use of a key is accurate to five minutes, and not written with every request', async ({
    app,
    clock,
  }) => {
    clock.set(noon);
    const { keys } = await seedMerchant(app.context.service);
    const { id, lastUsedAt: before } = await app.context.service.prisma.apiKey.findUniqueOrThrow({
      where: { key: keys.live.apiKey },
    });
    const used = async () =>
      (await app.context.service.prisma.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt;
    const version = async () => {
      const [row] = await app.context.service.prisma.$queryRaw<{ xmin: string }[]>`
      SELECT xmin::text FROM api_key WHERE id = ${id}`;
      return row?.xmin;
    };
    expect(before).toBeNull();
    await request(app, keys.live);
    expect(await used()).toEqual(noon);
    const written = await version();
    clock.set(minutesAfter(noon, 4));
    await Promise.all(Array.from({ length: 20 }, () => request(app, keys.live)));
    expect([await version(), await used()]).toEqual([written, noon]);
    clock.set(minutesAfter(noon, 5));
    await Promise.all(Array.from({ length: 20 }, () => request(app, keys.live)));
    expect(await used()).toEqual(minutesAfter(noon, 5));
    await request(app, { ...keys.live, apiSecret: 'cs_live_wrong' });
    clock.set(minutesAfter(noon, 60));
    await request(app, { ...keys.live, apiSecret: 'cs_live_wrong' });
    expect(await used()).toEqual(minutesAfter(noon, 5));
    clock.set(noon);
  });
});

describe('Audit trail', () => {
  auditTest(
    'A change by an API key is recorded with the key and its address, once for each idempotency key',
    async ({ app }) => {
      const chargeId = await seedPaidCharge(app);
      const createRefund = () =>
        auditCall(
          app,
          'POST',
          '/refunds',
          { chargeId, customerAmount: 1 },
          { 'idempotency-key': 'audit refund' },
        );
      const entries = await readEntries(app, async () => {
        expect([(await createRefund()).status, (await createRefund()).status]).toEqual([201, 201]);
      });
      expect(entries).toMatchObject([
        {
          action: 'refund.created',
          actor: expect.stringMatching(/^key:key_/),
          ipAddress: '127.0.0.1',
          mode: 'live',
        },
      ]);
    },
  );

  auditTest('Links, sessions, transfers and cancellations by API keys are recorded', async ({ app }) => {
    const { id, receivingAccountId } = await pending(app, 'rest@example.com');
    const { publishableKey: apiKey } = app.merchant.keys.live;
    const plan = await seedPlan(app.context.service, app.merchant, { now: app.context.clock.now() });
    const paidAt = app.context.clock.now().toISOString();
    const transfer = {
      id: 'audit-1',
      receivingAccountId,
      amount: 1,
      currency: 'HKD',
      reference: 'none',
      paidAt,
    };
    const entries = await readEntries(app, async () => {
      const responses = [
        await auditCall(app, 'POST', '/sessions', { amount: 5, currency: 'HKD' }),
        await auditCall(app, 'POST', '/checkout-link', { amount: 5, currency: 'HKD', apiKey }),
        await auditCall(app, 'POST', '/subscription-link', { subscriptionPlanId: plan.id }),
        await auditCall(app, 'POST', '/transfers', { transfers: [transfer] }),
        await auditCall(app, 'PATCH', `/charges/${id}/cancel`),
      ];
      expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'session.created',
      'checkout_link.created',
      'subscription_link.created',
      'transfer.recorded',
      'charge.cancelled',
    ]);
    expect(entries.at(-1)?.objectId).toBe(id);
  });

  auditTest(
    'A charge that a key creates has an audit entry and an event with the key and its address',
    async ({ app, owner }) => {
      const body = { email: 'many@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
      let id = '';
      const entries = await readEntries(app, async () => {
        id = ((await auditCall(app, 'POST', '/charges', body)).json as Json).id;
      });
      const [entry] = entries;
      expect(entries).toMatchObject([
        {
          action: 'charge.created',
          objectId: id,
          actor: expect.stringMatching(/^key:key_/),
          ipAddress: '127.0.0.1',
        },
      ]);
      const event = await app.context.service.prisma.event.findFirstOrThrow({ where: { objectId: id } });
      expect(event).toMatchObject({
        type: 'charge_created',
        actor: entry!.actor,
        ipAddress: '127.0.0.1',
      });
      // GraphQL returns the same values.
      const { data } =
        await app.ask(`mutation { createCharge(input: { email: "many@example.com", merchantAmount: "6",
    merchantCurrency: "HKD", method: fps }) { ... on CreateChargeSuccess { charge { id } } } }`);
      const byGraphql = await app.context.service.prisma.event.findFirstOrThrow({
        where: { objectId: data.createCharge.charge.id },
      });
      expect(byGraphql).toMatchObject({ actor: event.actor, ipAddress: '127.0.0.1' });
      // Only users who may read the audit trail see it.
      const actor = { kind: 'api_key', objectId: event.actor.slice('key:'.length) };
      const eventQuery = `{ event(id: "${event.id}") { actor { kind objectId } ipAddress } }`;
      expect((await owner.ask(eventQuery)).data.event).toEqual({
        actor,
        ipAddress: '127.0.0.1',
      });
      const support = await signInAs('support', app, app.merchant);
      const result = await support.ask(eventQuery);
      expect(result.data.event).toEqual({ actor, ipAddress: null });
      expect(result.errors[0].extensions.code).toBe('permission_denied');
    },
  );

  auditTest('A rejected request leaves no audit entry', async ({ app }) => {
    const entries = await readEntries(app, async () => {
      expect(
        (
          await auditCall(app, 'POST', '/refunds', {
            chargeId: await seedPaidCharge(app),
            customerAmount: 999,
          })
        ).status,
      ).toBe(422);
    });
    expect(entries).toEqual([]);
  });
});

describe('Disabled operations and accounts', () => {
  const test = graphqlTest;

  /** Operators disable single operations or an account of a merchant, for all transports together. */

  const allOperations = listOperationNames(schema);

  const routes = Object.keys(operations).map(
    (route) => route.split(' ') as ['GET' | 'POST' | 'PATCH', string],
  );

  const by = (app: GraphqlApp) => ({
    actor: 'operator',
    merchantId: app.merchant.merchant.id,
    now: new Date(),
  });

  const switchTo = (app: GraphqlApp, to: 'on' | 'off', ...names: string[]) =>
    setOperationsEnabled(app.context.service, {
      ...by(app),
      operations: names,
      isEnabled: to === 'on',
      allOperations,
    });

  const account = (app: GraphqlApp, disabled: boolean) =>
    setMerchantEnabled(app.context.service, { ...by(app), isEnabled: !disabled });

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

  /** Expects that the checkout page of the merchant's bare URL creates a charge. */
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
      const name = findOperation(method, path.replace('{id}', ':id'))?.name ?? '';
      expect(allOperations).toContain(name);
      await switchTo(app, 'off', name);
      for (const keys of [app.merchant.keys.live, app.merchant.keys.sandbox]) {
        const { status, json } = await call(app, method, path, keys);
        expect([status, json.code, json.detail]).toEqual([
          403,
          'permission_denied',
          `The operator of this server has disabled the operation ${name} for your account; ask them to enable it`,
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
        message:
          'The operator of this server has disabled the operation cancelCharge for your account; ask them to enable it',
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
    test.for(restrictedRoutes)(
      'is required by %s for live keys before the input is validated, and never for sandbox keys',
      async (route, { app }) => {
        const { keys } = await seedMerchant(app.context.service, { restrictedAccess: 'none' });
        const [method, path] = route.split(' ') as ['GET', string];
        expect(operations[route]?.isRestricted).toBe(true);
        const live = await callApi(app.app, { method, url: path, keys: keys.live });
        expect([live.status, live.json.code]).toEqual([403, 'restricted_endpoint']);
        const sandbox = await callApi(app.app, { method, url: path, keys: keys.sandbox });
        expect(sandbox.status).toBe(400);
      },
    );

    test('is not required by the service’s own pages', async ({ app }) => {
      await expectPayable(app, await seedMerchant(app.context.service, { restrictedAccess: 'none' }));
    });

    test('is required over GraphQL of keys and users in live mode, but not in the sandbox', async ({
      app,
    }) => {
      const other = await seedMerchant(app.context.service, { restrictedAccess: 'none' });
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
        expect((await owner.ask(query, { mode: 'live' })).data.it).toEqual(permissionError);
        const inSandbox = [
          await owner.ask(query, { mode: 'sandbox' }),
          await app.ask(query, { as: other.keys.sandbox }),
        ];
        for (const { data } of inSandbox) expect(data.it.code).not.toBe('restricted_endpoint');
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
});
