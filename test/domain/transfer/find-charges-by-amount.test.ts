import { describe, expect, test, vi } from 'vitest';
import { draftTransfer } from '../../../src/domain/money-in/transfer/draft-transfer.ts';
import { findChargesByAmount } from '../../../src/domain/money-in/transfer/find-paid-charges.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { setupTossMerchant } from '../../setup/toss-merchant.ts';
import { transferInput } from '../../setup/transfers.ts';

/** Money that carries no reference is known by an amount that only one charge asked when it was paid. */

const shop = setupTossMerchant();

describe('money without a reference', () => {
  test('completes the charge that asked the very amount, each its own', async () => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const charges = [await shop.charge(), await shop.charge(), await shop.charge()];
    const results = await shop.pay(...[2, 0, 1].map((i) => ({ account: account!, amount: 50_000 + i })));
    expect(results.map(({ status, chargeId }) => [status, chargeId])).toEqual(
      [2, 0, 1].map((i) => ['matched', charges[i]!.id]),
    );
    const rows = await shop
      .service()
      .prisma.charge.findMany({ where: { id: { in: charges.map(({ id }) => id) } } });
    for (const { status, amountReceived, customerAmount } of rows) {
      expect([status, amountReceived]).toEqual(['completed', customerAmount]);
    }
  });

  test('is an exception while amounts are not made unique', async () => {
    const [account] = await shop.accounts({});
    await shop.charge();
    expect(await shop.pay({ account: account!, amount: 50_000 })).toMatchObject([
      { status: 'exception', reason: 'missing_reference' },
    ]);
  });

  test('of another amount is for nobody, paid twice counts once, and the word goes before the amount', async () => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const [first, second] = [await shop.charge(), await shop.charge()];
    expect(await shop.pay({ account: account!, amount: 49_999 })).toMatchObject([
      { reason: 'missing_reference' },
    ]);
    const results = await shop.pay(
      { account: account!, amount: 50_000 },
      { account: account!, amount: 50_000 },
      { account: account!, amount: 50_000, reference: second.paymentReference },
    );
    expect(results).toMatchObject([
      { status: 'matched', chargeId: first.id },
      { status: 'exception', reason: 'charge_completed' },
      { status: 'partial', chargeId: second.id },
    ]);
    expect(await shop.pay({ account: account!, amount: 50_000 })).toMatchObject([
      { reason: 'charge_completed' },
    ]);
  });

  test('counts by when it was paid: before and after the window for nobody, learned late all the same', async () => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const charge = await shop.charge();
    const now = minutesAfter(noon, 60);
    const at = (minutes: number) => minutesAfter(noon, minutes).toISOString();
    await expireCharges(shop.service(), { now });
    for (const minutes of [-1, 31]) {
      const late = await shop.pay({ account: account!, amount: 50_000, paidAt: at(minutes), now });
      expect(late).toMatchObject([{ status: 'exception', reason: 'missing_reference' }]);
    }
    const late = await shop.pay({ account: account!, amount: 50_000, paidAt: at(29), now });
    expect(late).toMatchObject([{ status: 'matched', chargeId: charge.id }]);
  });

  test('with a date alone counts only where one charge asked the amount that day', async () => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const paidAt = '2026-11-17';
    const now = minutesAfter(noon, 180);
    const first = await shop.charge();
    await expireCharges(shop.service(), { now });
    expect(await shop.pay({ account: account!, amount: 50_000, paidAt, now })).toMatchObject([
      { chargeId: first.id },
    ]);
    const [again] = [await shop.charge(50_000, minutesAfter(noon, 150))];
    expect(Number(again.amountOffset)).toBe(0);
    expect(await shop.pay({ account: account!, amount: 50_000, paidAt, now })).toMatchObject([
      { status: 'exception', reason: 'multiple_charges' },
    ]);
  });

  test('with dates alone is held against the days of each charge, which one calendar tells', async () => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const charges = [await shop.charge(), await shop.charge(), await shop.charge()];
    const paid = { content: 'won', paidAt: new Date('2026-11-17T00:00:00Z'), paidAtIsDate: true };
    const transfers = [...charges, ...charges].map(({ customerAmount: minor }) => {
      const input = transferInput({ ...paid, money: { minor, currency: 'KRW' } });
      return draftTransfer({ account: account!, input, now: noon });
    });
    const format = vi.spyOn(Intl, 'DateTimeFormat');
    try {
      const found = await transact(shop.service(), ({ tx }) =>
        findChargesByAmount(tx, transfers, { account: account!, matchedCharges: [] }),
      );
      expect(found).toMatchObject([
        ...charges.map(({ id }) => ({ charge: { id } })),
        ...charges.map(() => ({ reason: 'charge_completed' })),
      ]);
      expect(format).toHaveBeenCalledTimes(1);
    } finally {
      format.mockRestore();
    }
  });

  test('for a cancelled charge is an exception that says so', async () => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    await shop.cancel(await shop.charge());
    expect(await shop.pay({ account: account!, amount: 50_000 })).toMatchObject([
      { reason: 'charge_cancelled' },
    ]);
  });

  test('is left to the merchant where a charge without an amount of its own asks the same', async () => {
    const [account] = await shop.accounts({ maxAmountOffset: 1 });
    for (let i = 0; i < 3; i++) await shop.charge();
    expect(
      await shop.pay({ account: account!, amount: 50_000 }, { account: account!, amount: 50_001 }),
    ).toMatchObject([{ status: 'exception', reason: 'multiple_charges' }, { status: 'matched' }]);
  });
});

test('charges made, cancelled and paid at once: each amount counts once, nothing is stuck', async () => {
  for (let round = 0; round < count(3, 50); round++) {
    const [account] = await shop.accounts({ maxAmountOffset: 99 });
    const before = await Promise.all(Array.from({ length: 8 }, () => shop.charge()));
    const [toPay, toCancel] = [before.slice(0, 6), before.slice(4)];
    const payments = toPay.map(({ customerAmount }) =>
      shop.pay({ account: account!, amount: Number(customerAmount) }),
    );
    const cancels = toCancel.map((charge) => doneOrCode(shop.cancel(charge)));
    const made = Promise.all(Array.from({ length: 8 }, () => shop.charge()));
    const paid = (await Promise.all(payments)).map(([result]) => result!);
    for (const cancel of await Promise.all(cancels)) expect(['done', 'charge_not_pending']).toContain(cancel);
    const charges = await shop
      .service()
      .prisma.charge.findMany({ where: { receivingAccountId: account!.id } });
    for (const [i, { id }] of toPay.entries()) {
      const { status } = charges.find((charge) => charge.id === id)!;
      const { reason } = paid[i]!;
      expect([status, reason]).toEqual(
        status === 'cancelled' ? ['cancelled', 'charge_cancelled'] : ['completed', undefined],
      );
    }
    const amounts = [...before, ...(await made)].map(({ customerAmount }) => customerAmount);
    expect(new Set(amounts).size).toBe(16);
  }
  await expectInvariants(shop.service());
});
