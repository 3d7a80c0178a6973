import type { GraphQLInputType } from 'graphql';
import { describe, expect } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { getRootFieldOptions } from '../../schema/kit/root-field-options.ts';
import { schema } from '../../schema/schema.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { hashTables } from '../setup/database-state.ts';
import { clockTest } from '../setup/fixtures.ts';
import { type Route, setupFullApp } from '../setup/full-app.ts';
import { type GraphqlApp, type Json, mutate } from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { updateAccountByApi } from '../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedApiKey, seedCharge } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';
import { authenticatorCode, enableTwoFactor, reauthenticate, signInWithTwoFactor } from '../setup/users.ts';
import { createVisitor, publicOrigin } from '../setup/visitor.ts';
import { twoFactorRules } from './two-factor-rules.ts';

type FullApp = Awaited<ReturnType<typeof setupFullApp>>;

const test = clockTest
  .extend('app', { scope: 'file' }, async ({ onFileCleanup, fileClock }) => {
    const app = await setupFullApp(onFileCleanup, { clock: fileClock });
    await createExportFiles(app);
    return app;
  })
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service);

const getCode = ({ code, __typename }: Json): string => code ?? __typename;

test('A code is valid for 15 minutes in one session, and neither the sandbox nor API keys require it', async ({
  app,
  clock,
}) => {
  const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
  const { prisma } = app.context.service;
  const merchantId = app.merchant.merchant.id;
  const [live, sandbox] = await Promise.all(
    (['live', 'sandbox'] as const).map((mode) =>
      prisma.receivingAccount.findFirstOrThrow({ where: { merchantId, mode, method: 'fps' } }),
    ),
  );
  let weight = 0;
  const change = async (id: string | undefined, ask: typeof owner.ask = owner.ask) =>
    getCode(await updateAccountByApi(ask, { id, weight: ++weight }));
  expect(await change(live?.id)).toBe('two_factor_code_required');
  expect((await mutate(owner, 'reauthenticate', { code: '000000' })).code).toBe('verification_code_invalid');
  expect((await mutate(owner, 'reauthenticate', { password })).code).toBe('two_factor_code_required');
  const reauthenticatedAt = clock.now();
  await reauthenticate(owner, { secret, clock });
  expect(await change(live?.id)).toBe('UpdateReceivingAccountSuccess');

  // A code that signs in elsewhere re-authenticates neither session.
  clock.set(minutesAfter(reauthenticatedAt, 3));
  const elsewhere = createVisitor(app.app, { address: '203.0.113.8' });
  await elsewhere.signIn(owner.email, password, { code: authenticatorCode(secret, clock.now()) });
  expect(await change(live?.id, elsewhere.ask)).toBe('two_factor_code_required');
  clock.set(minutesAfter(reauthenticatedAt, 14));
  expect(await change(live?.id)).toBe('UpdateReceivingAccountSuccess');
  clock.set(minutesAfter(reauthenticatedAt, 15));
  expect(await change(live?.id)).toBe('two_factor_code_required');

  const sandboxed: typeof owner.ask = (query, options) => owner.ask(query, { ...options, mode: 'sandbox' });
  expect(await change(sandbox?.id, sandboxed)).toBe('UpdateReceivingAccountSuccess');
  const byKey = await updateAccountByApi(app.ask, { id: live?.id, weight: 7 });
  expect(byKey.__typename).toBe('UpdateReceivingAccountSuccess');
});

test('Without two-factor authentication the password re-authenticates, until it is enabled', async ({
  app,
  clock,
}) => {
  const owner = await signInAs('owner', app, app.merchant);
  const until = async () =>
    (await owner.ask('{ viewer { reauthenticatedUntil } }')).data.viewer.reauthenticatedUntil;
  expect(await mutate(owner, 'reauthenticate', {})).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: '/password' }],
  });
  expect((await mutate(owner, 'reauthenticate', { code: '123456' })).code).toBe('invalid_request');
  expect((await mutate(owner, 'reauthenticate', { password: 'wrong' })).code).toBe('permission_denied');
  expect(await until()).toBe(null);
  expect((await mutate(owner, 'reauthenticate', { password })).__typename).toBe('ReauthenticateSuccess');
  expect(await until()).toBe(minutesAfter(noon, 15).toISOString());
  await enableTwoFactor(owner, { password, clock });
  expect(await until()).toBe(null);
  const key = { name: 'Till', kind: 'secret', permissions: ['manage'] };
  expect(getCode(await mutate(owner, 'createApiKey', key))).toBe('two_factor_code_required');
});

