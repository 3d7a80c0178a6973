import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { sumBooks } from '../../../src/domain/money-in/books/sum-books.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { dismissTransfers } from '../../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { expectBooks, expectHomeMetrics } from '../../setup/books.ts';
import { createAndReadExport } from '../../setup/exports.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { payOut, seedPayableRefund } from '../../setup/payouts.ts';
import { day, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

const november = { from: '2026-11-01', to: '2026-11-30' };

/** All invariants, and the books against the reconciliation, are checked after the test. */
const test = serviceTest.extend('merchant', ({ service }, { onCleanup }) => {
  onCleanup(async () => {
    await expectInvariants(service);
    await expectBooks(service);
  });
  return seedMerchant(service, {}, day('2026-11-01'));
});

/**
 * In November: a sale of HKD 128.50 with a fee of HKD 0.50, a part payment of HKD 20, HKD 7 of an unknown payer, HKD 3
 * of interest, and a sale of HKD 128.50 of which HKD 20.50 are refunded.
 */
async function seedNovember(service: Service, merchant: NewMerchant): Promise<void> {
  const now = day('2026-11-10');
  const input = {
    notifyPayload: 'order 12',
    orders: [{ id: 'sku-1', name: 'Dragon Well', quantity: 2 }, { name: 'Shipping' }],
  };
  const sale = await seedCharge(service, merchant, { now, input });
  const { receivingAccountId: id, customerAmount } = sale;
  await service.prisma.receivingAccount.update({ where: { id }, data: { maxBankFee: 50n } });
  await payCharge(service, merchant, sale, { now, minor: customerAmount - 50n });
  await service.prisma.receivingAccount.update({ where: { id }, data: { maxBankFee: null } });
  const partlyPaid = await seedCharge(service, merchant, { now, input: { notifyPayload: 'part' } });
  await payCharge(service, merchant, partlyPaid, { now, minor: 2_000n });
  await payCharge(service, merchant, partlyPaid, { now, minor: 700n, reference: 'from mum' });
  const interest = await payCharge(service, merchant, partlyPaid, {
    now,
    minor: 300n,
    reference: 'INTEREST',
  });
  await dismissTransfers(service, {
    ...{ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:usr_1', now },
    audit: { actor: 'user:usr_1', now },
    input: { transferIds: [interest.transferId!], note: 'interest' },
  });
  const refund = await seedPayableRefund(service, merchant);
  await payOut(service, merchant, refund, { paidAt: new Date('2026-11-20T03:00:00Z') });
}

describe('Books', () => {
  test('sum sales, refunds and fees by currency and period', async ({ service, merchant }) => {
    await seedNovember(service, merchant);
    const options = { merchant: merchant.merchant, mode: 'live' as const, ...november };
    expect(await sumBooks(toStaleReads(service), { ...options, grouping: 'month' })).toEqual([
      {
        ...{ startDate: '2026-11-01', currency: 'HKD', chargeCount: 2 },
        ...{ sales: 25_700n, deposits: 2_000n, refunds: 2_050n, fees: 50n },
        ...{ otherIncome: 300n, unmatched: 700n, returned: 0n, net: 26_600n },
      },
    ]);
    const before = { ...options, from: '2026-10-01', to: '2026-10-31', grouping: 'day' as const };
    expect(await sumBooks(toStaleReads(service), before)).toEqual([]);
  });

  test('count part payments as deposits until the charge is completed, then as sales', async ({
    service,
    merchant,
  }) => {
    const now = day('2026-11-10');
    const charge = await seedCharge(service, merchant, { now });
    await payCharge(service, merchant, charge, { now, minor: 2_000n });
    const options = { merchant: merchant.merchant, mode: 'live' as const, ...november };
    const readSums = () => sumBooks(toStaleReads(service), { ...options, grouping: 'month' });
    expect(await readSums()).toMatchObject([{ chargeCount: 0, sales: 0n, deposits: 2_000n }]);
    await payCharge(service, merchant, charge, { now, minor: charge.customerAmount - 2_000n });
    expect(await readSums()).toMatchObject([{ chargeCount: 1, sales: charge.customerAmount, deposits: 0n }]);
  });

  test('agree with the home page and the exports of transfers, charges and refunds', async ({
    service,
    merchant,
  }) => {
    await seedNovember(service, merchant);
    await expectHomeMetrics(service, merchant);
    const period = { merchant: merchant.merchant, mode: 'live' as const, ...november };
    const { lines } = await reconcile(toStaleReads(service), period);
    const { received, matched, partial, refunded } = lines[0]!;
    const sumExport = async (
      kind: 'transfers' | 'charges' | 'refunds',
      column: string,
      condition = ['', ''],
    ) => {
      const { text } = await createAndReadExport(service, merchant, { kind, where: {} }, day('2026-11-30'));
      const [header, ...rows] = text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
      expect(new Set(header).size).toBe(header!.length);
      const [name, value] = condition;
      const included = rows.filter((row) => name === '' || row[header!.indexOf(name!)] === value);
      const cents = included.map((row) => Math.round(Number(row[header!.indexOf(column)]) * 100));
      return BigInt(cents.reduce((all, minor) => all + minor, 0));
    };
    expect(await sumExport('transfers', 'amount', ['direction', 'credit'])).toBe(received);
    expect(await sumExport('charges', 'amountReceived')).toBe(matched + partial);
    expect(await sumExport('refunds', 'customerAmount', ['status', 'completed'])).toBe(refunded);
  });

  test('are exported as a journal whose debits equal its credits', async ({ service, merchant }) => {
    await seedNovember(service, merchant);
    await service.prisma.charge.updateMany({ data: { firstName: 'Ada', lastName: 'Wong' } });
    const input = { kind: 'journal' as const, ...november };
    const { text, fileName } = await createAndReadExport(service, merchant, input);
    expect(fileName).toBe('journal-2026-11-01-to-2026-11-30.csv');
    const [header, ...lines] = text.trimEnd().split('\r\n');
    expect(header).toBe(
      'date,entry,account,debit,credit,currency,receiving account,charge,payment reference,customer,email,invoice number,your reference,order numbers,description',
    );
    const sale = lines.find((line) => line.includes(',Sales,'))!;
    expect(sale).toMatch(
      /,HKD,demo@example\.com,ch_\w+,[A-Z0-9]+,Ada Wong,ada@example\.com,,order 12,sku-1,2 × Dragon Well; Shipping$/,
    );
    const cells = lines.map((line) => line.split(','));
    const sum = (column: number) =>
      cells.reduce((all, row) => all + Math.round(Number(row[column]) * 100), 0);
    expect(sum(3)).toBe(sum(4));
    const fee = cells.filter(([, , account]) => account === 'Bank fees');
    expect(fee.map(([date, , , ...amounts]) => [date, ...amounts.slice(0, 3)])).toEqual([
      ['2026-11-10', '0.50', '', 'HKD'],
    ]);
  });

  test('are exported as manual journals in the format of Xero’s template', async ({ service, merchant }) => {
    await seedNovember(service, merchant);
    const { text, fileName } = await createAndReadExport(service, merchant, {
      ...{ kind: 'journal', ...november },
      xero: { currency: 'HKD', accountCodes: [{ account: 'bank', code: '610' }] },
    });
    expect(fileName).toBe('journal-xero-HKD-2026-11-01-to-2026-11-30.csv');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2',
    );
    const first = lines.slice(1).filter((line) => line.includes('10/11/2026'));
    expect(first).toEqual([
      'Causeway 2026-11-10 HKD,10/11/2026,Bank,610,Tax Exempt,158.00,,,,',
      'Causeway 2026-11-10 HKD,10/11/2026,Sales,200,Tax Exempt,-128.50,,,,',
      'Causeway 2026-11-10 HKD,10/11/2026,Customer deposits,850,Tax Exempt,-20.00,,,,',
      'Causeway 2026-11-10 HKD,10/11/2026,Bank fees,404,Tax Exempt,0.50,,,,',
      'Causeway 2026-11-10 HKD,10/11/2026,Other income,260,Tax Exempt,-3.00,,,,',
      'Causeway 2026-11-10 HKD,10/11/2026,Unmatched receipts,850,Tax Exempt,-7.00,,,,',
    ]);
  });

  test.for([
    [{ currency: 'HKD' }, 'invalid_request'],
    [{ currency: 'XXX', accountCodes: [{ account: 'bank' as const, code: '610' }] }, 'currency_unsupported'],
    [{ currency: 'HKD', accountCodes: [{ account: 'bank' as const, code: ' ' }] }, 'invalid_request'],
  ])('are not exported for Xero with %o', async ([xero, code], { service, merchant }) => {
    const input = { kind: 'journal' as const, ...november, xero: xero as { currency: string } };
    await expect(createAndReadExport(service, merchant, input)).rejects.toMatchObject({ code });
  });
});
