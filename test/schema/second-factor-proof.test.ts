import type { GraphQLInputType } from 'graphql';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { twoFactorRules } from '../../src/domain/accounts/user/two-factor-rules.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { hashTables } from '../setup/database-state.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type Route, setupFullApp } from '../setup/full-app.ts';
import { type Json, mutate } from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { updateAccountByApi } from '../setup/receiving-accounts.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { authenticatorCode, enableTwoFactor, reauthenticate, signInWithTwoFactor } from '../setup/users.ts';
import { createVisitor, publicOrigin } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Users who have two-factor authentication enter a code again before they move live money. */

const clock = createFakeClock(noon);
let app: Awaited<ReturnType<typeof setupFullApp>>;

beforeAll(async () => {
  app = await setupFullApp(onCleanup, { clock });
  await createExportFiles();
});

beforeEach(() => clock.set(noon));

const codeOf = ({ code, __typename }: Json): string => code ?? __typename;

test('a code counts for 15 minutes and in one session; neither the sandbox nor API keys need it', async () => {
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
    codeOf(await updateAccountByApi(ask, { id, weight: ++weight }));
  expect(await change(live?.id)).toBe('second_factor_required');
  expect((await mutate(owner, 'reauthenticate', { code: '000000' })).code).toBe('verification_code_invalid');
  expect((await mutate(owner, 'reauthenticate', { password })).code).toBe('second_factor_required');
  const provedAt = clock.now();
  await reauthenticate(owner, { secret, clock });
  expect(await change(live?.id)).toBe('UpdateReceivingAccountSuccess');

  // A code that signs in elsewhere counts neither there nor here.
  clock.set(minutesAfter(provedAt, 3));
  const elsewhere = createVisitor(app.app, { address: '203.0.113.8' });
  await elsewhere.signIn(owner.email, password, { code: authenticatorCode(secret, clock.now()) });
  expect(await change(live?.id, elsewhere.ask)).toBe('second_factor_required');
  clock.set(minutesAfter(provedAt, 14));
  expect(await change(live?.id)).toBe('UpdateReceivingAccountSuccess');
  clock.set(minutesAfter(provedAt, 15));
  expect(await change(live?.id)).toBe('second_factor_required');

  const sandboxed: typeof owner.ask = (query, options) => owner.ask(query, { ...options, mode: 'sandbox' });
  expect(await change(sandbox?.id, sandboxed)).toBe('UpdateReceivingAccountSuccess');
  const byKey = await updateAccountByApi(app.ask, { id: live?.id, weight: 7 });
  expect(byKey.__typename).toBe('UpdateReceivingAccountSuccess');
});

test('without two-factor authentication the password re-authenticates, and enabling it forgets that', async () => {
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
  expect(codeOf(await mutate(owner, 'createApiKey', key))).toBe('second_factor_required');
});