describe('The table of operations', () => {
  const mutations = Object.values(schema.getMutationType()!.getFields());

  test('contains every mutation and every file route that accepts the session of a user, and nothing else', async ({
    app,
  }) => {
    const owner = await signInAs('owner', app, app.merchant);
    // test/security/re-authentication.test.ts covers the job dashboard, which only a start adds.
    const routes = ['POST /jobs'];
    for (const route of app.routes.filter(isApiRoute))
      if (await acceptsSession(app, route, owner)) routes.push(`${route.method} ${route.url}`);
    for (const { name, extensions } of mutations)
      expect([name, getRootFieldOptions(extensions).twoFactor]).toEqual([name, twoFactorRules[name]]);
    expect(Object.keys(twoFactorRules).sort()).toEqual(
      [...routes, ...mutations.map(({ name }) => name)].sort(),
    );
  });

  const protectedOperations = Object.entries(twoFactorRules).filter(
    ([operation, rule]) => rule !== 'never' && rule !== 'account' && operation !== 'POST /jobs',
  );
  const operators = new Set([
    'createMerchant',
    'declineRestrictedAccess',
    'setMerchantEnabled',
    'grantRestrictedAccess',
    'removeExchangeRate',
    'setExchangeRate',
    'setOperationsEnabled',
  ]);

  test('rejects every operation that requires a code, and changes nothing', async ({ app, clock }) => {
    const { user: owner } = await signInWithTwoFactor('owner', app, { clock });
    const { user: operator } = await signInWithTwoFactor('operator', app, { clock });
    const before = await hashTables(app.context.service);
    for (const [operation] of protectedOperations) {
      const code = await attempt(app, operation, operators.has(operation) ? operator : owner);
      expect([operation, code]).toEqual([operation, 'two_factor_code_required']);
    }
    expect(await hashTables(app.context.service)).toEqual(before);
  });

  test('accepts them with a recent code, in the sandbox if they belong to a mode, and by API keys', async ({
    app,
    clock,
  }) => {
    const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
    const { user: operator, secret: operatorSecret } = await signInWithTwoFactor('operator', app, { clock });
    for (const [operation, rule] of protectedOperations) {
      if (rule === 'always') continue;
      const code = await attempt(app, operation, owner, 'sandbox');
      expect(code, operation).not.toBe('two_factor_code_required');
    }
    await reauthenticate(owner, { secret, clock });
    await reauthenticate(operator, { secret: operatorSecret, clock });
    for (const [operation] of protectedOperations) {
      const code = await attempt(app, operation, operators.has(operation) ? operator : owner);
      expect(code, operation).not.toBe('two_factor_code_required');
      if (operation.includes(' ')) continue;
      const byKey = await call(operation, (query) => app.ask(query));
      expect(byKey, operation).not.toBe('two_factor_code_required');
    }
  });

  test('does not require a code of callers without the permission', async ({ app, clock }) => {
    const developer = await signInAs('developer', app, app.merchant);
    await enableTwoFactor(developer, { password, clock });
    for (const name of ['createRefund', 'recordTransfers', 'updateMerchantSettings'])
      expect([name, await attempt(app, name, developer)]).toEqual([name, 'permission_denied']);
  });

  test('requires a code to download files of payouts, and for no other export', async ({ app, clock }) => {
    const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
    const { service } = app.context;
    const download = async (kind: 'payouts' | 'charges') =>
      (await downloadExport(app, owner, kind, 'live')) ?? 'file';
    expect(getCode(await mutate(owner, 'createExport', { kind: 'charges' }))).toBe('CreateExportSuccess');
    expect([await download('charges'), await download('payouts')]).toEqual([
      'file',
      'two_factor_code_required',
    ]);
    const actor = { startsWith: 'user:' };
    const where = { action: 'export.downloaded', createdAt: clock.now(), actor };
    const downloads = () => service.prisma.auditEntry.count({ where });
    expect(await downloads()).toBe(0);
    await reauthenticate(owner, { secret, clock });
    expect(await download('payouts')).toBe('file');
    expect(await downloads()).toBe(1);
  });
});

