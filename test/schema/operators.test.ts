import { beforeAll, describe, expect, test } from 'vitest';
import { processResetRequests } from '../../src/domain/accounts/user/process-reset-requests.ts';
import { getRate } from '../../src/domain/platform/forex/get-rate.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { readLinkToken } from '../setup/users.ts';
import { createVisitor, getDashboardDocument, mutateAsPage } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** What operators do with merchants and rates, and what nobody else does. */

const clock = createFakeClock(noon);
let app: GraphqlApp;
let operator: SignedInUser;
let owner: SignedInUser;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
  operator = await signInAs('operator', app);
  owner = await signInAs('owner', app, app.merchant);
});

async function find(search: string): Promise<string[]> {
  const { data } = await operator.ask(
    'query ($f: MerchantFilter) { merchants(filter: $f) { nodes { name } } }',
    {
      variables: { f: { search } },
    },
  );
  return data.merchants.nodes.map(({ name }: Json) => name);
}

describe('createMerchant', () => {
  test('opens an account that its first owner joins by mail, with a certificate for each mode, sandbox accounts and no keys', async () => {
    const input = { name: ' Lion City Books ', ownerEmail: 'Lin@Example.com' };
    const { merchant } = await mutate(
      operator,
      'createMerchant',
      input,
      'merchant { id name restrictedAccess }',
    );
    expect(merchant).toMatchObject({ name: 'Lion City Books', restrictedAccess: 'none' });
    const { prisma } = app.context.service;
    const where = { merchantId: merchant.id };
    const made = [prisma.apiKey, prisma.certificate, prisma.receivingAccount, prisma.merchantUser];
    const counts = await Promise.all(made.map((table) => (table as typeof prisma.apiKey).count({ where })));
    expect(counts).toEqual([0, 2, 13, 0]);
    const token = await readLinkToken(app.context.service, 'lin@example.com', 'invitation');
    const joined = createVisitor(app.app, { address: '203.0.113.5' });
    const lin = { token, name: 'Lin', password: 'tea leaves at dawn' };
    await mutateAsPage(joined, 'acceptInvitation', lin);
    const { data } = await joined.ask(getDashboardDocument('Viewer'));
    expect(data.viewer).toMatchObject({ user: { role: 'owner' }, merchant: { id: merchant.id } });
    const entries = await prisma.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, actor }) => [action, actor.split(':')[0]])).toEqual([
      ['merchant.created', 'user'],
      ['user.invited', 'user'],
      ['user.created', 'user'],
    ]);
  });

  test('needs a name and an address', async () => {
    expect(
      (await mutate(operator, 'createMerchant', { name: ' ', ownerEmail: 'x@example.com' })).errors,
    ).toEqual([{ path: '/name', message: 'must not be empty: it is shown to customers' }]);
    expect((await mutate(operator, 'createMerchant', { name: 'X', ownerEmail: 'x' })).errors[0].path).toBe(
      '/ownerEmail',
    );
  });

  test('merchants are found by a part of the name, an id, or a user’s address', async () => {
    expect(await find('harbour')).toEqual(['Harbour Teas']);
    expect(await find(app.otherMerchant.merchant.id)).toEqual(['Peak Coffee']);
    expect(await find(owner.email.toUpperCase())).toEqual(['Harbour Teas']);
    expect(await find('100%')).toEqual([]);
  });
});

describe('rates', () => {
  const rates = async (): Promise<Json[]> =>
    (await operator.ask('{ exchangeRates { currency rate source isActive setByEmail } }')).data.exchangeRates;

  test('one that is set by hand counts at once, until a feed tells a later one; taken back, it is gone', async () => {
    const { prisma } = app.context.service;
    const feed = { source: 'feed', base: 'EUR', baseRate: 1, fetchedAt: noon };
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
    const used = () => getRate(app.context.service, { ...terms, from: 'USD', to: 'HKD' });
    expect((await used()).rate.toFixed()).toBe('8.363727273');
    expect((await rates()).filter(({ currency }) => currency === 'HKD')).toEqual([
      { currency: 'HKD', rate: '9.2001', source: 'by hand', isActive: true, setByEmail: operator.email },
      { currency: 'HKD', rate: '9.1', source: 'feed', isActive: false, setByEmail: null },
    ]);
    await prisma.forexRate.updateMany({
      where: { source: 'feed', currency: 'HKD' },
      data: { asOf: minutesAfter(noon, 60) },
    });
    expect((await rates()).find(({ isActive, currency }) => isActive && currency === 'HKD').source).toBe(
      'feed',
    );
    await mutate(operator, 'removeExchangeRate', { currency: 'HKD' });
    expect((await mutate(operator, 'removeExchangeRate', { currency: 'HKD' })).code).toBe('invalid_request');
    const entries = await prisma.auditEntry.findMany({ where: { objectId: 'HKD' }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ['exchange_rate.set', { currency: 'HKD', rate: { from: null, to: '9.2001' } }],
      ['exchange_rate.removed', { currency: 'HKD', rate: { from: '9.2001', to: null } }],
    ]);
  });

  test.each([
    [{ currency: 'EUR', rate: '1' }, '/currency'],
    [{ currency: 'ABC', rate: '1' }, '/currency'],
    [{ currency: 'HKD', rate: '0' }, '/rate'],
    [{ currency: 'HKD', rate: '-1' }, '/rate'],
    [{ currency: 'HKD', rate: '1.234567890123456789012345' }, '/rate'],
  ])('%o is refused', async (input, path) => {
    expect((await mutate(operator, 'setExchangeRate', input)).errors[0].path).toBe(path);
  });
});

test('nobody else does any of it', async () => {
  for (const [name, input] of [
    ['createMerchant', { name: 'X', ownerEmail: 'x@example.com' }],
    ['setExchangeRate', { currency: 'HKD', rate: '1' }],
    ['removeExchangeRate', { currency: 'HKD' }],
  ] as const)
    expect((await mutate(owner, name, input)).code).toBe('permission_denied');
  const { errors } = await owner.ask('{ exchangeRates { rate } }');
  expect(errors[0].extensions.code).toBe('permission_denied');
});

test('an operator has an account of their own: sessions, second factor, a forgotten password', async () => {
  const { data } = await operator.ask('{ viewer { sessions { isCurrent } user { hasTwoFactor } } }');
  expect(data.viewer).toEqual({ sessions: [{ isCurrent: true }], user: { hasTwoFactor: false } });
  expect((await mutate(operator, 'regenerateRecoveryCodes', { code: '000000' })).code).toBe(
    'second_factor_off',
  );
  expect((await mutate(operator, 'reauthenticate', { password })).__typename).toBe('ReauthenticateSuccess');
  await mutate(operator, 'requestPasswordReset', { email: operator.email });
  await processResetRequests(app.context.service, { now: clock.now() });
  expect(await readLinkToken(app.context.service, operator.email, 'password-reset')).toMatch(/^[\w-]{43}$/);
});
