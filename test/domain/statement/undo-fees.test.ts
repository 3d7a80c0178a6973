import { describe, expect } from 'vitest';
import type { Charge, Statement } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { getNonZeroCounts, importXml } from '../../setup/import-file.ts';
import { checkedTest } from '../../setup/invariants.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { booking, details, toReversal } from '../../setup/statement-files.ts';
import { undo } from '../../setup/undo.ts';

const test = checkedTest.extend('charge', ({ service, merchant }) => seedCharge(service, merchant));

const day = '2026-11-17';
const credit = (text: string, reference: string, amount: string) =>
  booking({ amount, date: day, reference, text });
const reversal = (reference: string, amount: string) => toReversal(credit('', reference, amount));

const setRule = ({ prisma }: Service, { receivingAccountId: id }: Charge, rule: object) =>
  prisma.receivingAccount.update({ where: { id }, data: rule });

const readCharge = ({ prisma }: Service, { id }: Charge) =>
  prisma.charge.findUniqueOrThrow({
    where: { id },
    select: { status: true, amountReceived: true, feeAmount: true },
  });

const readTransfers = ({ prisma }: Service, { id }: Statement) =>
  prisma.transfer.findMany({ where: { statementId: id }, orderBy: { id: 'asc' } });

async function readBooks(service: Service, { merchant }: NewMerchant) {
  const { lines } = await reconcile(toStaleReads(service), { merchant, mode: 'live', from: day, to: day });
  return lines.map(({ received, matched, partial, exceptions, fees, closing }) => ({
    received,
    matched,
    partial,
    exceptions,
    fees,
    closing,
  }));
}

const paid = (amountReceived: bigint, feeAmount: bigint) => ({
  status: 'completed',
  amountReceived,
  feeAmount,
});

describe('Undoing a payment from which banks deducted a fee', () => {
  test('removes the fee with the amount, and the corrected file adds both again', async ({
    service,
    merchant,
    charge,
  }) => {
    await setRule(service, charge, { maxBankFee: 2_000n });
    const entries = credit(charge.paymentReference, 'R1', '108.50');
    const statement = await importXml(service, merchant, charge, entries);
    expect(await readCharge(service, charge)).toEqual(paid(10_850n, 2_000n));
    await undo(service, merchant, statement);
    expect(await readCharge(service, charge)).toEqual(paid(0n, 0n));
    expect(await readBooks(service, merchant)).toEqual([]);

    const corrected = await importXml(service, merchant, charge, `${entries}${credit('more', 'R2', '1')}`);
    expect(getNonZeroCounts(corrected)).toEqual({ matched: 1, exception: 1 });
    expect(await readCharge(service, charge)).toEqual(paid(10_850n, 2_000n));
    expect(await readTransfers(service, statement)).toMatchObject([{ status: 'undone' }]);
    expect(await readBooks(service, merchant)).toMatchObject([{ received: 10_950n, matched: 10_850n }]);
  });

  test('keeps the fee of another part payment, and removes only what the statement added', async ({
    service,
    merchant,
    charge,
  }) => {
    await setRule(service, charge, { maxBankFee: 2_000n });
    const first = credit(charge.paymentReference, 'R1', '50.00');
    const partial = await importXml(service, merchant, charge, first);
    const second = credit(charge.paymentReference, 'R2', '60.00');
    const completing = await importXml(service, merchant, charge, second);
    expect(await readCharge(service, charge)).toEqual(paid(11_000n, 1_850n));

    await undo(service, merchant, partial);
    expect(await readCharge(service, charge)).toEqual(paid(6_000n, 1_850n));
    await importXml(service, merchant, charge, first);
    expect(await readCharge(service, charge)).toEqual(paid(11_000n, 1_850n));

    await undo(service, merchant, completing);
    expect(await readCharge(service, charge)).toEqual(paid(5_000n, 0n));
    await importXml(service, merchant, charge, second);
    expect(await readCharge(service, charge)).toEqual(paid(11_000n, 1_850n));
    const open = await service.prisma.transfer.count({
      where: { merchantId: merchant.merchant.id, status: 'exception' },
    });
    expect(open).toBe(0);
  });

  test('restores the fee of a credit whose reversal is undone, after the rule has changed', async ({
    service,
    merchant,
    charge,
  }) => {
    await setRule(service, charge, { maxBankFee: 2_000n });
    await importXml(service, merchant, charge, credit(charge.paymentReference, 'R1', '108.50'));
    const reversed = await importXml(service, merchant, charge, reversal('R1', '108.50'));
    expect(await readCharge(service, charge)).toEqual(paid(0n, 0n));
    await setRule(service, charge, { maxBankFee: null });
    await undo(service, merchant, reversed);
    expect(await readCharge(service, charge)).toEqual(paid(10_850n, 2_000n));
    const [books] = await readBooks(service, merchant);
    expect(books).toMatchObject({ received: 10_850n, matched: 10_850n, exceptions: 0n });
  });

  test('leaves the fee with the duplicate that takes over', async ({ service, merchant, charge }) => {
    await setRule(service, charge, { maxBankFee: 2_000n });
    const entry = (reference: string) => credit(charge.paymentReference, reference, '108.50');
    const notified = await importXml(service, merchant, charge, entry('R1'), '054');
    const booked = await importXml(service, merchant, charge, entry('B1'));
    expect(getNonZeroCounts(booked)).toEqual({ duplicate: 1 });
    await undo(service, merchant, notified);
    expect(await readCharge(service, charge)).toEqual(paid(10_850n, 2_000n));
    const [transfer] = await readTransfers(service, booked);
    const allocations = await service.prisma.allocation.findMany({ where: { transferId: transfer!.id } });
    expect(allocations).toMatchObject([{ amount: 10_850n, feeAmount: 2_000n }]);
    await undo(service, merchant, booked);
    expect(await readCharge(service, charge)).toEqual(paid(0n, 0n));
  });
});