/** Routes of the API and of files, in contrast to pages. */
function isApiRoute({ method, url }: Route): boolean {
  return (
    method !== 'OPTIONS' && !/^\/(?:graphql|jobs|pay|checkout|dashboard|assets|icons|docs|demo)\b/.test(url)
  );
}

/** Whether a route that requires credentials accepts the session’s cookie. */
async function acceptsSession(app: FullApp, { method, url }: Route, owner: SignedInUser): Promise<boolean> {
  const options = { method: method as 'GET', url: url.replaceAll(/:\w+/g, 'x') };
  const anonymous = await app.app.inject(options);
  if (anonymous.statusCode !== 401) return false;
  return (await app.app.inject({ ...options, headers: toHeaders(owner) })).statusCode !== 401;
}

function toHeaders(owner: SignedInUser): Record<string, string> {
  return { cookie: owner.cookie()!, origin: publicOrigin };
}

/** Finished exports, by `exp_<kind>_<mode>`. */
async function createExportFiles(app: FullApp): Promise<void> {
  const finished = {
    status: 'completed',
    options: {},
    createdBy: 'test',
    createdAt: noon,
    finishedAt: noon,
  } as const;
  const merchantId = app.merchant.merchant.id;
  const data = (['payouts', 'charges'] as const).flatMap((kind) =>
    (['live', 'sandbox'] as const).map((mode) => ({
      ...{ ...finished, id: `exp_${kind}_${mode}`, merchantId, mode, kind, format: 'csv' },
      ...{ fileName: `${kind}.csv`, expiresAt: minutesAfter(noon, 600) },
    })),
  );
  await app.context.service.prisma.export.createMany({ data });
}

/** The code of the error; undefined for the file. */
async function downloadExport(
  app: FullApp,
  user: SignedInUser,
  kind: 'payouts' | 'charges',
  mode: 'live' | 'sandbox',
): Promise<string | undefined> {
  const url = `/exports/exp_${kind}_${mode}/file?mode=${mode}`;
  const response = await app.app.inject({ url, headers: toHeaders(user) });
  return response.statusCode === 200 ? undefined : response.json().code;
}

/** Calls an operation of the table with sample input; returns the code of the error, if any. */
async function attempt(
  app: FullApp,
  operation: string,
  user: SignedInUser,
  mode: 'live' | 'sandbox' = 'live',
) {
  if (operation === 'PUT /uploads') {
    const headers = {
      ...toHeaders(user),
      'causeway-mode': mode,
      'content-type': 'application/octet-stream',
    };
    const response = await app.app.inject({ method: 'PUT', url: '/uploads', headers, payload: 'a file' });
    return response.json().code;
  }
  if (operation === 'GET /exports/:id/file') {
    return downloadExport(app, user, 'payouts', mode);
  }
  return call(operation, (query) => user.ask(query, { mode }));
}

async function call(operation: string, ask: (query: string) => Promise<{ data: Json; errors: Json }>) {
  const field = schema.getMutationType()!.getFields()[operation]!;
  const [arg] = field.args;
  const sample = arg && sampleInput(arg.type as GraphQLInputType);
  const input = operation === 'createExport' ? '{ kind: payouts }' : sample;
  const { data, errors } = await ask(
    `mutation { ${operation}${arg ? `(input: ${input})` : ''} { __typename ... on UserError { code message } } }`,
  );
  return data?.[operation]?.code ?? errors?.[0].extensions.code;
}

/** A refund of a paid live charge whose customer has given payout details; its id. */
async function createRefundWithDetails(app: GraphqlApp, service: Service): Promise<string> {
  const charge = await createPaidCharge(app, service);
  const input = { chargeId: charge.id, customerAmount: '5' };
  const { id } = (await mutate(app, 'createRefund', input, 'refund { id }')).refund;
  await mutate(app, 'submitRefundDetails', { id, ...payoutDetails });
  return id;
}

async function createPaidCharge(app: GraphqlApp, service: Service): Promise<Charge> {
  const charge = await seedCharge(service, app.merchant);
  await payCharge(service, app.merchant, charge, { now: noon });
  return charge;
}

const payoutDetails = { bank: '004', account: '123456789', accountName: 'Ada Wong' };

