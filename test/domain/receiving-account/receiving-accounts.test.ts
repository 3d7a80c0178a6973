import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Charge, ReceivingAccount } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { findMethodEntries } from '../../../src/domain/accounts/receiving-account/find-method-entries.ts';
import type { NewReceivingAccount } from '../../../src/domain/accounts/receiving-account/insert-receiving-account.ts';
import { rankByLoad } from '../../../src/domain/accounts/receiving-account/rank-receiving-accounts.ts';
import { updateReceivingAccount } from '../../../src/domain/accounts/receiving-account/update-receiving-account.ts';
import { resolveAccount } from '../../../src/domain/money-in/transfer/record/resolve-account.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toOwnerCaller } from '../../setup/callers.ts';
import { count } from '../../setup/counts.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { retireAccounts, seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

/** The selection of the receiving account for a charge: by currency, limits, weight and open load. */

const test = serviceTest.extend('merchant', ({ service }) =>
  seedMerchant(service, { hasDemoAccounts: false }),
);

async function replaceAccounts(
  service: Service,
  merchant: NewMerchant,
  ...inputs: Partial<NewReceivingAccount>[]
): Promise<ReceivingAccount[]> {
  await retireAccounts(service, { merchantId: merchant.merchant.id, mode: 'live' }, noon);
  const accounts: ReceivingAccount[] = [];
  for (const [i, input] of inputs.entries()) {
    const account = { details: { fpsId: `100000${i}` }, ...input };
    accounts.push(await seedReceivingAccount(service, merchant, account, minutesAfter(noon, i - 60)));
  }
  return accounts;
}

const createCharge = (service: Service, merchant: NewMerchant, merchantAmount = 100): Promise<Charge> =>
  seedCharge(service, merchant, { input: { merchantAmount, email: `c${randomUUID()}@example.com` } });
const getChargeAccounts = async (service: Service, merchant: NewMerchant, amounts: number[]) => {
  const ids: string[] = [];
  for (const amount of amounts) ids.push((await createCharge(service, merchant, amount)).receivingAccountId);
  return ids;
};

describe('Receiving accounts of one method', () => {
  test('share charges by weight, and rebalance when charges end', async ({ service, merchant }) => {
    const [small, big] = await replaceAccounts(service, merchant, { weight: 1 }, { weight: 3 });
    const ids = await getChargeAccounts(
      service,
      merchant,
      Array.from({ length: 8 }, () => 100),
    );
    expect(ids.filter((id) => id === small!.id)).toHaveLength(2);
    expect(ids.filter((id) => id === big!.id)).toHaveLength(6);
    const open = await service.prisma.charge.findMany({ where: { receivingAccountId: big!.id } });
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    for (const { id } of open) {
      await cancelCharge(service, { ...owner, id, by: 'merchant', actor: 'user:test', now: noon });
    }
    expect(await getChargeAccounts(service, merchant, [100, 100, 100])).toEqual([big!.id, big!.id, big!.id]);
  });

  test('accept only amounts within their limits', async ({ service, merchant }) => {
    const [small, big] = await replaceAccounts(
      service,
      merchant,
      { maxAmount: 10_000n },
      { minAmount: 50_000n, maxAmount: 90_000n },
    );
    expect(await getChargeAccounts(service, merchant, [100, 99, 500, 0.01, 900])).toEqual(
      [small, small, big, small, big].map((account) => account!.id),
    );
    for (const amount of [100.01, 499.99, 900.01]) {
      await expect(createCharge(service, merchant, amount)).rejects.toMatchObject({
        code: 'amount_out_of_range',
      });
    }
    await expect(createCharge(service, merchant, 200)).rejects.toThrow(
      'No receiving account accepts 200.00 HKD in one payment',
    );
    const [entry] = await findMethodEntries(service, { merchantId: merchant.merchant.id, mode: 'live' });
    expect(entry!.methods).toMatchObject([{ method: 'fps', min: { minor: 1n }, max: { minor: 90_000n } }]);
  });

  test('use the limit of the method unless they have a limit', async ({ service, merchant }) => {
    const [plain, wide] = await replaceAccounts(service, merchant, {}, { maxAmount: 500_000_000n });
    expect(await getChargeAccounts(service, merchant, [2_000_000])).toEqual([wide!.id]);
    expect(await getChargeAccounts(service, merchant, [1_000_000])).toEqual([plain!.id]);
  });

  test('make their method unavailable when all are retired, and available again', async ({
    service,
    merchant,
  }) => {
    const [first, second] = await replaceAccounts(service, merchant, {}, {});
    const set = (id: string, status: 'active' | 'retired') =>
      updateReceivingAccount(service, { caller: toOwnerCaller(merchant), id, input: { status }, now: noon });
    const open = await createCharge(service, merchant);
    expect(open.receivingAccountId).toBe(first!.id);
    await set(first!.id, 'retired');
    expect(await getChargeAccounts(service, merchant, [100, 100])).toEqual([second!.id, second!.id]);
    const paid = await payCharge(service, merchant, open, { now: minutesAfter(noon, 5) });
    expect(paid).toMatchObject({ status: 'matched', chargeId: open.id });
    await set(second!.id, 'retired');
    await expect(createCharge(service, merchant)).rejects.toMatchObject({ code: 'method_unavailable' });
    expect(await findMethodEntries(service, { merchantId: merchant.merchant.id, mode: 'live' })).toEqual([]);
    await set(first!.id, 'active');
    expect(await getChargeAccounts(service, merchant, [100])).toEqual([first!.id]);
  });

  test('exclude accounts of another mode or method with fewer open charges', async ({
    service,
    merchant,
  }) => {
    const [only] = await replaceAccounts(service, merchant, {});
    const details = { bank: '004', bankCode: '004', account: '123456789' };
    await seedReceivingAccount(service, merchant, {
      method: 'hk-bank-transfer',
      details,
    });
    expect(await getChargeAccounts(service, merchant, [100, 100])).toEqual([only!.id, only!.id]);
  });
});