test('Undoing a transfer that a user has split removes each part, and the corrected file is split again', async ({
  service,
  merchant,
  charge,
}) => {
  const other = await seedCharge(service, merchant, { input: { email: 'other@example.com' } });
  await setRule(service, charge, { maxBankFeeRate: '0.0200' });
  const entries = credit(`${charge.paymentReference} and ${other.paymentReference}`, 'R1', '254.43');
  const split = async (statement: Statement) => {
    const [transfer] = await readTransfers(service, statement);
    expect(transfer).toMatchObject({ status: 'exception', reason: 'multiple_references' });
    await assignTransfer(service, {
      merchant: merchant.merchant,
      mode: 'live',
      audit: { actor: 'user:ada', now: noon },
      now: noon,
      assignment: {
        transferId: transfer!.id,
        parts: [
          { chargeId: charge.id, amount: '127.22' },
          { chargeId: other.id, amount: '127.21' },
        ],
      },
    });
  };
  const readBoth = async () => [await readCharge(service, charge), await readCharge(service, other)];
  const statement = await importXml(service, merchant, charge, entries);
  await split(statement);
  expect(await readBoth()).toEqual([paid(12_722n, 128n), paid(12_721n, 129n)]);

  await undo(service, merchant, statement);
  expect(await readBoth()).toEqual([paid(0n, 0n), paid(0n, 0n)]);
  expect(await readTransfers(service, statement)).toMatchObject([
    { status: 'exception', reason: 'reversed', allocated: 0n },
  ]);

  const corrected = await importXml(service, merchant, charge, `${entries}\n`);
  await split(corrected);
  expect(await readBoth()).toEqual([paid(12_722n, 128n), paid(12_721n, 129n)]);
  expect(await readTransfers(service, statement)).toMatchObject([{ status: 'undone' }]);
  expect(await readBooks(service, merchant)).toMatchObject([{ received: 25_443n, matched: 25_443n }]);
});

