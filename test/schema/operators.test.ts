import { describe, expect } from 'vitest';
import { processResetRequests } from '../../src/domain/accounts/user/reset-password.ts';
import { queueNames } from '../../src/domain/operations/health/read-health.ts';
import { recordAudit } from '../../src/domain/platform/audit/record-audit.ts';
import { getRate } from '../../src/domain/platform/forex/get-rate.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { copyCompletedCharge } from '../setup/copy-rows.ts';
import { type Json, mutate } from '../setup/graphql.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { readLinkToken } from '../setup/users.ts';
import { createVisitor, getDashboardDocument, mutateAsPage } from '../setup/visitor.ts';

const test = fakeTimeGraphqlTest
  .extend('operator', { scope: 'file' }, ({ app }) => signInAs('operator', app))
  .extend('owner', { scope: 'file' }, ({ app }) => signInAs('owner', app, app.merchant));

async function findMerchants(operator: SignedInUser, search: string): Promise<string[]> {
  const { data } = await operator.ask(
    'query ($f: MerchantFilter) { merchants(filter: $f) { nodes { name } } }',
    {
      variables: { f: { search } },
    },
  );
  return data.merchants.nodes.map(({ name }: Json) => name);
}

describe('createMerchant', () => {
  test('creates a merchant without keys, with two certificates and sandbox accounts, and invites its owner by email', async ({
    app,
    service,
    operator,
  }) => {
    const input = { name: ' Lion City Books ', ownerEmail: 'Lin@Example.com' };
    const { merchant, invitationUrl } = await mutate(
      operator,
      'createMerchant',
      input,
      'merchant { id name restrictedAccess } invitationUrl',
    );
    expect(merchant).toMatchObject({ name: 'Lion City Books', restrictedAccess: 'none' });
    const { prisma } = service;
    const where = { merchantId: merchant.id };
    const tables = [prisma.apiKey, prisma.certificate, prisma.receivingAccount, prisma.merchantUser];
    const counts = await Promise.all(tables.map((table) => (table as typeof prisma.apiKey).count({ where })));
    expect(counts).toEqual([0, 2, 13, 0]);
    const token = await readLinkToken(service, 'lin@example.com', 'invitation');
    expect(invitationUrl).toBe(`${service.settings.publicUrl}/dashboard/invitation#${token}`);
    const newOwner = createVisitor(app.app, { address: '203.0.113.5' });
    const lin = { token, name: 'Lin', password: 'tea leaves at dawn' };
    await mutateAsPage(newOwner, 'acceptInvitation', lin);
    const { data } = await newOwner.ask(getDashboardDocument('Viewer'));
    expect(data.viewer).toMatchObject({ user: { role: 'owner' }, merchant: { id: merchant.id } });
    const entries = await prisma.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, actor }) => [action, actor.split(':')[0]])).toEqual([
      ['merchant.created', 'operator'],
      ['user.invited', 'operator'],
      ['user.created', 'user'],
    ]);
  });

  test('requires a name and an email address', async ({ operator }) => {
    expect(
      (await mutate(operator, 'createMerchant', { name: ' ', ownerEmail: 'x@example.com' })).errors,
    ).toEqual([{ path: '/name', message: 'must not be empty: it is shown to customers' }]);
    expect((await mutate(operator, 'createMerchant', { name: 'X', ownerEmail: 'x' })).errors[0].path).toBe(
      '/ownerEmail',
    );
  });

  test('creates merchants that operators find by part of the name, ID or email address of a user', async ({
    app,
    operator,
    owner,
  }) => {
    expect(await findMerchants(operator, 'harbour')).toEqual(['Harbour Teas']);
    expect(await findMerchants(operator, app.otherMerchant.merchant.id)).toEqual(['Peak Coffee']);
    expect(await findMerchants(operator, owner.email.toUpperCase())).toEqual(['Harbour Teas']);
    expect(await findMerchants(operator, '100%')).toEqual([]);
  });
});

