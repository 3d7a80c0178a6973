import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, ReceivingAccount } from '../../../prisma/client/client.ts';
import { cancelCharge } from '../../../src/domain/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/charge/expire-charges.ts';
import type { NewMerchant } from '../../../src/domain/merchant/create-merchant.ts';
import {
  insertReceivingAccount,
  type NewAccount,
} from '../../../src/domain/receiving-account/insert-receiving-account.ts';
import type { Service } from '../../../src/domain/service.ts';
import { recordTransfers, type TransferItemResult } from '../../../src/domain/transfer/record-transfers.ts';
import { transact } from '../../../src/kit/db.ts';
import { count } from '../../setup/counts.ts';
import { makeCharge, makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { testService } from '../../setup/service.ts';

/** Where payments carry no reference, amounts are made distinguishable, and money is matched by them. */

let service: Service;
let merchant: NewMerchant;
let made = 0;

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service, { demoAccounts: false });
});

type Options = Partial<Omit<NewAccount, 'method' | 'details'>>;

const retireAll = () =>
  service.prisma.receivingAccount.updateMany({
    where: { merchantId: merchant.merchant.id, mode: 'live', status: 'active' },
    data: { status: 'retired', retiredAt: noon },
  });

/** From now on these are the only accounts for Toss, in Korean won. */
async function shopWith(...inputs: Options[]): Promise<ReceivingAccount[]> {
  await retireAll();
  const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
  const accounts: ReceivingAccount[] = [];
  for (const [i, input] of inputs.entries()) {
    const details = { bankCode: '092', account: `10001234567${i}`, bank: 'Toss Bank' };
    const account = { method: 'toss', details, holder: 'Shop', ...input } as const;
    accounts.push(
      await transact(service, (tx) =>
        insertReceivingAccount(tx, { ...owner, input: account, now: minutesAfter(noon, i - 60) }),
      ),
    );
  }
  return accounts;
}

const won = (merchantAmount = 50_000, now = noon): Promise<Charge> => {
  const email = `w${++made}@example.com`;
  const input = { merchantAmount, merchantCurrency: 'KRW', method: 'toss', email };
  return makeCharge(service, merchant, { input, now });
};
const askedOf = async (count: number, now = noon) => {
  const charges: Charge[] = [];
  for (let i = 0; i < count; i++) charges.push(await won(50_000, now));
  return charges.map(({ customerAmount, amountAdded }) => [
    Number(customerAmount),
    amountAdded === null ? null : Number(amountAdded),
  ]);
};

type Paid = {
  account: ReceivingAccount;
  amount: number | string;
  paidAt?: string;
  now?: Date;
  reference?: string;
};

const pay = async (...items: Paid[]): Promise<TransferItemResult[]> =>
  recordTransfers(service, {
    merchant: merchant.merchant,
    mode: 'live',
    actor: 'bank',
    now: items[0]!.now ?? minutesAfter(noon, 10),
    items: items.map(({ account, amount, paidAt = minutesAfter(noon, 5).toISOString(), reference = '' }) => ({
      id: `bank-${++made}`,
      receivingAccountId: account.id,
      amount: String(amount),
      currency: account.currency,
      reference,
      paidAt,
    })),
  });
const cancel = ({ id }: Charge, now = noon) =>
  cancelCharge(service, {
    merchantId: merchant.merchant.id,
    mode: 'live',
    id,
    by: 'merchant',
    actor: 'test',
    now,
  });

describe('the amount asked', () => {
  test('is as converted, and alike for all, while the merchant does not ask for more', async () => {
    await shopWith({});
    expect(await askedOf(2)).toEqual([
      [50_000, null],
      [50_000, null],
    ]);
  });

  test('differs among open charges by the smallest whole units', async () => {
    await shopWith({ uniqueAmountsMax: 5 });
    expect(await askedOf(3)).toEqual([
      [50_000, 0],
      [50_001, 1],
      [50_002, 2],
    ]);
    expect(Number((await won(50_001)).customerAmount)).toBe(50_003);
    expect(Number((await won(60_000)).customerAmount)).toBe(60_000);
  });

  test('has whole baht added, whatever its satang, and the code carries it', async () => {
    const input = {
      method: 'prompt-pay',
      details: { mobile: '+66812345678' },
      holder: 'Shop',
      uniqueAmountsMax: 9,
    } as const;
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    await transact(service, (tx) => insertReceivingAccount(tx, { ...owner, input, now: noon }));
    const baht = () => {
      const terms = {
        merchantAmount: 99.5,
        merchantCurrency: 'THB',
        method: 'prompt-pay',
        email: `t${++made}@example.com`,
      };
      return makeCharge(service, merchant, { input: terms });
    };
    await baht();
    const { customerAmount, amountAdded, merchantAmount, destination } = await baht();
    expect([customerAmount, amountAdded, merchantAmount]).toEqual([10_050n, 100n, 9_950n]);
    expect((destination as { qrCode: string }).qrCode).toContain('5406100.50');
  });

  test('goes to another account when one has none left, and to the plain amount when none has', async () => {
    const [first, second] = await shopWith({ uniqueAmountsMax: 1 }, { uniqueAmountsMax: 1, weight: 2 });
    const charges: Charge[] = [];
    for (let i = 0; i < 6; i++) charges.push(await won());
    const unique = charges.filter(({ amountAdded }) => amountAdded !== null);
    expect(unique.map((one) => `${one.receivingAccountId} ${one.customerAmount}`).sort()).toEqual(
      [first, second].flatMap((account) => [`${account!.id} 50000`, `${account!.id} 50001`]).sort(),
    );
    const plain = charges.slice(4);
    expect(plain.map(({ customerAmount, amountAdded }) => [customerAmount, amountAdded])).toEqual([
      [50_000n, null],
      [50_000n, null],
    ]);
  });

  test('is never above what the account takes', async () => {
    await shopWith({ uniqueAmountsMax: 50, maxAmount: 50_001n });
    expect(await askedOf(3)).toEqual([
      [50_000, 0],
      [50_001, 1],
      [50_000, null],
    ]);
  });

  test('rests until nobody can pay by the old instructions any more', async () => {
    await shopWith({ uniqueAmountsMax: 9 });
    await cancel(await won());
    expect(await askedOf(1)).toEqual([[50_001, 1]]);
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    expect(await askedOf(1, minutesAfter(noon, 40))).toEqual([[50_002, 2]]);
    expect(await askedOf(1, minutesAfter(noon, 30 + 61))).toEqual([[50_000, 0]]);
  });

  test('is held by the database: a second open charge of the amount cannot be written', async () => {
    await shopWith({ uniqueAmountsMax: 9 });
    await won();
    const second = await won();
    await expect(
      service.prisma.charge.update({ where: { id: second.id }, data: { customerAmount: 50_000n } }),
    ).rejects.toMatchObject({ code: 'P2002' });
  });

  test('of 50 charges at once is 50 amounts, the smallest there are', async () => {
    for (let round = 0; round < count(2, 20); round++) {
      await shopWith({ uniqueAmountsMax: 49 });
      const charges = await Promise.all(Array.from({ length: 50 }, () => won()));
      const asked = charges.map(({ customerAmount }) => Number(customerAmount)).sort((a, b) => a - b);
      expect(asked).toEqual(Array.from({ length: 50 }, (_, i) => 50_000 + i));
    }
  });
});

