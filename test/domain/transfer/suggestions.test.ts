import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { suggestCharges } from '../../../src/domain/money-in/transfer/suggestions/suggest-charges.ts';
import { suggestSplit } from '../../../src/domain/money-in/transfer/suggestions/suggest-split.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { count } from '../../setup/counts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { recordStatements } from '../../setup/sent-statements.ts';
import { type TransferActions, transferTest } from '../../setup/transfer-test.ts';

const test = transferTest.extend('suggest', async ({ service, transfers }) =>
  createSuggest(service, transfers),
);

/** Returns the suggestions for an unmatched transfer to the account of the charge. */
function createSuggest(service: Service, transfers: TransferActions) {
  return async (charge: Charge, changes: Parameters<TransferActions['record']>[1]) => {
    const { transferId, status } = await transfers.record(charge, changes);
    expect(status).toBe('exception');
    const transfer = await transfers.reloadTransfer(transferId);
    const suggestions = (await suggestCharges(service, transfers.owner, [transfer])).get(transferId)!;
    return {
      ids: suggestions.charges.map(({ charge: { id } }) => id),
      reasons: suggestions.charges.map(({ reasons }) => reasons),
      split: suggestions.split.map(({ charge: { id }, amount }) => [id, amount]),
    };
  };
}

const seedAmount = (service: Service, merchant: NewMerchant, merchantAmount: number, now = noon) =>
  seedCharge(service, merchant, {
    input: { email: `${randomUUID()}@example.com`, merchantAmount },
    now,
  });

/** Changes two digits that are not neighbors, so that the text is two typing errors away. */
function mistypeTwice(reference: string): string {
  const change = (at: number) => (reference.charAt(at) === '2' ? '3' : '2');
  return `${reference.slice(0, 4)}${change(4)}${reference.charAt(5)}${change(6)}${reference.slice(7)}`;
}