test('The bank details and the page of a live refund are shown only with a recent code', async ({
  app,
  service,
  clock,
}) => {
  const charge = await createPaidCharge(app, service);
  const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
  await reauthenticate(owner, { secret, clock });
  const [initiated, processing] = await Promise.all(
    [1, 2].map(
      async () =>
        (
          await mutate(
            app,
            'createRefund',
            { chargeId: charge.id, customerAmount: '5' },
            'refund { id detailsUrl }',
          )
        ).refund.id as string,
    ),
  );
  await mutate(app, 'submitRefundDetails', { id: processing, ...payoutDetails });
  const readRefunds = async (ask: (query: string) => Promise<{ data: Json }>) => {
    const { data } = await ask(`{ initiated: refund(id: "${initiated}") { detailsUrl }
      processing: refund(id: "${processing}") { payoutDetails { account } } }`);
    return [data.initiated.detailsUrl?.includes('/pay/refund/') ?? null, data.processing.payoutDetails];
  };
  const shown = [true, { account: payoutDetails.account }];
  expect(await readRefunds(owner.ask)).toEqual(shown);
  clock.advance(15 * minuteMs);
  expect(await readRefunds(owner.ask)).toEqual([null, null]);
  const colleague = await signInAs('owner', app, app.merchant);
  expect(await readRefunds(colleague.ask)).toEqual(shown);
  expect(await readRefunds(app.ask)).toEqual(shown);
});

test('Reading bank details creates one audit entry an hour for each reader and refund', async ({
  app,
  service,
  clock,
}) => {
  const id = await createRefundWithDetails(app, service);
  const owner = await signInAs('owner', app, app.merchant);
  const read = (ask: (query: string) => Promise<Json>) =>
    ask(`{ refundsAwaitingPayout(first: 50) { nodes { id payoutDetails { account } } } }`);
  const entries = () =>
    service.prisma.auditEntry.findMany({
      where: { action: 'refund.details_read', objectId: id },
      orderBy: { id: 'asc' },
      select: { actor: true, ipAddress: true, mode: true },
    });
  await owner.ask(`{ refund(id: "${id}") { status } }`);
  expect(await entries()).toEqual([]);
  await read(owner.ask);
  await read(owner.ask);
  await read(app.ask);
  const both = [
    { actor: expect.stringMatching(/^user:/), ipAddress: owner.address, mode: 'live' },
    { actor: expect.stringMatching(/^key:/), ipAddress: '127.0.0.1', mode: 'live' },
  ];
  expect(await entries()).toEqual(both);
  clock.advance(60 * minuteMs);
  await read(owner.ask);
  expect(await entries()).toEqual([...both, both[0]]);
});

test('A repeated response has no refund link for a user, and is complete for an API key', async ({
  app,
  service,
  clock,
}) => {
  const charge = await createPaidCharge(app, service);
  const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
  const query = `mutation { createRefund(input: { chargeId: "${charge.id}", customerAmount: "5" }) {
    ... on CreateRefundSuccess { refund { id detailsUrl charge { refunds { detailsUrl } } } } } }`;
  const headers = { 'idempotency-key': 'repeated' };
  await reauthenticate(owner, { secret, clock });
  const first = (await owner.ask(query, { headers })).data.createRefund.refund;
  expect(first.detailsUrl).toContain('/pay/refund/');
  clock.advance(15 * minuteMs);
  const repeated = (await owner.ask(query, { headers })).data.createRefund.refund;
  expect(repeated.id).toBe(first.id);
  expect(JSON.stringify(repeated)).not.toContain('/pay/refund/');

  const byKey = { headers: { 'idempotency-key': 'repeated by a key' } };
  const responses = [await app.ask(query, byKey), await app.ask(query, byKey)];
  expect(responses[1]!.data).toEqual(responses[0]!.data);
  expect(JSON.stringify(responses[1]!.data)).toContain('/pay/refund/');
});

test('A key that may only record transfers reopens a refund without seeing its page', async ({
  app,
  service,
}) => {
  const id = await createRefundWithDetails(app, service);
  const reopen = (as: Json) =>
    mutate(app, 'reopenRefund', { id, reason: 'The account is closed' }, 'refund { detailsUrl }', as);
  const transfers = await seedApiKey(service, app.merchant, { permissions: ['read', 'transfers'] });
  expect((await reopen(transfers)).refund).toEqual({ detailsUrl: null });
  await mutate(app, 'submitRefundDetails', { id, ...payoutDetails });
  const both = await seedApiKey(service, app.merchant, { permissions: ['read', 'transfers', 'refund'] });
  expect((await reopen(both)).refund.detailsUrl).toContain('/pay/refund/');
});
