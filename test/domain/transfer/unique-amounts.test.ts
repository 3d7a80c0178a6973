import { randomUUID } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import type { Charge, ReceivingAccount } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import type { NewReceivingAccount } from '../../../src/domain/accounts/receiving-account/insert-receiving-account.ts';
import { findChargesByAmount } from '../../../src/domain/money-in/transfer/matching/find-charges-by-amount.ts';
import { draftTransfer } from '../../../src/domain/money-in/transfer/record/draft-transfer.ts';
import {
  recordTransfers,
  type TransferItemResult,
} from '../../../src/domain/money-in/transfer/record/record-transfers.ts';
import { suggestCharges } from '../../../src/domain/money-in/transfer/suggestions/suggest-charges.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { quoteMethods } from '../../../src/domain/payments/charge/quote-methods.ts';
import { readCheckoutCharge } from '../../../src/domain/payments/checkout/get-checkout-charge.ts';
import { replaceCharge } from '../../../src/domain/payments/checkout/replace-charge.ts';
import { chargeSession } from '../../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../../src/domain/payments/session/claim-session.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { seedSession } from '../../setup/checkout.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { retireAccounts, seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { transferInput } from '../../setup/transfers.ts';

type TossPayment = {
  account: ReceivingAccount;
  amount: number;
  paidAt?: string;
  now?: Date;
  reference?: string;
};

/** A merchant whose customers pay in Korean won by Toss, which carries no reference. */
const test = serviceTest.extend('shop', async ({ service }) =>
  createShop(service, await seedMerchant(service, { hasDemoAccounts: false })),
);

function createShop(service: Service, merchant: NewMerchant) {
  const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
  let customerCount = 0;

  const addAccount = (input: Partial<NewReceivingAccount>, i: number) => {
    const details = { bankCode: '092', account: `10001234567${i}`, bank: 'Toss Bank' };
    const account = { method: 'toss' as const, details, holder: 'Shop', ...input };
    return seedReceivingAccount(service, merchant, account, minutesAfter(noon, i - 60));
  };

  return {
    merchant,
    /** Replaces all accounts; the first is the oldest. */
    async accounts(...inputs: Partial<NewReceivingAccount>[]): Promise<ReceivingAccount[]> {
      await retireAccounts(service, owner, noon);
      return Promise.all(inputs.map(addAccount));
    },
    /** A charge of 50,000 won by default, for a new customer. */
    charge(merchantAmount = 50_000, now = noon): Promise<Charge> {
      const email = `w${++customerCount}@example.com`;
      const input = { merchantAmount, merchantCurrency: 'KRW', method: 'toss', email };
      return seedCharge(service, merchant, { input, now });
    },
    /** A charge of 50,000 won that expires, and the charge with which the customer starts again. */
    async replacedCharge(): Promise<[Charge, Charge]> {
      const input = { amount: 50_000, currency: 'KRW' };
      const session = await seedSession(service, merchant, { input, now: noon });
      const browser = { browserToken: 'browser', now: noon };
      await claimSession(service, { ...browser, id: session.id, canTakeOver: false });
      const customer = { email: `w${++customerCount}@example.com` };
      const options = { merchant: merchant.merchant, method: 'toss' as const };
      const { id } = await chargeSession(service, { ...options, ...browser, session, customer });
      await expireCharges(service, { now: minutesAfter(noon, 31) });
      const expired = (await readCheckoutCharge(service, { id, mode: 'live' }))!;
      const visitor = { ipAddress: '192.0.2.1' };
      const again = { ...options, visitor, charge: expired, now: minutesAfter(noon, 32) };
      return [expired, await replaceCharge(service, again)];
    },
    /** Records transfers of a bank feed, five minutes after noon by default. */
    pay: (...items: TossPayment[]): Promise<TransferItemResult[]> =>
      recordTransfers(service, {
        merchant: merchant.merchant,
        mode: 'live',
        actor: 'key:feed',
        now: items[0]!.now ?? minutesAfter(noon, 10),
        items: items.map(
          ({ account, amount, paidAt = minutesAfter(noon, 5).toISOString(), reference = '' }) => ({
            id: `bank-${randomUUID()}`,
            receivingAccountId: account.id,
            amount: String(amount),
            currency: account.currency,
            reference,
            paidAt,
          }),
        ),
      }),
    cancel: ({ id }: Charge): Promise<Charge> =>
      cancelCharge(service, { ...owner, id, by: 'merchant', actor: 'user:test', now: noon }),
  };
}

type Shop = ReturnType<typeof createShop>;

/** Creates charges and returns the amount and offset of each. */
const createAmounts = async (shop: Shop, chargeCount: number, now = noon) => {
  const amounts: [number, number | null][] = [];
  for (let i = 0; i < chargeCount; i++) {
    const { customerAmount, amountOffset } = await shop.charge(50_000, now);
    amounts.push([Number(customerAmount), amountOffset === null ? null : Number(amountOffset)]);
  }
  return amounts;
};

describe('Customer amount', () => {
  test('is the converted amount, equal for all charges, when the account has no maximum offset', async ({
    shop,
  }) => {
    await shop.accounts({ maxAmountOffset: null });
    expect(await createAmounts(shop, 2)).toEqual([
      [50_000, null],
      [50_000, null],
    ]);
  });

  test('differs among open charges by the smallest whole units', async ({ shop }) => {
    await shop.accounts({ maxAmountOffset: 5 });
    expect(await createAmounts(shop, 3)).toEqual([
      [50_000, 0],
      [50_001, 1],
      [50_002, 2],
    ]);
    expect(Number((await shop.charge(50_001)).customerAmount)).toBe(50_003);
    // The plain amount is given only while no other charge is open on the account.
    expect(Number((await shop.charge(60_000)).customerAmount)).toBe(60_001);
  });

  test('is raised by at most one percent', async ({ shop }) => {
    await shop.accounts({ maxAmountOffset: 999 });
    const amounts: number[] = [];
    for (let i = 0; i < 3; i++) amounts.push(Number((await shop.charge(200)).customerAmount));
    expect(amounts).toEqual([200, 201, 202]);
    await expect(shop.charge(200)).rejects.toMatchObject({ code: 'method_unavailable' });
  });

  test('is unique by default when payments carry no reference', async ({ shop }) => {
    const [account] = await shop.accounts({});
    expect(account!.maxAmountOffset).toBe(999);
    expect(await createAmounts(shop, 2)).toEqual([
      [50_000, 0],
      [50_001, 1],
    ]);
  });

  test('is raised by satang where one percent is less than ten baht, also in the QR code', async ({
    shop,
    service,
  }) => {
    const details = { mobile: '+66812345678' };
    await shop.accounts({ method: 'prompt-pay', details, maxAmountOffset: 9 });
    const terms = { merchantAmount: 99.5, merchantCurrency: 'THB', method: 'prompt-pay' };
    const seedBahtAccount = (email: string) =>
      seedCharge(service, shop.merchant, { input: { ...terms, email } });
    await seedBahtAccount('a@example.com');
    const { customerAmount, amountOffset, merchantAmount, destination } =
      await seedBahtAccount('b@example.com');
    expect([customerAmount, amountOffset, merchantAmount]).toEqual([9_951n, 1n, 9_950n]);
    expect((destination as { qrCode: string }).qrCode).toContain('540599.51');
  });

  test('is unique on another account when one has none left, and the method is not offered when no account has one left', async ({
    shop,
    service,
  }) => {
    const [first, second] = await shop.accounts({ maxAmountOffset: 1 }, { maxAmountOffset: 1, weight: 2 });
    const charges: Charge[] = [];
    for (let i = 0; i < 4; i++) charges.push(await shop.charge());
    expect(
      charges
        .map(({ receivingAccountId, customerAmount }) => `${receivingAccountId} ${customerAmount}`)
        .sort(),
    ).toEqual([first, second].flatMap((account) => [`${account!.id} 50000`, `${account!.id} 50001`]).sort());
    await expect(shop.charge()).rejects.toMatchObject({ code: 'method_unavailable' });
    const quote = () =>
      quoteMethods(service, {
        merchant: shop.merchant.merchant,
        mode: 'live',
        money: { minor: 50_000n, currency: 'KRW' },
        methods: [],
        now: noon,
      });
    await expect(quote()).rejects.toMatchObject({ code: 'method_unavailable' });
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    await expect(quote()).rejects.toMatchObject({ code: 'method_unavailable' });
    expect(Number((await shop.charge(50_000, minutesAfter(noon, 30 + 61))).customerAmount)).toBe(50_000);
  });

  test('is never above the maximum of the account', async ({ shop }) => {
    await shop.accounts({ maxAmountOffset: 50, maxAmount: 50_001n });
    expect(await createAmounts(shop, 2)).toEqual([
      [50_000, 0],
      [50_001, 1],
    ]);
    await expect(shop.charge()).rejects.toMatchObject({ code: 'method_unavailable' });
  });

  test('is not reused until the instructions of the earlier charge have expired', async ({
    shop,
    service,
  }) => {
    await shop.accounts({ maxAmountOffset: 9 });
    await shop.cancel(await shop.charge());
    expect(await createAmounts(shop, 1)).toEqual([[50_001, 1]]);
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    expect(await createAmounts(shop, 1, minutesAfter(noon, 40))).toEqual([[50_002, 2]]);
    expect(await createAmounts(shop, 1, minutesAfter(noon, 30 + 61))).toEqual([[50_000, 0]]);
  });

  test('is not the amount that an open charge still has to receive', async ({ shop }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    await shop.charge(20_000);
    const { paymentReference: reference, customerAmount } = await shop.charge(100_000);
    expect(customerAmount).toBe(100_001n);
    await shop.pay({ account: account!, amount: 50_000, reference });
    expect(await createAmounts(shop, 1)).toEqual([[50_002, 2]]);
  });

  test('is unique among the open charges of an account, by a database constraint', async ({
    shop,
    service,
  }) => {
    await shop.accounts({ maxAmountOffset: 9 });
    await shop.charge();
    const second = await shop.charge();
    await expect(
      service.prisma.charge.update({ where: { id: second.id }, data: { customerAmount: 50_000n } }),
    ).rejects.toMatchObject({ code: 'P2002' });
  });

  test('is one of the 50 smallest amounts for each of 50 concurrent charges', async ({ shop }) => {
    for (let round = 0; round < count(2, 20); round++) {
      await shop.accounts({ maxAmountOffset: 49 });
      const charges = await Promise.all(Array.from({ length: 50 }, () => shop.charge()));
      const amounts = charges.map(({ customerAmount }) => Number(customerAmount)).sort((a, b) => a - b);
      expect(amounts).toEqual(Array.from({ length: 50 }, (_, i) => 50_000 + i));
    }
  });
});

describe('Transfer without a payment reference', () => {
  test('completes the charge with its amount', async ({ shop, service }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const charges = [await shop.charge(), await shop.charge(), await shop.charge()];
    const results = await shop.pay(...[2, 0, 1].map((i) => ({ account: account!, amount: 50_000 + i })));
    expect(results.map(({ status, chargeId }) => [status, chargeId])).toEqual(
      [2, 0, 1].map((i) => ['matched', charges[i]!.id]),
    );
    const rows = await service.prisma.charge.findMany({ where: { id: { in: charges.map(({ id }) => id) } } });
    for (const { status, amountReceived, customerAmount } of rows) {
      expect([status, amountReceived]).toEqual(['completed', customerAmount]);
    }
  });

  test('is an exception when the account has no maximum offset', async ({ shop }) => {
    const [account] = await shop.accounts({ maxAmountOffset: null });
    await shop.charge();
    expect(await shop.pay({ account: account!, amount: 50_000 })).toMatchObject([
      { status: 'exception', reason: 'missing_reference' },
    ]);
  });

  test('is an exception with another amount and when it is repeated, and a payment reference has precedence over the amount', async ({
    shop,
  }) => {
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

  test('is matched only if it was paid in the payment window, even if it is reported late', async ({
    shop,
    service,
  }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const charge = await shop.charge();
    const now = minutesAfter(noon, 60);
    const toTime = (minutes: number) => minutesAfter(noon, minutes).toISOString();
    await expireCharges(service, { now });
    for (const minutes of [-1, 31]) {
      const late = await shop.pay({ account: account!, amount: 50_000, paidAt: toTime(minutes), now });
      expect(late).toMatchObject([{ status: 'exception', reason: 'missing_reference' }]);
    }
    const late = await shop.pay({ account: account!, amount: 50_000, paidAt: toTime(29), now });
    expect(late).toMatchObject([{ status: 'matched', chargeId: charge.id }]);
  });

  test('with a date alone is matched only if one charge had the amount on that day', async ({
    shop,
    service,
  }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const paidAt = '2026-11-17';
    const now = minutesAfter(noon, 180);
    const first = await shop.charge();
    await expireCharges(service, { now });
    expect(await shop.pay({ account: account!, amount: 50_000, paidAt, now })).toMatchObject([
      { chargeId: first.id },
    ]);
    const second = await shop.charge(50_000, minutesAfter(noon, 150));
    expect(Number(second.amountOffset)).toBe(0);
    expect(await shop.pay({ account: account!, amount: 50_000, paidAt, now })).toMatchObject([
      { status: 'exception', reason: 'multiple_charges' },
    ]);
  });

  test('with a date alone is compared with the days of each charge by a single date formatter', async ({
    shop,
    service,
  }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const charges = [await shop.charge(), await shop.charge(), await shop.charge()];
    const paid = { content: 'won', paidAt: new Date('2026-11-17T00:00:00Z'), isPaidAtDateOnly: true };
    const transfers = [...charges, ...charges].map(({ customerAmount: minor }) => {
      const input = transferInput({ ...paid, money: { minor, currency: 'KRW' } });
      return draftTransfer({ account: account!, input, now: noon });
    });
    const format = vi.spyOn(Intl, 'DateTimeFormat');
    try {
      const matches = await transact(service, ({ tx }) =>
        findChargesByAmount(tx, transfers, {
          account: { ...account!, sharedIds: [account!.id] },
          matchedCharges: [],
          similarCharges: new Map(),
        }),
      );
      expect([...matches.values()]).toMatchObject([
        ...charges.map(({ id }) => ({ charge: { id } })),
        ...charges.map(() => ({ reason: 'charge_completed' })),
      ]);
      expect(format).toHaveBeenCalledTimes(1);
    } finally {
      format.mockRestore();
    }
  });

  test('is an exception for a cancelled charge', async ({ shop }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    await shop.cancel(await shop.charge());
    expect(await shop.pay({ account: account!, amount: 50_000 })).toMatchObject([
      { reason: 'charge_cancelled' },
    ]);
  });

  test('is an exception for an expired charge with which the customer started again', async ({
    shop,
    service,
  }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    const [expired, current] = await shop.replacedCharge();
    expect([expired.customerAmount, current.customerAmount]).toEqual([50_000n, 50_001n]);
    const paidAt = minutesAfter(noon, 29).toISOString();
    const payment = { account: account!, amount: 50_000, paidAt, now: minutesAfter(noon, 35) };
    const [result] = await shop.pay(payment);
    expect(result).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    const where = { id: { in: [expired.id, current.id] } };
    const charges = await service.prisma.charge.findMany({ where, orderBy: { id: 'asc' } });
    expect(charges.map(({ id, status }) => [id, status])).toEqual([
      [expired.id, 'expired'],
      [current.id, 'pending'],
    ]);
    const transfer = await service.prisma.transfer.findUniqueOrThrow({ where: { id: result!.transferId! } });
    const scope = { merchantId: shop.merchant.merchant.id, mode: 'live' as const };
    const suggestions = (await suggestCharges(service, scope, [transfer])).get(transfer.id)!;
    expect(suggestions.charges.map(({ charge, reasons }) => [charge.id, reasons])).toEqual([
      [current.id, ['replaced_reference', 'same_price']],
      [expired.id, ['same_amount']],
    ]);
    // The customer's page then asks not to pay again.
    const page = await readCheckoutCharge(service, { id: current.id, mode: 'live' });
    expect(page!.unallocatedTransfers).toMatchObject([{ chargeId: expired.id, money: { minor: 50_000n } }]);
  });

  test('is an exception when a charge without a unique amount has the same amount', async ({
    shop,
    service,
  }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 1 });
    for (let i = 0; i < 2; i++) await shop.charge();
    await service.prisma.receivingAccount.update({
      where: { id: account!.id },
      data: { maxAmountOffset: null },
    });
    await shop.charge();
    expect(
      await shop.pay({ account: account!, amount: 50_000 }, { account: account!, amount: 50_001 }),
    ).toMatchObject([{ status: 'exception', reason: 'multiple_charges' }, { status: 'matched' }]);
  });

  test('is an exception when its amount is also the rest of a partly paid charge', async ({
    shop,
    service,
  }) => {
    const [account] = await shop.accounts({ maxAmountOffset: 9 });
    await shop.charge(20_000);
    const partlyPaid = await shop.charge(100_000);
    const other = await shop.charge();
    expect([partlyPaid.customerAmount, other.customerAmount]).toEqual([100_001n, 50_001n]);
    const rest = { account: account!, amount: 50_001 };
    const part = { account: account!, amount: 50_000, reference: partlyPaid.paymentReference };
    expect(await shop.pay(part)).toMatchObject([{ status: 'partial', chargeId: partlyPaid.id }]);
    const [result] = await shop.pay(rest);
    expect(result).toMatchObject({ status: 'exception', reason: 'multiple_charges' });
    const transfer = await service.prisma.transfer.findUniqueOrThrow({ where: { id: result!.transferId! } });
    const scope = { merchantId: shop.merchant.merchant.id, mode: 'live' as const };
    const suggestions = (await suggestCharges(service, scope, [transfer])).get(transfer.id)!;
    const suggestedIds = suggestions.charges.map(({ charge }) => charge.id);
    expect(new Set(suggestedIds)).toEqual(new Set([partlyPaid.id, other.id]));
    // Without another charge of this amount, the rest still needs a decision, because it is not a unique amount.
    await shop.pay({ ...rest, reference: other.paymentReference }, { ...part, amount: 1 });
    expect(await shop.pay({ account: account!, amount: 50_000 })).toMatchObject([
      { status: 'exception', reason: 'missing_reference' },
    ]);
  });

  test('is applied once when charges are created, cancelled and paid concurrently', async ({
    shop,
    service,
  }) => {
    for (let round = 0; round < count(3, 50); round++) {
      const [account] = await shop.accounts({ maxAmountOffset: 99 });
      const before = await Promise.all(Array.from({ length: 8 }, () => shop.charge()));
      const [toPay, toCancel] = [before.slice(0, 6), before.slice(4)];
      const payments = toPay.map(({ customerAmount }) =>
        shop.pay({ account: account!, amount: Number(customerAmount) }),
      );
      const cancels = toCancel.map((charge) => doneOrCode(shop.cancel(charge)));
      const created = Promise.all(Array.from({ length: 8 }, () => shop.charge()));
      const paid = (await Promise.all(payments)).map(([result]) => result!);
      for (const cancel of await Promise.all(cancels))
        expect(['done', 'charge_not_pending']).toContain(cancel);
      const charges = await service.prisma.charge.findMany({ where: { receivingAccountId: account!.id } });
      for (const [i, { id }] of toPay.entries()) {
        const { status } = charges.find((charge) => charge.id === id)!;
        const { reason } = paid[i]!;
        expect([status, reason]).toEqual(
          status === 'cancelled' ? ['cancelled', 'charge_cancelled'] : ['completed', undefined],
        );
      }
      const amounts = [...before, ...(await created)].map(({ customerAmount }) => customerAmount);
      expect(new Set(amounts).size).toBe(16);
    }
    await expectInvariants(service);
  });
});