describe('Exchange rates', () => {
  const rates = async (operator: SignedInUser): Promise<Json[]> =>
    (await operator.ask('{ exchangeRates { currency rate source isActive setByEmail } }')).data.exchangeRates;

  test('use a manual rate until a feed has a later one or an operator removes it', async ({
    app,
    service,
    operator,
  }) => {
    const { prisma } = service;
    const feed = { source: 'feed', base: 'EUR', baseRate: 1, updatedAt: noon };
    await prisma.forexRate.createMany({
      data: [
        { ...feed, currency: 'HKD', rate: '9.1', asOf: minutesAfter(noon, -60) },
        { ...feed, currency: 'USD', rate: '1.1', asOf: minutesAfter(noon, -60) },
      ],
    });
    const set = await mutate(
      operator,
      'setExchangeRate',
      { currency: 'HKD', rate: '9.2001' },
      'exchangeRate { isActive setByEmail }',
    );
    expect(set.exchangeRate).toEqual({ isActive: true, setByEmail: operator.email });
    const terms = { merchant: { ...app.merchant.merchant, demo: false }, mode: 'live', now: noon } as const;
    const used = () => getRate(service, { ...terms, from: 'USD', to: 'HKD' });
    expect((await used()).rate.toFixed()).toBe('8.363727273');
    expect((await rates(operator)).filter(({ currency }) => currency === 'HKD')).toEqual([
      { currency: 'HKD', rate: '9.2001', source: 'manual', isActive: true, setByEmail: operator.email },
      { currency: 'HKD', rate: '9.1', source: 'feed', isActive: false, setByEmail: null },
    ]);
    await prisma.forexRate.updateMany({
      where: { source: 'feed', currency: 'HKD' },
      data: { asOf: minutesAfter(noon, 60) },
    });
    expect(
      (await rates(operator)).find(({ isActive, currency }) => isActive && currency === 'HKD').source,
    ).toBe('feed');
    await mutate(operator, 'removeExchangeRate', { currency: 'HKD' });
    expect((await mutate(operator, 'removeExchangeRate', { currency: 'HKD' })).code).toBe('invalid_request');
    const entries = await prisma.auditEntry.findMany({ where: { objectId: 'HKD' }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ['exchange_rate.set', { currency: 'HKD', rate: { from: null, to: '9.2001' } }],
      ['exchange_rate.removed', { currency: 'HKD', rate: { from: '9.2001', to: null } }],
    ]);
  });

  test.for([
    [{ currency: 'EUR', rate: '1' }, '/currency'],
    [{ currency: 'ABC', rate: '1' }, '/currency'],
    [{ currency: 'HKD', rate: '0' }, '/rate'],
    [{ currency: 'HKD', rate: '-1' }, '/rate'],
    [{ currency: 'HKD', rate: '1.234567890123456789012345' }, '/rate'],
  ] as const)('reject %o', async ([input, path], { operator }) => {
    expect((await mutate(operator, 'setExchangeRate', input)).errors[0].path).toBe(path);
  });
});

describe('Operators', () => {
  test('see the live volume and the latest charge of each merchant', async ({ app, service, operator }) => {
    const { merchant } = app.merchant;
    await copyCompletedCharge(service, app.merchant, { at: minutesAfter(noon, -10), cents: 1_650n });
    await copyCompletedCharge(service, app.merchant, { at: minutesAfter(noon, -20), cents: null });
    await copyCompletedCharge(service, app.merchant, {
      at: minutesAfter(noon, -31 * 24 * 60),
      cents: 9_999n,
    });
    const { data } = await operator.ask(
      'query ($f: MerchantFilter) { merchants(filter: $f) { nodes { activity { chargeCount volumeUsd lastChargeAt } } } }',
      { variables: { f: { search: merchant.id } } },
    );
    const newest = await service.prisma.charge.findFirstOrThrow({
      where: { merchantId: merchant.id, mode: 'live' },
      orderBy: { id: 'desc' },
    });
    expect(data.merchants.nodes).toEqual([
      { activity: { chargeCount: 2, volumeUsd: '16.50', lastChargeAt: newest.createdAt.toISOString() } },
    ]);
  });

  test('see to where and when a merchant moved, which its owner cannot read', async ({
    service,
    operator,
    owner,
  }) => {
    const { merchant } = await seedMerchant(service, { name: 'Moved Teas' });
    const movedTo = 'https://pay2.example.com';
    await service.prisma.merchant.update({
      where: { id: merchant.id },
      data: { moveStatus: 'moved', movedTo },
    });
    const entry = {
      actor: 'operator',
      action: 'merchant.moved',
      merchantId: merchant.id,
      now: noon,
    } as const;
    await transact(service, (uow) => recordAudit(uow, entry));
    const { data } = await operator.ask(
      'query ($f: MerchantFilter) { merchants(filter: $f) { nodes { moveStatus movedTo movedAt } } }',
      { variables: { f: { search: merchant.id } } },
    );
    expect(data.merchants.nodes).toEqual([{ moveStatus: 'moved', movedTo, movedAt: noon.toISOString() }]);
    const { errors } = await owner.ask('{ me { movedTo } }');
    expect(errors[0].extensions.code).toBe('permission_denied');
  });

  test('see what waits for a worker, and what fails', async ({ service, operator }) => {
    await service.prisma.$executeRaw`UPDATE event SET relayed_at = now()`;
    await service.prisma.$executeRaw`UPDATE notification SET status = 'delivered' WHERE status = 'pending'`;
    const query =
      '{ installationHealth { workerCount queues { name waitingCount delaySeconds } mail { hasMailServer } feeds { failingCount } database { version sizeBytes connectionCount } disk { freeBytes } } }';
    const { data } = await operator.ask(query);
    const { queues, database, ...rest } = data.installationHealth;
    expect(rest).toEqual({
      ...{ workerCount: null, mail: { hasMailServer: false } },
      ...{ feeds: { failingCount: 0 }, disk: null },
    });
    expect(database.sizeBytes).toBeGreaterThan(1_000_000);
    expect(queues.map(({ name }: Json) => name).sort()).toEqual([...queueNames].sort());
    const byName = Object.fromEntries(queues.map((queue: Json) => [queue.name, queue]));
    expect(byName.jobs).toEqual({ name: 'jobs', waitingCount: null, delaySeconds: null });
    expect(byName.events).toEqual({ name: 'events', waitingCount: 0, delaySeconds: 0 });
  });

  test('see the operations that they can disable', async ({ operator }) => {
    const { data } = await operator.ask('{ operationNames }');
    expect(data.operationNames).toContain('createRefund');
    expect(data.operationNames).not.toContain('signIn');
  });
});