describe('Undoing a batch that was booked net', () => {
  const batch = booking({ amount: '175.00', date: day, reference: 'B1', text: 'QR SETTLEMENT' });
  const toPayment = (id: string, amount: string, text: string) =>
    `<Refs><AcctSvcrRef>${id}</AcctSvcrRef></Refs><Amt Ccy="HKD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  const first = (charge: Charge) => toPayment('P1', '128.50', charge.paymentReference);
  const second = toPayment('P2', '50.00', 'no reference');
  const listed = (amount: string, ...payments: string[]) =>
    booking({ amount, date: day, reference: 'B1', details: details(...payments) });
  const parts = (charge: Charge) => listed('178.50', first(charge), second);

  test('removes the fee with the booking, or returns the booking to review with its payments', async ({
    service,
    merchant,
    charge,
  }) => {
    await setRule(service, charge, { maxBankFeeRate: '0.0200' });
    const booked = await importXml(service, merchant, charge, batch);
    const notification = await importXml(service, merchant, charge, parts(charge), '054');
    expect(await readBooks(service, merchant)).toMatchObject([
      { received: 17_850n, matched: 12_850n, exceptions: 5_000n, fees: 350n, closing: 17_500n },
    ]);
    await undo(service, merchant, booked);
    expect(await readBooks(service, merchant)).toMatchObject([
      { received: 17_850n, matched: 12_850n, fees: 0n, closing: 17_850n },
    ]);
    const again = await importXml(service, merchant, charge, batch);
    expect(getNonZeroCounts(again)).toEqual({ duplicate: 1 });
    expect(await readBooks(service, merchant)).toMatchObject([{ fees: 350n, closing: 17_500n }]);

    await undo(service, merchant, notification);
    expect(await readTransfers(service, again)).toMatchObject([
      { status: 'exception', reason: 'batch', feeAmount: 0n, duplicateOfId: null },
    ]);
    expect(await readCharge(service, charge)).toEqual(paid(0n, 0n));
    expect(await readBooks(service, merchant)).toMatchObject([
      { received: 17_500n, matched: 0n, exceptions: 17_500n, fees: 0n, closing: 17_500n },
    ]);
  });

  test.for([
    ['without a fee', '178.50', 0n],
    ['less a fee', '175.00', 350n],
  ] as const)(
    'returns the booking to review with one of two files that list its payments, %s',
    async ([, amount, fees], { service, merchant, charge }) => {
      await setRule(service, charge, { maxBankFeeRate: '0.0200' });
      const booked = await importXml(service, merchant, charge, batch.replace('175.00', amount));
      await importXml(service, merchant, charge, listed('128.50', first(charge)), '054');
      const other = await importXml(service, merchant, charge, listed('50.00', second), '054');
      const settled = { received: 17_850n, matched: 12_850n, exceptions: 5_000n, fees };
      expect(await readBooks(service, merchant)).toMatchObject([settled]);

      await undo(service, merchant, other);
      expect(await readTransfers(service, booked)).toMatchObject([
        { status: 'exception', reason: 'batch', feeAmount: 0n, duplicateOfId: null },
      ]);
      expect(await readCharge(service, charge)).toEqual(paid(12_850n, 0n));

      await importXml(service, merchant, charge, listed('50.00', second), '054');
      expect(await readTransfers(service, booked)).toMatchObject([{ status: 'duplicate', feeAmount: fees }]);
      expect(await readBooks(service, merchant)).toMatchObject([settled]);
    },
  );

  test('reduces the fee if the booking is still explained by the payments in the other file', async ({
    service,
    merchant,
    charge,
  }) => {
    await setRule(service, charge, { maxBankFeeRate: '0.0200' });
    const booked = await importXml(service, merchant, charge, batch);
    await importXml(service, merchant, charge, parts(charge), '054');
    const more = listed('0.05', toPayment('P3', '0.05', 'no reference'));
    const other = await importXml(service, merchant, charge, more, '054');
    expect(await readTransfers(service, booked)).toMatchObject([{ status: 'duplicate', feeAmount: 355n }]);
    await undo(service, merchant, other);
    expect(await readTransfers(service, booked)).toMatchObject([{ status: 'duplicate', feeAmount: 350n }]);
  });

  test('removes the payments with the booking if one entry lists both', async ({
    service,
    merchant,
    charge,
  }) => {
    await setRule(service, charge, { maxBankFeeRate: '0.0200' });
    const entry = parts(charge).replace('178.50', '175.00');
    const statement = await importXml(service, merchant, charge, entry);
    await undo(service, merchant, statement);
    expect(await readCharge(service, charge)).toEqual(paid(0n, 0n));
    expect(await readBooks(service, merchant)).toEqual([]);
    const again = await importXml(service, merchant, charge, `${entry}\n`);
    expect(getNonZeroCounts(again)).toEqual({ matched: 1, exception: 1, duplicate: 1 });
    expect(await readBooks(service, merchant)).toMatchObject([
      { received: 17_850n, matched: 12_850n, exceptions: 5_000n, fees: 350n, closing: 17_500n },
    ]);
  });
});