describe('Suggestions', () => {
  test('prefer the exact reference over the amount, and one typing error over two', async ({
    service,
    transfers,
    suggest,
  }) => {
    const [one, two, amountOnly] = [
      await transfers.newCharge(),
      await transfers.newCharge(),
      await transfers.newCharge(),
    ];
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    const late = { paidAt: minutesAfter(noon, 45), now: minutesAfter(noon, 60) };
    const exact = await suggest(one, late);
    expect(exact.ids[0]).toBe(one.id);
    expect(exact.reasons[0]).toEqual(['same_reference', 'same_amount']);
    const typed = await suggest(two, { ...late, reference: two.paymentReference.slice(0, -1) });
    expect(typed.ids[0]).toBe(two.id);
    expect(typed.reasons[0]).toEqual(['similar_reference', 'same_amount']);
    expect([...typed.ids].sort()).toEqual([one.id, two.id, amountOnly.id].sort());
    const twice = await suggest(amountOnly, {
      ...late,
      reference: mistypeTwice(amountOnly.paymentReference),
    });
    expect(twice.ids[0]).toBe(amountOnly.id);
    expect(twice.reasons[0]).toEqual(['similar_reference', 'same_amount']);
  });

  test('find a reference that was cut to seven characters, if the amount is exact', async ({
    transfers,
    suggest,
  }) => {
    const charge = await transfers.newCharge();
    for (let i = 0; i < 7; i++) await transfers.newCharge(minutesAfter(noon, 1 + i));
    const reference = `FPS 2026 ${charge.paymentReference.slice(0, 7)}`;
    const found = await suggest(charge, { reference });
    expect(found.ids[0]).toBe(charge.id);
    expect(found.reasons[0]).toEqual(['partial_reference', 'same_amount']);
    const other = await suggest(charge, { reference, minor: 7_000n });
    expect(other.ids).toEqual([]);
  });

  test('offer both charges of an ambiguous transfer', async ({ transfers, service, merchant, suggest }) => {
    const charge = await transfers.newCharge();
    const near = await seedAmount(service, merchant, 45);
    const reference = mistypeTwice(charge.paymentReference);
    await service.prisma.charge.update({ where: { id: near.id }, data: { paymentReference: reference } });
    const found = await suggest(charge, { minor: near.customerAmount });
    expect(found.ids).toEqual([charge.id, near.id]);
    expect(found.reasons).toEqual([['same_reference'], ['similar_reference', 'same_amount']]);
  });

  test('include the charges of a customer for whom the payer has paid before', async ({
    transfers,
    service,
    merchant,
    suggest,
  }) => {
    const input = { email: 'child@example.com' };
    const paid = await seedCharge(service, merchant, { input });
    const first = await transfers.record(paid, {
      reference: 'school',
      payerName: 'Lau Ka Yan',
      minor: 12_850n,
    });
    const stranger = await suggest(paid, { reference: 'fee', payerName: 'LAU KA YAN', minor: 90n });
    expect(stranger.ids).toEqual([]);
    await transfers.assign(first.transferId, { chargeId: paid.id });
    const next = await seedCharge(service, merchant, { input: { ...input, merchantAmount: 33 } });
    const found = await suggest(paid, { reference: 'fee', payerName: 'LAU KA YAN', minor: 90n });
    expect(found.ids).toEqual([next.id]);
    expect(found.reasons).toEqual([['known_payer']]);
    await transfers.unassign(first.transferId, paid.id);
    expect((await suggest(paid, { reference: 'fee', payerName: 'LAU KA YAN', minor: 91n })).ids).toEqual([]);
  });

  test('prefer the charge that was created shortly before the payment', async ({ transfers, suggest }) => {
    const old = await transfers.newCharge(minutesAfter(noon, -60 * 24 * 5));
    const recent = await transfers.newCharge();
    expect((await suggest(recent, { reference: 'rent' })).ids).toEqual([recent.id, old.id]);
  });

  test('compare a partly paid charge with what is outstanding, even long after its creation', async ({
    transfers,
    service,
    suggest,
  }) => {
    const charge = await transfers.newCharge(minutesAfter(noon, -60 * 24 * 20));
    await service.prisma.charge.update({
      where: { id: charge.id },
      data: { expiresAt: minutesAfter(noon, 60) },
    });
    await transfers.record(charge, { minor: 7_000n });
    const find = (minor: bigint) => suggest(charge, { reference: 'dress', minor });
    expect(await find(5_850n)).toMatchObject({ ids: [charge.id], reasons: [['same_amount']] });
    expect((await find(12_850n)).ids).toEqual([]);
    expect((await find(7_000n)).ids).toEqual([]);
    // Another customer paid the price of the same goods.
    const typed = { reference: charge.paymentReference.slice(0, -1) };
    expect(await suggest(charge, { ...typed, minor: 12_850n })).toMatchObject({
      ids: [charge.id],
      reasons: [['similar_reference']],
    });
    expect((await suggest(charge, { ...typed, minor: 5_800n })).reasons).toEqual([
      ['similar_reference', 'close_amount'],
    ]);
  });

  test('compare the unallocated part of a transfer', async ({ transfers, service, merchant }) => {
    const charge = await transfers.newCharge();
    const other = await seedAmount(service, merchant, 45);
    const { id } = await transfers.seedUnmatched(charge, 17_350n);
    await transfers.assign(id, { chargeId: other.id, amount: '45.00' });
    const transfer = await transfers.reloadTransfer(id);
    const { charges } = (await suggestCharges(service, transfers.owner, [transfer])).get(id)!;
    expect(charges).toMatchObject([{ charge: { id: charge.id }, reasons: ['same_amount'] }]);
  });

  test('include the amount of a paid charge, which may have been paid twice', async ({
    transfers,
    suggest,
  }) => {
    const charge = await transfers.newCharge();
    await transfers.record(charge);
    const reference = charge.paymentReference.slice(0, -1);
    expect((await suggest(charge, { reference })).reasons).toEqual([['similar_reference', 'same_amount']]);
  });

  test('take the same number of statements for one transfer and for fifty', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const rows: Transfer[] = [];
    for (let i = 0; i < 50; i++) {
      const { transferId } = await transfers.record(charge, {
        reference: 'rent',
        payerName: `P ${i}`,
        minor: 9n,
      });
      rows.push(await transfers.reloadTransfer(transferId));
    }
    const countStatements = async (some: Transfer[]) =>
      (await recordStatements(() => suggestCharges(service, transfers.owner, some))).sent.length;
    expect(await countStatements(rows)).toBe(await countStatements(rows.slice(0, 1)));
  });
});