describe('the table of operations', () => {
  const mutations = Object.values(schema.getMutationType()!.getFields());

  test('has every mutation and every file route that accepts the session of a user, and nothing else', async () => {
    const owner = await signInAs('owner', app, app.merchant);
    // test/security/third-attack-codes.test.ts has the job dashboard, which only a start adds.
    const routes = ['POST /jobs'];
    for (const route of app.routes.filter(isApiRoute))
      if (await acceptsSession(route, owner)) routes.push(`${route.method} ${route.url}`);
    expect(Object.keys(twoFactorRules).sort()).toEqual(
      [...routes, ...mutations.map(({ name }) => name)].sort(),
    );
  });

  const asking = Object.entries(twoFactorRules).filter(
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

  test('rejects every operation that needs a code, and nothing changes', async () => {
    const { user: owner } = await signInWithTwoFactor('owner', app, { clock });
    const { user: operator } = await signInWithTwoFactor('operator', app, { clock });
    const before = await hashTables(app.context.service);
    for (const [operation] of asking) {
      const code = await attempt(operation, operators.has(operation) ? operator : owner);
      expect([operation, code]).toEqual([operation, 'second_factor_required']);
    }
    expect(await hashTables(app.context.service)).toEqual(before);
  });

  test('lets them pass with a recent code, in the sandbox where they belong to a mode, and by API keys', async () => {
    const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
    const { user: operator, secret: theirs } = await signInWithTwoFactor('operator', app, { clock });
    for (const [operation, rule] of asking) {
      if (rule === 'always') continue;
      const code = await attempt(operation, owner, 'sandbox');
      expect(code, operation).not.toBe('second_factor_required');
    }
    await reauthenticate(owner, { secret, clock });
    await reauthenticate(operator, { secret: theirs, clock });
    for (const [operation] of asking) {
      const code = await attempt(operation, operators.has(operation) ? operator : owner);
      expect(code, operation).not.toBe('second_factor_required');
      if (operation.includes(' ')) continue;
      const byKey = await call(operation, (query) => app.ask(query));
      expect(byKey, operation).not.toBe('second_factor_required');
    }
  });

  test('does not ask callers for a code who lack the permission', async () => {
    const developer = await signInAs('developer', app, app.merchant);
    await enableTwoFactor(developer, { password, clock });
    for (const name of ['createRefund', 'recordTransfers', 'updateMerchantSettings'])
      expect([name, await attempt(name, developer)]).toEqual([name, 'permission_denied']);
  });

  test('asks for a code for files of payouts, to create and to download them, and for no other export', async () => {
    const { user: owner, secret } = await signInWithTwoFactor('owner', app, { clock });
    const { service } = app.context;
    const download = async (kind: 'payouts' | 'charges') => (await downloadOf(owner, kind, 'live')) ?? 'file';
    expect(codeOf(await mutate(owner, 'createExport', { kind: 'charges' }))).toBe('CreateExportSuccess');
    expect([await download('charges'), await download('payouts')]).toEqual([
      'file',
      'second_factor_required',
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

/** Whether a route takes the session's cookie for credentials, where it takes credentials at all. */
async function acceptsSession({ method, url }: Route, owner: SignedInUser): Promise<boolean> {
  const options = { method: method as 'GET', url: url.replaceAll(/:\w+/g, 'x') };
  const anonymous = await app.app.inject(options);
  if (anonymous.statusCode !== 401) return false;
  return (await app.app.inject({ ...options, headers: headersOf(owner) })).statusCode !== 401;
}

function headersOf(owner: SignedInUser): Record<string, string> {
  return { cookie: owner.cookie()!, origin: publicOrigin };
}

/** Finished exports, by `exp_<kind>_<mode>`. */
async function createExportFiles(): Promise<void> {
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
async function downloadOf(
  user: SignedInUser,
  kind: 'payouts' | 'charges',
  mode: 'live' | 'sandbox',
): Promise<string | undefined> {
  const url = `/exports/exp_${kind}_${mode}/file?mode=${mode}`;
  const answer = await app.app.inject({ url, headers: headersOf(user) });
  return answer.statusCode === 200 ? undefined : answer.json().code;
}

/** Tries an operation of the table with some input: the code of the error, or that there was none. */
async function attempt(operation: string, user: SignedInUser, mode: 'live' | 'sandbox' = 'live') {
  if (operation === 'PUT /uploads') {
    const headers = {
      ...headersOf(user),
      'causeway-mode': mode,
      'content-type': 'application/octet-stream',
    };
    const answer = await app.app.inject({ method: 'PUT', url: '/uploads', headers, payload: 'a file' });
    return answer.json().code;
  }
  if (operation === 'GET /exports/:id/file') {
    return downloadOf(user, 'payouts', mode);
  }
  return call(operation, (query) => user.ask(query, { mode }));
}

async function call(operation: string, ask: (query: string) => Promise<{ data: Json; errors: Json }>) {
  const field = schema.getMutationType()!.getFields()[operation]!;
  const sample = sampleInput(field.args[0]!.type as GraphQLInputType);
  const input = operation === 'createExport' ? '{ kind: payouts }' : sample;
  const { data, errors } = await ask(
    `mutation { ${operation}(input: ${input}) { __typename ... on UserError { code message } } }`,
  );
  return data?.[operation]?.code ?? errors?.[0].extensions.code;
}
