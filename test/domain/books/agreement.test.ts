import fc from 'fast-check';
import { expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { type BookTotals, sumBooks } from '../../../src/domain/money-in/books/sum-books.ts';
import { dismissTransfers } from '../../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/review/return-transfer.ts';
import { summarizePeriod } from '../../../src/domain/payments/charge-list/summarize-period.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { expectMerchantBooks } from '../../setup/books.ts';
import { count } from '../../setup/counts.ts';
import { createAndReadExport } from '../../setup/exports.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { importFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { payeeAccount } from '../../setup/payouts.ts';
import { seedCharge, seedMerchant } from '../../setup/seed.ts';
import { csvMapping } from '../../setup/statement-files.ts';
import { recordOne, reverseOne, transferInput } from '../../setup/transfers.ts';
import { finishUndo, startUndo } from '../../setup/undo.ts';

const currencies = { fps: 'HKD', paynow: 'SGD', 'prompt-pay': 'THB' } as const;
type Method = keyof typeof currencies;

/** Times around both ends of November in Hong Kong, in order. */
const times = [
  '2026-10-31T15:59:59.999Z',
  '2026-10-31T16:00:00.000Z',
  '2026-11-15T12:00:00.000Z',
  '2026-11-30T15:59:59.999Z',
  '2026-11-30T16:00:00.000Z',
].map((text) => new Date(text));
const middle = 2;
const november = { from: '2026-11-01', to: '2026-11-30' };
const years = { from: '2020-01-01', to: '2030-12-31' };
const endOfNovember = 3;
const feeMax = 50;

const kinds = ['pay', 'fee', 'part', 'unknown', 'interest', 'return', 'reverse', 'refund', 'undo'] as const;
type Step = { kind: (typeof kinds)[number]; method: Method; time: number; minor: number };

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  method: fc.constantFrom(...(Object.keys(currencies) as Method[])),
  time: fc.nat({ max: times.length - 1 }),
  minor: fc.integer({ min: 1, max: feeMax }),
});

async function runStep(service: Service, merchant: NewMerchant, step: Step, i: number): Promise<void> {
  const { kind, minor } = step;
  // Home converts refunds, so they are in its currency.
  const method = kind === 'refund' ? 'fps' : step.method;
  const now = times[step.time]!;
  const merchantCurrency = currencies[method];
  const charge = await seedCharge(service, merchant, {
    now,
    input: { method, merchantAmount: 100, merchantCurrency, notifyPayload: `step ${i}` },
  });
  const { receivingAccountId, customerAmount } = charge;
  const context = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:usr_1', now } as const;
  const audit = { actor: 'user:usr_1', now };
  const toTransfer = (amount: bigint, reference: string) => {
    const money = { minor: amount, currency: merchantCurrency };
    const input = transferInput({ money, content: String(amount), reference, paidAt: now });
    return { receivingAccountId, input, now };
  };
  const pay = async (amount: bigint, reference = charge.paymentReference) => {
    const transfer = toTransfer(amount, reference);
    return { transfer, ...(await recordOne(service, merchant, transfer)) };
  };
  if (kind === 'pay') await pay(customerAmount);
  else if (kind === 'fee') await pay(customerAmount - BigInt(minor));
  else if (kind === 'part') await pay(BigInt(minor));
  else if (kind === 'unknown') await pay(BigInt(minor), `gift ${i}`);
  else if (kind === 'interest') {
    const { transferId } = await pay(BigInt(minor), `interest ${i}`);
    await dismissTransfers(service, { ...context, audit, input: { transferIds: [transferId], note: '' } });
  } else if (kind === 'return') {
    const { transferId } = await pay(BigInt(minor), `mistake ${i}`);
    await returnTransfer(service, { ...context, audit, input: { transferId } });
  } else if (kind === 'reverse') {
    const { transfer } = await pay(customerAmount);
    await reverseOne(service, merchant, transfer);
  } else if (kind === 'refund') {
    await pay(customerAmount);
    const input = { chargeId: charge.id, customerAmount: minor / 100 };
    const { refund } = await createRefund(service, { ...context, input });
    await submitRefundDetails(service, { ...context, id: refund.id, details: payeeAccount });
    await completeRefund(service, { ...context, id: refund.id });
  } else await importAndUndo(service, merchant, charge, now);
}

/** Imports a statement with two wrong payments, undoes the import, and imports the correct statement. */
async function importAndUndo(service: Service, merchant: NewMerchant, charge: Charge, now: Date) {
  const { receivingAccountId, paymentReference } = charge;
  const date = now.toISOString().slice(0, 10);
  const mapping = csvMapping({ referenceColumns: ['Text'] });
  const importLines = (lines: string) =>
    importFile(service, merchant, {
      ...{ content: `Date,Amount,Text\n${lines}\n`, mapping, receivingAccountId, now },
    });
  const wrong = await importLines(`${date},40,${paymentReference}\n${date},0.75,lost ${charge.id}`);
  const { id } = await startUndo(service, merchant, wrong);
  await finishUndo(service, { id, now });
  await importLines(`${date},100,${paymentReference}\n${date},0.25,found ${charge.id}`);
}

const toMinor = (text: string) => BigInt(Math.round(Number(text) * 100));
const readCells = (text: string) =>
  text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));