describe('Ranking by load', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 });

  test('keeps every account within one charge of its share', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 300 }), (accountWeights, charges) => {
        const accounts = accountWeights.map((weight, i) => ({ id: `acc_${i}`, weight, openCount: 0 }));
        for (let i = 0; i < charges; i++) rankByLoad(accounts)[0]!.openCount += 1;
        for (const a of accounts) {
          for (const b of accounts)
            expect((a.openCount - 1) * b.weight).toBeLessThanOrEqual(b.openCount * a.weight);
        }
      }),
      { numRuns: count(200, 5_000) },
    );
  });

  test('always uses the account with the least load', () => {
    const loaded = fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.nat(500)), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(loaded, (accountLoads) => {
        const accounts = accountLoads.map(([weight, openCount], i) => ({
          id: `acc_${i}`,
          weight,
          openCount,
        }));
        const ranked = rankByLoad(accounts);
        expect(ranked.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(accounts);
        for (const [i, next] of ranked.slice(1).entries()) {
          const before = ranked[i]!;
          const [a, b] = [before.openCount * next.weight, next.openCount * before.weight];
          expect(a < b || (a === b && before.id < next.id)).toBe(true);
        }
      }),
      { numRuns: count(300, 5_000) },
    );
  });
});

describe('resolveAccount', () => {
  const accounts = (
    [
      ['dotted', 'in-bank-transfer', 'shop.a@okbank'],
      ['plain', 'in-bank-transfer', 'shopa@okbank'],
      ['anz', 'nz-bank-transfer', '01-0902-0068389-00'],
      ['hsbc', 'fps', '+85251234567'],
      ['any bank', 'fps', '+85251234567'],
      ['old', 'toss', '092-100012345678', 'retired'],
      ['new', 'toss', '092-100012345678'],
      ['small', 'au-bank-transfer', 'pay@example.com'],
      ['large', 'au-bank-transfer', 'PAY@example.com'],
    ] as const
  ).map(
    ([id, method, account, status = 'active']) =>
      ({ id, method, account, status }) as unknown as ReceivingAccount,
  );

  test.for([
    ['in-bank-transfer', 'shopa@okbank', 'plain'],
    ['in-bank-transfer', ' SHOP.A@OKBANK ', 'dotted'],
    ['nz-bank-transfer', '01 0902 0068389 000', 'anz'],
    ['nz-bank-transfer', '010902006838900', 'anz'],
    ['toss', '092 1000-1234-5678', 'new'],
    ['au-bank-transfer', 'PAY@example.com', 'large'],
  ] as const)('resolves %s %s to the account %s', ([method, account, id]) => {
    expect(resolveAccount(accounts, { method, account }).id).toBe(id);
  });

  test.for([
    ['in-bank-transfer', 'shop-a@okbank', '/account must be the account of one of your receiving accounts'],
    [
      'in-bank-transfer',
      undefined,
      '/receivingAccountId is required, unless both method and account are given',
    ],
    [undefined, 'shopa@okbank', '/receivingAccountId is required, unless both method and account are given'],
    ['fps', '+852 5123 4567', 'matches several receiving accounts: use receivingAccountId (hsbc, any bank)'],
    ['au-bank-transfer', 'Pay@Example.com', 'matches several receiving accounts'],
  ] as const)('rejects %s %s, which identifies no account or several', ([method, account, message]) => {
    expect(() => resolveAccount(accounts, { method, account })).toThrow(message);
  });

  test('resolves an id to one of several accounts with the same number', () => {
    expect(resolveAccount(accounts, { receivingAccountId: 'hsbc' }).id).toBe('hsbc');
  });
});