test('Owners cannot use the operations of operators', async ({ owner }) => {
  for (const [name, input] of [
    ['createMerchant', { name: 'X', ownerEmail: 'x@example.com' }],
    ['setExchangeRate', { currency: 'HKD', rate: '1' }],
    ['removeExchangeRate', { currency: 'HKD' }],
  ] as const)
    expect((await mutate(owner, name, input)).code).toBe('permission_denied');
  for (const query of [
    'exchangeRates { rate }',
    'operationNames',
    'installationHealth { workerCount }',
    'me { activity { volumeUsd } }',
  ]) {
    const { errors } = await owner.ask(`{ ${query} }`);
    expect(errors[0].extensions.code, query).toBe('permission_denied');
  }
});

test('An operator manages their own account: sessions, two-factor authentication, password reset', async ({
  service,
  clock,
  operator,
}) => {
  const { data } = await operator.ask('{ viewer { sessions { isCurrent } user { hasTwoFactor } } }');
  expect(data.viewer).toEqual({ sessions: [{ isCurrent: true }], user: { hasTwoFactor: false } });
  expect((await mutate(operator, 'regenerateRecoveryCodes', { code: '000000' })).code).toBe(
    'two_factor_not_enabled',
  );
  expect((await mutate(operator, 'reauthenticate', { password })).__typename).toBe('ReauthenticateSuccess');
  await mutate(operator, 'requestPasswordReset', { email: operator.email });
  await processResetRequests(service, { now: clock.now() });
  expect(await readLinkToken(service, operator.email, 'password-reset')).toMatch(/^[\w-]{43}$/);
});

const request = `mutation { requestRestrictedAccess {
  __typename
  ... on RequestRestrictedAccessSuccess {
    merchant { restrictedAccess restrictedAccessRequestedAt monthlyVolumes { month shortfallUsd } }
    monthlyVolumes { month volumeUsd shortfallUsd }
  }
  ... on UserError { code }
} }`;

const grant =
  'mutation ($id: ID!) { grantRestrictedAccess(input: { merchantId: $id }) { __typename ... on UserError { code } } }';

const decline =
  'mutation ($id: ID!) { declineRestrictedAccess(input: { merchantId: $id, reason: "Too young" }) { __typename ... on UserError { code } } }';

test('Restricted access is granted to an owner by volume, or requested with the shortfall of each month', async ({
  app,
  service,
}) => {
  const merchant = await seedMerchant(service, { restrictedAccess: 'none', name: 'Island Books' });
  const requester = await signInAs('owner', app, merchant);
  const { data } = await requester.ask(request);
  const response = data.requestRestrictedAccess;
  expect(response.merchant.restrictedAccess).toBe('requested');
  expect(response.monthlyVolumes).toHaveLength(6);
  expect(response.monthlyVolumes[0]).toEqual({
    month: expect.stringMatching(/^\d{4}-\d{2}$/),
    volumeUsd: '0.00',
    shortfallUsd: '2000000.00',
  });
  for (const { month } of response.monthlyVolumes as Json[]) {
    const completedAt = new Date(`${month}-15T00:00:00Z`);
    await copyCompletedCharge(service, merchant, { at: completedAt, cents: 200_000_000n });
  }
  const granted = (await requester.ask(request)).data.requestRestrictedAccess;
  expect(granted.merchant.restrictedAccess).toBe('granted');
  expect(new Set(granted.monthlyVolumes.map(({ shortfallUsd }: Json) => shortfallUsd))).toEqual(
    new Set(['0.00']),
  );
  expect((await app.ask('{ translation(locale: en) }', { as: merchant.keys.live })).errors).toBeUndefined();
});