describe('Suggested split', () => {
  test('divides a transfer with two references that add up, and completes both charges', async ({
    transfers,
    service,
    merchant,
    suggest,
  }) => {
    const [one, two] = [await transfers.newCharge(), await seedAmount(service, merchant, 45)];
    const reference = `${one.paymentReference} and ${two.paymentReference}`;
    const found = await suggest(one, { reference, minor: 17_350n });
    expect(new Map(found.split as [string, bigint][])).toEqual(
      new Map([
        [one.id, 12_850n],
        [two.id, 4_500n],
      ]),
    );
    expect((await suggest(one, { reference, minor: 17_351n })).split).toEqual([]);
  });

  test('divides the fee of a net batch, within the rule of the account', async ({
    transfers,
    service,
    merchant,
    suggest,
  }) => {
    const [one, two] = [await transfers.newCharge(), await seedAmount(service, merchant, 45)];
    const id = one.receivingAccountId;
    const setRate = (maxBankFeeRate: string | null) =>
      service.prisma.receivingAccount.update({ where: { id }, data: { maxBankFeeRate } });
    const reference = `${one.paymentReference} and ${two.paymentReference}`;
    const net = { reference, minor: 17_089n, exception: 'batch' as const };
    await setRate('0.0150');
    const { split } = await suggest(one, net);
    expect(split.map(([, amount]) => amount as bigint).reduce((sum, amount) => sum + amount)).toBe(17_089n);
    const { transferId } = await transfers.record(one, net);
    await transfers.assign(
      transferId,
      ...split.map(([chargeId, amount]) => ({
        chargeId: chargeId as string,
        amount: (Number(amount) / 100).toFixed(2),
      })),
    );
    const charges = [await transfers.reload(one), await transfers.reload(two)];
    expect(charges.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(charges[0]!.feeAmount + charges[1]!.feeAmount).toBe(261n);
    await setRate(null);
    const unpaid = [await transfers.newCharge(), await seedAmount(service, merchant, 45)] as const;
    const other = `${unpaid[0].paymentReference} and ${unpaid[1].paymentReference}`;
    expect((await suggest(one, { ...net, reference: other })).split).toEqual([]);
  });

  test('is proposed exactly when all charges or a single pair add up', () => {
    const createCharge = (amount: bigint, i: number) =>
      ({
        id: `ch_${i}`,
        status: 'pending',
        receivingAccountId: 'acc_1',
        customerCurrency: 'HKD',
        customerAmount: amount,
        amountReceived: 0n,
      }) as Charge;
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 6 }),
        fc.bigInt({ min: 1n, max: 30n }),
        (amounts, amount) => {
          const charges = amounts.map(createCharge);
          const transfer = {
            receivingAccountId: 'acc_1',
            currency: 'HKD',
            direction: 'credit',
            status: 'exception',
            allocated: 0n,
            undoneAt: null,
            amount,
          } as Transfer;
          const split = suggestSplit(transfer, charges, {
            feeRule: { maxBankFee: null, maxBankFeeRate: null },
            undoneIds: new Set(),
            sharedIds: ['acc_1'],
          });
          const sum = amounts.reduce((total, one) => total + one, 0n);
          const pairs = amounts.flatMap((one, i) =>
            amounts.slice(i + 1).filter((other) => one + other === amount),
          );
          expect(split.length > 0).toBe((amounts.length > 1 && sum === amount) || pairs.length === 1);
          if (split.length > 0) expect(split.reduce((total, part) => total + part.amount, 0n)).toBe(amount);
        },
      ),
      { numRuns: count(500, 5_000) },
    );
  });
});
