import { describe, expect } from 'vitest';
import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import { suggestCharges } from '../../../src/domain/money-in/transfer/suggestions/suggest-charges.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { retireAccounts, seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { later, transferTest } from '../../setup/transfer-test.ts';

/** The charges of ฿120 on an account whose payments carry no reference. */
const test = transferTest.extend('shop', async ({ service, merchant, transfers }) => {
  await retireAccounts(service, transfers.owner, noon);
  const details = { mobile: '+66812345678' };
  await seedReceivingAccount(service, merchant, { method: 'prompt-pay', details, maxAmountOffset: 9 });
  let customerCount = 0;
  const charge = (merchantAmount = 120, now = noon): Promise<Charge> => {
    const email = `dao${++customerCount}@example.com`;
    const input = { merchantAmount, merchantCurrency: 'THB', method: 'prompt-pay', email };
    return seedCharge(service, merchant, { input, now });
  };
  // The plain amount is given only while no other charge is open.
  const other = await charge(500);
  return {
    other,
    charge,
    cancel: ({ id }: Charge) =>
      cancelCharge(service, { ...transfers.owner, id, by: 'merchant', actor: 'user:test', now: noon }),
    pay: async (minor: bigint, changes: { now?: Date; paidAt?: Date; isPaidAtDateOnly?: boolean } = {}) => {
      const money = { minor, currency: 'THB' };
      const paidAt = minutesAfter(noon, 5);
      const options = { money, reference: '', now: minutesAfter(noon, 10), paidAt, ...changes };
      const { transferId } = await transfers.record(other, { minor, ...options });
      return transfers.reloadTransfer(transferId);
    },
    suggest: async (transfer: Transfer) => {
      const suggestions = await suggestCharges(service, transfers.owner, [transfer]);
      return suggestions.get(transfer.id)!.charges.map(({ charge: { id }, reasons }) => [id, reasons]);
    },
  };
});

describe('A transfer of the price of a charge with a unique amount', () => {
  test('needs review, and the charge is suggested', async ({ shop }) => {
    const dao = await shop.charge();
    expect([dao.customerAmount, dao.amountOffset]).toEqual([12_001n, 1n]);
    const transfer = await shop.pay(12_000n);
    expect(transfer).toMatchObject({ status: 'exception', reason: 'missing_reference', allocated: 0n });
    expect(await shop.suggest(transfer)).toEqual([[dao.id, ['same_price']]]);
  });

  test('needs review as a second payment if another charge had this unique amount, and is suggested', async ({
    shop,
  }) => {
    await shop.cancel(shop.other);
    const [paid, dao] = [await shop.charge(), await shop.charge()];
    expect([paid.customerAmount, dao.customerAmount]).toEqual([12_000n, 12_001n]);
    expect(await shop.pay(12_000n)).toMatchObject({ status: 'matched' });
    const transfer = await shop.pay(12_000n);
    expect(transfer).toMatchObject({ status: 'exception', reason: 'charge_completed' });
    expect(await shop.suggest(transfer)).toEqual([[dao.id, ['same_price']]]);
  });

  test('suggests only unpaid charges that were open when it was paid', async ({ shop, service }) => {
    const expired = await shop.charge();
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    await shop.charge(500, minutesAfter(noon, 40));
    const next = await shop.charge(120, minutesAfter(noon, 40));
    expect(next.amountOffset).toBe(2n);
    const now = minutesAfter(noon, 60);
    expect(await shop.suggest(await shop.pay(12_000n, { now }))).toEqual([[expired.id, ['same_price']]]);
    const day = { paidAt: new Date('2026-11-17T00:00:00Z'), isPaidAtDateOnly: true, now };
    expect((await shop.suggest(await shop.pay(12_000n, day))).map(([id]) => id)).toEqual([
      next.id,
      expired.id,
    ]);
  });

  test('completes the charge when a user assigns it, without accepting a shortfall', async ({
    shop,
    service,
    transfers,
  }) => {
    const dao = await shop.charge();
    const transfer = await shop.pay(12_000n);
    const result = await transfers.assign(transfer.id, { chargeId: dao.id });
    expect(result.transfer).toMatchObject({ status: 'matched', allocated: 12_000n });
    expect(result.charges).toMatchObject([{ status: 'completed', amountReceived: 12_000n, feeAmount: 0n }]);
    expect((await transfers.getEventTypes(dao.id)).at(-1)).toBe('CHARGE_COMPLETE');
    const allocations = await service.prisma.allocation.findMany({ where: { chargeId: dao.id } });
    expect(allocations).toMatchObject([{ amount: 12_000n, reason: 'assigned' }]);
  });

  test('completes an expired charge, and in two parts', async ({ shop, service, transfers }) => {
    const dao = await shop.charge();
    await expireCharges(service, { now: later });
    const first = await shop.pay(7_000n);
    const second = await shop.pay(5_000n);
    const { charges } = await transfers.assign(first.id, { chargeId: dao.id });
    expect(charges).toMatchObject([{ status: 'expired', amountReceived: 7_000n }]);
    expect(await shop.suggest(second)).toEqual([[dao.id, ['same_price']]]);
    expect(await shop.suggest(await shop.pay(5_001n))).toEqual([[dao.id, ['same_amount']]]);
    expect(await shop.suggest(await shop.pay(12_000n))).toEqual([]);
    await transfers.assign(second.id, { chargeId: dao.id });
    expect(await transfers.reload(dao)).toMatchObject({ status: 'completed', amountReceived: 12_000n });
  });
});

test('A transfer of one satang less than the price is a part payment when a user assigns it', async ({
  shop,
  transfers,
}) => {
  const dao = await shop.charge();
  const { id } = await shop.pay(11_999n);
  const { transfer, charges } = await transfers.assign(id, { chargeId: dao.id });
  expect(transfer.status).toBe('partial');
  expect(charges).toMatchObject([{ status: 'pending', amountReceived: 11_999n }]);
});

test('A transfer of the price stays a part payment if it is matched automatically by the payment reference', async ({
  shop,
  transfers,
}) => {
  const dao = await shop.charge();
  const money = { minor: 12_000n, currency: 'THB' };
  const { status } = await transfers.record(dao, { money, minor: 12_000n, now: minutesAfter(noon, 10) });
  expect(status).toBe('partial');
  expect(await transfers.reload(dao)).toMatchObject({ status: 'pending', amountReceived: 12_000n });
});
