import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { count } from '../../setup/counts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { setupTossMerchant } from '../../setup/toss-merchant.ts';

/** Where payments carry no reference, the amounts that are asked are made distinguishable. */

const shop = setupTossMerchant();

const askedOf = async (charges: number, now = noon) => {
  const asked: [number, number | null][] = [];
  for (let i = 0; i < charges; i++) {
    const { customerAmount, amountOffset } = await shop.charge(50_000, now);
    asked.push([Number(customerAmount), amountOffset === null ? null : Number(amountOffset)]);
  }
  return asked;
};

describe('the amount asked', () => {
  test('is as converted, and alike for all, while the merchant does not ask for more', async () => {
    await shop.accounts({});
    expect(await askedOf(2)).toEqual([
      [50_000, null],
      [50_000, null],
    ]);
  });

  test('differs among open charges by the smallest whole units', async () => {
    await shop.accounts({ maxAmountOffset: 5 });
    expect(await askedOf(3)).toEqual([
      [50_000, 0],
      [50_001, 1],
      [50_002, 2],
    ]);
    expect(Number((await shop.charge(50_001)).customerAmount)).toBe(50_003);
    expect(Number((await shop.charge(60_000)).customerAmount)).toBe(60_000);
  });

  test('has whole baht added, whatever its satang, and the code carries it', async () => {
    const details = { mobile: '+66812345678' };
    await shop.accounts({ method: 'prompt-pay', details, maxAmountOffset: 9 });
    const terms = { merchantAmount: 99.5, merchantCurrency: 'THB', method: 'prompt-pay' };
    const baht = (email: string) =>
      seedCharge(shop.service(), shop.merchant(), { input: { ...terms, email } });
    await baht('a@example.com');
    const { customerAmount, amountOffset, merchantAmount, destination } = await baht('b@example.com');
    expect([customerAmount, amountOffset, merchantAmount]).toEqual([10_050n, 100n, 9_950n]);
    expect((destination as { qrCode: string }).qrCode).toContain('5406100.50');
  });

  test('goes to another account when one has none left, and to the plain amount when none has', async () => {
    const [first, second] = await shop.accounts({ maxAmountOffset: 1 }, { maxAmountOffset: 1, weight: 2 });
    const charges: Charge[] = [];
    for (let i = 0; i < 6; i++) charges.push(await shop.charge());
    const unique = charges.filter(({ amountOffset }) => amountOffset !== null);
    expect(unique.map((one) => `${one.receivingAccountId} ${one.customerAmount}`).sort()).toEqual(
      [first, second].flatMap((account) => [`${account!.id} 50000`, `${account!.id} 50001`]).sort(),
    );
    const plain = charges.slice(4);
    expect(plain.map(({ customerAmount, amountOffset }) => [customerAmount, amountOffset])).toEqual([
      [50_000n, null],
      [50_000n, null],
    ]);
  });

  test('is never above what the account takes', async () => {
    await shop.accounts({ maxAmountOffset: 50, maxAmount: 50_001n });
    expect(await askedOf(3)).toEqual([
      [50_000, 0],
      [50_001, 1],
      [50_000, null],
    ]);
  });

  test('rests until nobody can pay by the old instructions any more', async () => {
    await shop.accounts({ maxAmountOffset: 9 });
    await shop.cancel(await shop.charge());
    expect(await askedOf(1)).toEqual([[50_001, 1]]);
    await expireCharges(shop.service(), { now: minutesAfter(noon, 31) });
    expect(await askedOf(1, minutesAfter(noon, 40))).toEqual([[50_002, 2]]);
    expect(await askedOf(1, minutesAfter(noon, 30 + 61))).toEqual([[50_000, 0]]);
  });

  test('is held by the database: a second open charge of the amount cannot be written', async () => {
    await shop.accounts({ maxAmountOffset: 9 });
    await shop.charge();
    const second = await shop.charge();
    await expect(
      shop.service().prisma.charge.update({ where: { id: second.id }, data: { customerAmount: 50_000n } }),
    ).rejects.toMatchObject({ code: 'P2002' });
  });

  test('of 50 charges at once is 50 amounts, the smallest there are', async () => {
    for (let round = 0; round < count(2, 20); round++) {
      await shop.accounts({ maxAmountOffset: 49 });
      const charges = await Promise.all(Array.from({ length: 50 }, () => shop.charge()));
      const asked = charges.map(({ customerAmount }) => Number(customerAmount)).sort((a, b) => a - b);
      expect(asked).toEqual(Array.from({ length: 50 }, (_, i) => 50_000 + i));
    }
  });
});