describe('money without a reference', () => {
  test('completes the charge that asked the very amount, each its own', async () => {
    const [account] = await shopWith({ uniqueAmountsMax: 9 });
    const charges = [await won(), await won(), await won()];
    const results = await pay(...[2, 0, 1].map((i) => ({ account: account!, amount: 50_000 + i })));
    expect(results.map(({ status, chargeId }) => [status, chargeId])).toEqual(
      [2, 0, 1].map((i) => ['matched', charges[i]!.id]),
    );
    const rows = await service.prisma.charge.findMany({ where: { id: { in: charges.map(({ id }) => id) } } });
    for (const { status, amountReceived, customerAmount } of rows) {
      expect([status, amountReceived]).toEqual(['completed', customerAmount]);
    }
  });

  test('is an exception while amounts are not made unique', async () => {
    const [account] = await shopWith({});
    await won();
    expect(await pay({ account: account!, amount: 50_000 })).toMatchObject([
      { status: 'exception', reason: 'no_nonce' },
    ]);
  });

  test('of another amount is for nobody, paid twice counts once, and the word goes before the amount', async () => {
    const [account] = await shopWith({ uniqueAmountsMax: 9 });
    const [first, second] = [await won(), await won()];
    expect(await pay({ account: account!, amount: 49_999 })).toMatchObject([{ reason: 'no_nonce' }]);
    const results = await pay(
      { account: account!, amount: 50_000 },
      { account: account!, amount: 50_000 },
      { account: account!, amount: 50_000, reference: second.nonce },
    );
    expect(results).toMatchObject([
      { status: 'matched', chargeId: first.id },
      { status: 'exception', reason: 'charge_completed' },
      { status: 'partial', chargeId: second.id },
    ]);
    expect(await pay({ account: account!, amount: 50_000 })).toMatchObject([{ reason: 'charge_completed' }]);
  });

  test('counts by when it was paid: before and after the window for nobody, learned late all the same', async () => {
    const [account] = await shopWith({ uniqueAmountsMax: 9 });
    const charge = await won();
    const now = minutesAfter(noon, 60);
    const at = (minutes: number) => minutesAfter(noon, minutes).toISOString();
    await expireCharges(service, { now });
    for (const minutes of [-1, 31]) {
      const late = await pay({ account: account!, amount: 50_000, paidAt: at(minutes), now });
      expect(late).toMatchObject([{ status: 'exception', reason: 'no_nonce' }]);
    }
    const late = await pay({ account: account!, amount: 50_000, paidAt: at(29), now });
    expect(late).toMatchObject([{ status: 'matched', chargeId: charge.id }]);
  });

  test('with a date alone counts only where one charge asked the amount that day', async () => {
    const [account] = await shopWith({ uniqueAmountsMax: 9 });
    const paidAt = '2026-11-17';
    const now = minutesAfter(noon, 180);
    const first = await won();
    await expireCharges(service, { now });
    expect(await pay({ account: account!, amount: 50_000, paidAt, now })).toMatchObject([
      { chargeId: first.id },
    ]);
    const [again] = [await won(50_000, minutesAfter(noon, 150))];
    expect(Number(again.amountAdded)).toBe(0);
    expect(await pay({ account: account!, amount: 50_000, paidAt, now })).toMatchObject([
      { status: 'exception', reason: 'several_charges' },
    ]);
  });

  test('for a cancelled charge is an exception that says so', async () => {
    const [account] = await shopWith({ uniqueAmountsMax: 9 });
    await cancel(await won());
    expect(await pay({ account: account!, amount: 50_000 })).toMatchObject([{ reason: 'charge_cancelled' }]);
  });

  test('is left to the merchant where a charge without an amount of its own asks the same', async () => {
    const [account] = await shopWith({ uniqueAmountsMax: 1 });
    for (let i = 0; i < 3; i++) await won();
    expect(
      await pay({ account: account!, amount: 50_000 }, { account: account!, amount: 50_001 }),
    ).toMatchObject([{ status: 'exception', reason: 'several_charges' }, { status: 'matched' }]);
  });
});
