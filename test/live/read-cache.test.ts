import { beforeAll, describe, expect, test } from 'vitest';
import { findApiKey } from '../../src/domain/accounts/api-key/find-api-key.ts';
import { findPublishableKey } from '../../src/domain/accounts/api-key/find-publishable-key.ts';
import { revokeApiKey } from '../../src/domain/accounts/api-key/revoke-api-key.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { disableMerchant } from '../../src/domain/accounts/merchant/disable-merchant.ts';
import { getActiveAccounts } from '../../src/domain/accounts/receiving-account/get-active-accounts.ts';
import { getRate } from '../../src/domain/platform/forex/get-rate.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { callApi } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { seedCaller } from '../setup/callers.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** What a process keeps of keys, merchants, accounts and rates is forgotten as soon as it changes, whoever changes it. */

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await setupApp(onCleanup, { cachesReads: true });
  merchant = await seedMerchant(app.context.service);
});

/** As another process would, which tells of it through the database alone. */
const elsewhere = () => app.context.service.prisma;
const ask = async (keys = merchant.keys.live) =>
  (await callApi(app.app, { method: 'GET', url: '/charges', keys })).status;
const owner = () => ({ merchantId: merchant.merchant.id, mode: 'live' as const });

/** What is found, once it is no longer read each time: what was told of before may still arrive. */
async function untilKept<T>(find: () => Promise<T>): Promise<T> {
  let before = await find();
  const isSame = async () => {
    const last = before;
    before = await find();
    return last === before;
  };
  await expect.poll(isSame).toBe(true);
  return before;
}

describe('a key that is in use', () => {
  test.each([
    ['with a secret', () => findApiKey(app.context.service, merchant.keys.live.apiKey)],
    [
      'to start a checkout',
      () => findPublishableKey(app.context.service, merchant.keys.live.publishableKey, new Date()),
    ],
  ])('%s is not read again', async (_kind, find) => {
    expect(await untilKept(find)).not.toBeNull();
  });

  test('is refused from the next request on, when this process revokes it', async () => {
    const made = await seedMerchant(app.context.service);
    expect(await ask(made.keys.live)).toBe(200);
    const { id } = await elsewhere().apiKey.findUniqueOrThrow({ where: { key: made.keys.live.apiKey } });
    const now = new Date();
    const caller = await seedCaller(app.context.service, made, { now });
    await revokeApiKey(app.context.service, { caller, id, now });
    expect(await ask(made.keys.live)).toBe(401);
  });

  test('is refused soon when another process revokes it', async () => {
    const made = await seedMerchant(app.context.service);
    expect(await ask(made.keys.live)).toBe(200);
    await elsewhere().apiKey.updateMany({
      where: { key: made.keys.live.apiKey },
      data: { revokedAt: new Date() },
    });
    await expect.poll(() => ask(made.keys.live)).toBe(401);
  });

  test('tells of its merchant as that is now', async () => {
    const made = await seedMerchant(app.context.service);
    expect(await ask(made.keys.live)).toBe(200);
    const change = { merchantId: made.merchant.id, actor: 'operator', now: new Date() };
    await disableMerchant(app.context.service, { ...change, disabled: true });
    expect(await ask(made.keys.live)).toBe(403);
    await disableMerchant(app.context.service, { ...change, disabled: false });
    expect(await ask(made.keys.live)).toBe(200);
  });
});

test('accounts and rates are those of now, soon after another process changed them', async () => {
  const { service } = app.context;
  const accounts = () => getActiveAccounts(service, { ...owner(), method: 'fps' });
  const account = await untilKept(async () => (await accounts())[0]);
  await elsewhere().receivingAccount.update({ where: { id: account.id }, data: { holder: 'Another Name' } });
  await expect.poll(async () => (await accounts())[0].holder).toBe('Another Name');
  const rate = async () => {
    const terms = { merchant: merchant.merchant, mode: 'live' as const, now: new Date() };
    return (await getRate(service, { ...terms, from: 'EUR', to: 'HKD' })).source;
  };
  expect(await rate()).not.toContain('by hand');
  const asOf = new Date(Date.now() + 60_000);
  const quote = { source: 'by hand', currency: 'HKD', base: 'EUR', rate: '8.5', asOf, fetchedAt: asOf };
  await elsewhere().forexRate.create({ data: quote });
  await expect.poll(rate).toContain('by hand');
});

test('a transaction reads for itself, and what it reads is not kept', async () => {
  const { service } = app.context;
  const accounts = (prisma = service.prisma) =>
    getActiveAccounts({ ...service, prisma }, { ...owner(), method: 'paynow' });
  const [before] = await accounts();
  const takenBack = transact(service, async ({ tx }) => {
    await tx.receivingAccount.update({ where: { id: before.id }, data: { holder: 'Not yet' } });
    const [within] = await accounts(tx as typeof service.prisma);
    expect(within.holder).toBe('Not yet');
    throw new Error('taken back');
  });
  await expect(takenBack).rejects.toThrow('taken back');
  expect((await accounts())[0].holder).toBe(before.holder);
});

test('while the process hears no notices, everything is read', async () => {
  const { service, hub } = app.context;
  const find = () => findApiKey(service, merchant.keys.live.apiKey);
  const first = await untilKept(find);
  hub.markDisconnected();
  const second = await find();
  expect(second).not.toBe(first);
  expect(await find()).not.toBe(second);
  hub.resync();
});
