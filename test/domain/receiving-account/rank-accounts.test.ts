import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, ReceivingAccount } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { findMethodEntries } from '../../../src/domain/accounts/receiving-account/find-method-entries.ts';
import type { NewReceivingAccount } from '../../../src/domain/accounts/receiving-account/insert-receiving-account.ts';
import { rankByLoad } from '../../../src/domain/accounts/receiving-account/rank-receiving-accounts.ts';
import { updateReceivingAccount } from '../../../src/domain/accounts/receiving-account/update-receiving-account.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toOwnerCaller } from '../../setup/callers.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { retireAccounts, seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { payCharge } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Which of several accounts for one method takes the next charge: by currency, limits, weight and open load. */

let service: Service;
let merchant: NewMerchant;
let customers = 0;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service, { demoAccounts: false });
});

/** From now on these are the only accounts for FPS. */
async function shopWith(...inputs: Partial<NewReceivingAccount>[]): Promise<ReceivingAccount[]> {
  await retireAccounts(service, { merchantId: merchant.merchant.id, mode: 'live' }, noon);
  const accounts: ReceivingAccount[] = [];
  for (const [i, input] of inputs.entries()) {
    const account = { details: { fpsId: `100000${i}` }, ...input };
    accounts.push(await seedReceivingAccount(service, merchant, account, minutesAfter(noon, i - 60)));
  }
  return accounts;
}

const charge = (merchantAmount = 100): Promise<Charge> =>
  seedCharge(service, merchant, { input: { merchantAmount, email: `c${++customers}@example.com` } });
const accountsOf = async (amounts: number[]) => {
  const ids: string[] = [];
  for (const amount of amounts) ids.push((await charge(amount)).receivingAccountId);
  return ids;
};

describe('several accounts for one method', () => {
  test('share charges by weight, and load moves on as charges end', async () => {
    const [small, big] = await shopWith({ weight: 1 }, { weight: 3 });
    const ids = await accountsOf(Array.from({ length: 8 }, () => 100));
    expect(ids.filter((id) => id === small!.id)).toHaveLength(2);
    expect(ids.filter((id) => id === big!.id)).toHaveLength(6);
    const open = await service.prisma.charge.findMany({ where: { receivingAccountId: big!.id } });
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    for (const { id } of open) {
      await cancelCharge(service, { ...owner, id, by: 'merchant', actor: 'test', now: noon });
    }
    expect(await accountsOf([100, 100, 100])).toEqual([big!.id, big!.id, big!.id]);
  });

  test('take only amounts within their limits', async () => {
    const [small, big] = await shopWith({ maxAmount: 10_000n }, { minAmount: 50_000n, maxAmount: 90_000n });
    expect(await accountsOf([100, 99, 500, 0.01, 900])).toEqual(
      [small, small, big, small, big].map((one) => one!.id),
    );
    for (const amount of [100.01, 499.99, 900.01]) {
      await expect(charge(amount)).rejects.toMatchObject({ code: 'amount_out_of_range' });
    }
    await expect(charge(200)).rejects.toThrow('No receiving account accepts 200.00 HKD in one payment');
    const [entry] = await findMethodEntries(service, { merchantId: merchant.merchant.id, mode: 'live' });
    expect(entry!.methods).toMatchObject([{ method: 'fps', min: { minor: 1n }, max: { minor: 90_000n } }]);
  });

  test('one without a limit of its own keeps to that of the method, and a wider one of another counts', async () => {
    const [plain, wide] = await shopWith({}, { maxAmount: 500_000_000n });
    expect(await accountsOf([2_000_000])).toEqual([wide!.id]);
    expect(await accountsOf([1_000_000])).toEqual([plain!.id]);
  });

  test('a retired one takes none, the last one gone takes the method with it, and back again', async () => {
    const [first, second] = await shopWith({}, {});
    const set = (id: string, status: 'active' | 'retired') =>
      updateReceivingAccount(service, { caller: toOwnerCaller(merchant), id, input: { status }, now: noon });
    const open = await charge();
    expect(open.receivingAccountId).toBe(first!.id);
    await set(first!.id, 'retired');
    expect(await accountsOf([100, 100])).toEqual([second!.id, second!.id]);
    const paid = await payCharge(service, merchant, open, { now: minutesAfter(noon, 5) });
    expect(paid).toMatchObject({ status: 'matched', chargeId: open.id });
    await set(second!.id, 'retired');
    await expect(charge()).rejects.toMatchObject({ code: 'method_unavailable' });
    expect(await findMethodEntries(service, { merchantId: merchant.merchant.id, mode: 'live' })).toEqual([]);
    await set(first!.id, 'active');
    expect(await accountsOf([100])).toEqual([first!.id]);
  });

  test('leave out those of another mode and of another method, though fewer charges are open on these', async () => {
    const [only] = await shopWith({});
    const details = { bank: '004', bankCode: '004', account: '123456789' };
    await seedReceivingAccount(service, merchant, {
      method: 'hk-bank-transfer',
      details,
    });
    expect(await accountsOf([100, 100])).toEqual([only!.id, only!.id]);
  });
});

describe('the order by load', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 });

  test('keeps every account at its share: none is ahead of another by more than one charge', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 300 }), (given, charges) => {
        const accounts = given.map((weight, i) => ({ id: `acc_${i}`, weight, open: 0 }));
        for (let i = 0; i < charges; i++) rankByLoad(accounts)[0]!.open += 1;
        for (const a of accounts) {
          for (const b of accounts) expect((a.open - 1) * b.weight).toBeLessThanOrEqual(b.open * a.weight);
        }
      }),
      { numRuns: count(200, 5_000) },
    );
  });

  test('always uses the least loaded, however charges came and went', () => {
    const loaded = fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.nat(500)), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(loaded, (given) => {
        const accounts = given.map(([weight, open], i) => ({ id: `acc_${i}`, weight, open }));
        const ranked = rankByLoad(accounts);
        expect(ranked.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(accounts);
        for (const [i, next] of ranked.slice(1).entries()) {
          const before = ranked[i]!;
          const [a, b] = [before.open * next.weight, next.open * before.weight];
          expect(a < b || (a === b && before.id < next.id)).toBe(true);
        }
      }),
      { numRuns: count(300, 5_000) },
    );
  });
});