test('Restricted access cannot be requested by a key or another role', async ({ app }) => {
  const developer = await signInAs('developer', app, app.merchant);
  const denied = { __typename: 'PermissionError', code: 'permission_denied' };
  expect((await developer.ask(request)).data.requestRestrictedAccess).toEqual(denied);
  expect((await app.ask(request)).data.requestRestrictedAccess).toEqual(denied);
});

test('Restricted access is granted and declined by operators only, who list the requests', async ({
  app,
  service,
  clock,
  owner,
}) => {
  const merchant = await seedMerchant(service, { restrictedAccess: 'none', name: 'Asking' });
  const requester = await signInAs('owner', app, merchant);
  const operator = await signInAs('operator', app);
  await requester.ask(request);
  const variables = { id: merchant.merchant.id };
  const denied = { __typename: 'PermissionError', code: 'permission_denied' };
  for (const visitor of [requester, owner]) {
    expect((await visitor.ask(grant, { variables })).data.grantRestrictedAccess).toEqual(denied);
    expect((await visitor.ask(decline, { variables })).data.declineRestrictedAccess).toEqual(denied);
  }
  expect((await app.ask(grant, { variables })).data.grantRestrictedAccess).toEqual(denied);

  const requests =
    '{ merchants(filter: { restrictedAccess: requested }) { totalCount nodes { id name monthlyVolumes { shortfallUsd } } } }';
  const { data } = await operator.ask(requests);
  expect(data.merchants).toMatchObject({ totalCount: 1, nodes: [{ id: variables.id, name: 'Asking' }] });
  for (const query of [requests, '{ merchants { totalCount } }']) {
    expect((await owner.ask(query)).errors[0].extensions.code).toBe('permission_denied');
    expect((await app.ask(query)).errors[0].extensions.code).toBe('permission_denied');
  }
  // Audit entries are listed by time.
  clock.advance(1000);
  await operator.ask(decline, { variables });
  const { data: declined } = await requester.ask(
    '{ me { restrictedAccess restrictedAccessDeclineReason } auditEntries(first: 1) { nodes { action actor { kind objectId name } } } }',
  );
  expect(declined).toEqual({
    me: { restrictedAccess: 'none', restrictedAccessDeclineReason: 'Too young' },
    auditEntries: {
      nodes: [{ action: 'access.declined', actor: { kind: 'operator', objectId: null, name: null } }],
    },
  });
  expect((await operator.ask(grant, { variables })).data.grantRestrictedAccess.__typename).toBe(
    'GrantRestrictedAccessSuccess',
  );
  const { data: now } = await requester.ask('{ me { restrictedAccess restrictedAccessDeclineReason } }');
  expect(now.me).toEqual({ restrictedAccess: 'granted', restrictedAccessDeclineReason: null });
});

test('Operators enable and disable operations and accounts', async ({ app, owner }) => {
  const operator = await signInAs('operator', app);
  const { id } = app.otherMerchant.merchant;
  const setOperations = `mutation ($id: ID!, $on: Boolean!, $names: [String!]!) {
    setOperationsEnabled(input: { merchantId: $id, operations: $names, isEnabled: $on }) {
      __typename ... on SetOperationsEnabledSuccess { merchant { disabledOperations } } ... on UserError { code } } }`;
  const disabled = await operator.ask(setOperations, {
    variables: { id, on: false, names: ['forex', 'charges'] },
  });
  expect(disabled.data.setOperationsEnabled.merchant.disabledOperations).toEqual(['charges', 'forex']);
  const unknown = await operator.ask(setOperations, { variables: { id, on: false, names: ['nothing'] } });
  expect(unknown.data.setOperationsEnabled.code).toBe('invalid_request');
  const byOwner = await owner.ask(setOperations, { variables: { id, on: true, names: ['forex'] } });
  expect(byOwner.data.setOperationsEnabled.code).toBe('permission_denied');
  const setEnabled = `mutation ($id: ID!, $isEnabled: Boolean!) {
    setMerchantEnabled(input: { merchantId: $id, isEnabled: $isEnabled }) { __typename ... on UserError { code } } }`;
  await operator.ask(setEnabled, { variables: { id, isEnabled: false } });
  const off = await app.ask('{ me { id } }', { as: app.otherMerchant.keys.live });
  expect(off.errors[0].extensions.code).toBe('account_disabled');
  await operator.ask(setEnabled, { variables: { id, isEnabled: true } });
  expect((await app.ask('{ me { id } }', { as: app.otherMerchant.keys.live })).data.me.id).toBe(id);
});