/** The amounts of the accounts of the journal in one currency, as debits. */
const toDebits = (totals: BookTotals) => ({
  Bank: totals.net,
  Sales: -totals.sales,
  'Customer deposits': -totals.deposits,
  Refunds: totals.refunds,
  'Bank fees': totals.fees,
  'Other income': -totals.otherIncome,
  'Unmatched receipts': -totals.unmatched,
  // Received and paid back.
  'Returned receipts': 0n,
});

function sumByAccount(rows: readonly { account: string; debit: bigint }[], accounts: object) {
  const sum = (name: string) =>
    rows.reduce((all, { account, debit }) => (account === name ? all + debit : all), 0n);
  return Object.fromEntries(Object.keys(accounts).map((name) => [name, sum(name)]));
}

const readTotals = (service: Service, { merchant }: NewMerchant, period: typeof november) =>
  sumBooks(toStaleReads(service), { merchant, mode: 'live', ...period, grouping: 'period' });

/** Checks November at its last millisecond, and returns its totals. */
async function expectAgreement(service: Service, merchant: NewMerchant): Promise<BookTotals[]> {
  const totals = await readTotals(service, merchant, november);
  const home = await summarizePeriod(toStaleReads(service), {
    ...{
      merchant: merchant.merchant,
      mode: 'live',
      rates: service,
      days: 30,
      timeZone: merchant.merchant.timeZone,
    },
    ...{ currency: 'HKD', now: times[endOfNovember]! },
  });
  const journal = await createAndReadExport(service, merchant, { kind: 'journal', ...november });
  const lines = readCells(journal.text).map(([, , account, debit, credit, currency]) => ({
    ...{ account: account!, currency: currency!, debit: toMinor(debit!) - toMinor(credit!) },
  }));
  expect(new Set(lines.map(({ currency }) => currency))).toEqual(
    new Set(totals.map(({ currency }) => currency)),
  );
  for (const total of totals) {
    const { currency } = total;
    const debits = toDebits(total);
    const ofCurrency = lines.filter((line) => line.currency === currency);
    expect(sumByAccount(ofCurrency, debits)).toEqual(debits);
    const xero = { currency, accountCodes: [{ account: 'bank' as const, code: '610' }] };
    const file = await createAndReadExport(service, merchant, { kind: 'journal', ...november, xero });
    const xeroLines = readCells(file.text).map(([, , account, , , amount]) => ({
      ...{ account: account!, debit: toMinor(amount!) },
    }));
    expect(sumByAccount(xeroLines, debits)).toEqual(debits);
    const collected = home.methods.map((method) => method.collected.money);
    const inCurrency = collected.find((money) => money.currency === currency);
    expect(inCurrency?.minor ?? 0n).toBe(total.sales - total.fees);
  }
  const refunded = totals.reduce((all, { refunds }) => all + refunds, 0n);
  expect(home.current.refunded).toEqual({ minor: refunded, currency: 'HKD' });
  return totals;
}

/** The amounts that `causeway check` proves for each charge and refund add up to the books of all time. */
async function expectStoredAmounts(service: Service, merchant: NewMerchant): Promise<void> {
  const { id: merchantId } = merchant.merchant;
  for (const { currency, sales, deposits, fees, refunds } of await readTotals(service, merchant, years)) {
    const charges = await service.prisma.charge.aggregate({
      where: { merchantId, customerCurrency: currency },
      _sum: { amountReceived: true, feeAmount: true },
    });
    const completed = await service.prisma.refund.aggregate({
      where: { merchantId, customerCurrency: currency, status: 'completed' },
      _sum: { customerAmount: true },
    });
    expect({ received: charges._sum.amountReceived, fees: charges._sum.feeAmount }).toEqual({
      received: sales + deposits - fees,
      fees,
    });
    expect(completed._sum.customerAmount ?? 0n).toBe(refunds);
  }
}

const title = 'Books, the journal, the Xero file, Home and the stored amounts agree after any history';
test(title, { timeout: 900_000 }, async ({ service }) => {
  const histories = fc.array(stepArbitrary, { minLength: 4, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const seeded = await seedMerchant(service, {}, times[0]);
      const { id } = seeded.merchant;
      const timeZone = 'Asia/Hong_Kong';
      const merchant = {
        ...seeded,
        merchant: await service.prisma.merchant.update({ where: { id }, data: { timeZone } }),
      };
      await service.prisma.receivingAccount.updateMany({
        where: { merchantId: id },
        data: { maxBankFee: BigInt(feeMax) },
      });
      // Home counts charges on the day of their completion, which is after the payment if a statement is late.
      const ordered = steps
        .map((step) => (step.kind === 'undo' ? { ...step, time: middle } : step))
        .toSorted((a, b) => a.time - b.time);
      const run = async (when: 'before' | 'after') => {
        for (const [i, step] of ordered.entries())
          if (step.time <= endOfNovember === (when === 'before')) await runStep(service, merchant, step, i);
      };
      await run('before');
      const totals = await expectAgreement(service, merchant);
      await run('after');
      expect(await readTotals(service, merchant, november)).toEqual(totals);
      await expectStoredAmounts(service, merchant);
      await expectMerchantBooks(service, { merchant: merchant.merchant, mode: 'live', ...november });
    }),
    { numRuns: count(4, 100) },
  );
  await expectInvariants(service);
});
