import { describe, expect } from 'vitest';
import type { Charge, Statement } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { readUndoConsequences } from '../../../src/domain/money-in/statement/undo/read-undo-consequences.ts';
import { markTransferAsDuplicate } from '../../../src/domain/money-in/transfer/duplicates/mark-transfer-as-duplicate.ts';
import { dismissTransfers } from '../../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/review/return-transfer.ts';
import {
  getReleasedAmount,
  releasedPartsSelect,
} from '../../../src/domain/payments/allocation/released-parts.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { readCheckoutCharge } from '../../../src/domain/payments/checkout/get-checkout-charge.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { expectBooks } from '../../setup/books.ts';
import { getNonZeroCounts, getReceivedAmount, importFile, importXml } from '../../setup/import-file.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { booking, csvMapping, toReversal } from '../../setup/statement-files.ts';
import { undo } from '../../setup/undo.ts';

const day = '2026-11-17';
const credit = (text: string, reference: string, amount = '128.50') =>
  booking({ amount, date: day, reference, text });
const reversal = (reference: string, amount = '128.50', text = '') =>
  toReversal(credit(text, reference, amount));

const readTransfers = ({ prisma }: Service, { id }: Statement) =>
  prisma.transfer.findMany({ where: { statementId: id }, orderBy: { id: 'asc' } });

async function readBooks(service: Service, { merchant }: NewMerchant) {
  const { lines } = await reconcile(toStaleReads(service), { merchant, mode: 'live', from: day, to: day });
  await expectBooks(service);
  return lines.map(({ received, returned, refunded, otherIncoming, closing }) => ({
    ...{ received, returned, refunded, otherIncoming, closing },
  }));
}

const sums = { received: 0n, returned: 0n, refunded: 0n, otherIncoming: 0n, closing: 0n };

describe('A returned payout that the bank reversed', () => {
  async function seedReturned(service: Service, merchant: NewMerchant) {
    const refund = await seedPayableRefund(service, merchant);
    const charge = await service.prisma.charge.findUniqueOrThrow({ where: { id: refund.chargeId } });
    const text = `REFUND ${refund.payoutReference}`;
    await importXml(service, merchant, charge, credit(text, 'P1', '20.50').replace('CRDT', 'DBIT'));
    const reason = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf><RmtInf>';
    const returned = await importXml(
      service,
      merchant,
      charge,
      credit(text, 'P2', '20.50').replace('<RmtInf>', reason),
    );
    const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada', now: noon } as const;
    const reopen = () => reopenRefund(service, { ...owner, id: refund.id, reason: 'Account closed' });
    return { refund, charge, returned, reopen };
  }

  test('leaves the account again, and returns to it if the reversal is undone', async ({
    service,
    merchant,
  }) => {
    const { refund, charge, returned, reopen } = await seedReturned(service, merchant);
    await reopen();
    const before = { ...sums, received: 14_900n, refunded: 2_050n, closing: 12_850n };
    expect(await readBooks(service, merchant)).toEqual([before]);
    const reversed = await importXml(service, merchant, charge, reversal('P2', '20.50'));
    expect(getNonZeroCounts(reversed)).toEqual({ outgoing: 1 });
    expect(await readTransfers(service, returned)).toMatchObject([
      { status: 'exception', reason: 'reversed', allocated: 2_050n },
    ]);
    expect(await readBooks(service, merchant)).toEqual([{ ...before, returned: 2_050n, closing: 10_800n }]);
    await undo(service, merchant, reversed);
    const [restored] = await readTransfers(service, returned);
    expect(restored).toMatchObject({ status: 'matched', reason: null, allocated: 2_050n });
    const ofRefund = await service.prisma.allocation.aggregate({
      where: { refundId: refund.id },
      _sum: { amount: true },
    });
    expect(ofRefund._sum.amount).toBe(2_050n);
    expect(await readBooks(service, merchant)).toEqual([before]);
  });

  test('can still reopen the refund if the reversal is undone', async ({ service, merchant }) => {
    const { refund, charge, returned, reopen } = await seedReturned(service, merchant);
    const reversed = await importXml(service, merchant, charge, reversal('P2', '20.50'));
    expect(await readTransfers(service, returned)).toMatchObject([{ status: 'returned' }]);
    await undo(service, merchant, reversed);
    expect(await readTransfers(service, returned)).toMatchObject([
      { status: 'exception', reason: 'returned_payment', allocated: 0n },
    ]);
    await reopen();
    expect(await readTransfers(service, returned)).toMatchObject([{ status: 'matched', allocated: 2_050n }]);
    const { status } = await service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id } });
    expect(status).toBe('initiated');
  });
});

describe('The duplicate of a reversed credit', () => {
  const seedReported = async (service: Service, merchant: NewMerchant, entries: string) => {
    const charge = await seedCharge(service, merchant);
    const paid = await importXml(
      service,
      merchant,
      charge,
      credit(charge.paymentReference, 'R1') + entries,
      '054',
    );
    const booked = await importXml(service, merchant, charge, credit(charge.paymentReference, 'B1'));
    expect(getNonZeroCounts(booked)).toEqual({ duplicate: 1 });
    return { charge, paid, booked };
  };

  test('takes over, and pays the charge again once the reversal is undone', async ({ service, merchant }) => {
    const { charge, paid, booked } = await seedReported(service, merchant, '');
    const reversed = await importXml(service, merchant, charge, reversal('B1'));
    expect(await getReceivedAmount(service, charge)).toBe(0n);
    await undo(service, merchant, paid);
    expect(await readTransfers(service, booked)).toMatchObject([
      { status: 'exception', reason: 'reversed', allocated: 12_850n },
    ]);
    await undo(service, merchant, reversed);
    expect(await readTransfers(service, booked)).toMatchObject([
      { status: 'matched', reason: null, allocated: 12_850n },
    ]);
    expect(await getReceivedAmount(service, charge)).toBe(12_850n);
    expect(await readBooks(service, merchant)).toEqual([{ ...sums, received: 12_850n, closing: 12_850n }]);
  });

  test('stays reversed by the duplicate of the reversal', async ({ service, merchant }) => {
    const { charge, paid } = await seedReported(service, merchant, reversal('R1'));
    const again = await importXml(
      service,
      merchant,
      charge,
      credit(charge.paymentReference, 'B1') + reversal('B1'),
    );
    expect(getNonZeroCounts(again)).toEqual({ duplicate: 2 });
    await undo(service, merchant, paid);
    const [credited] = await service.prisma.transfer.findMany({
      where: { merchantId: merchant.merchant.id, status: 'exception' },
    });
    expect(credited).toMatchObject({ reason: 'reversed', undoneAt: null });
    expect(await readTransfers(service, again)).toContainEqual(
      expect.objectContaining({ status: 'outgoing', reversalOfId: credited!.id }),
    );
    expect(await readBooks(service, merchant)).toEqual([{ ...sums, received: 12_850n, returned: 12_850n }]);
  });

  const otherLines = (count: number) =>
    Array.from({ length: count }, (_, i) => credit(`other ${i}`, `O${i}`, '1')).join('');

  test.for([
    ['one batch', 0],
    ['two batches', 251],
  ] as const)(
    'pays the charge again if a file with the credit and its reversal is undone in %s',
    async ([, count], { service, merchant }) => {
      const { charge, paid, booked } = await seedReported(
        service,
        merchant,
        otherLines(count) + reversal('R1'),
      );
      expect(await getReceivedAmount(service, charge)).toBe(0n);
      expect(await readUndoConsequences(service.prisma, paid)).toMatchObject({ restoredCount: 1 });
      const undone = await undo(service, merchant, paid);
      expect(undone).toMatchObject({ status: 'undone', undoneCount: count + 2 });
      expect(await readTransfers(service, booked)).toMatchObject([{ status: 'matched', allocated: 12_850n }]);
      expect(await getReceivedAmount(service, charge)).toBe(12_850n);
      expect(await readBooks(service, merchant)).toEqual([{ ...sums, received: 12_850n, closing: 12_850n }]);
    },
  );
});

describe('A reversal that only its duplicate still reports', () => {
  test.for([
    ['after its credit in one batch', 0, false],
    ['after its credit in two batches', 251, false],
    ['before its credit in one batch', 0, true],
    ['before its credit in two batches', 251, true],
  ] as const)(
    'reverses the credit of the next report, if both were undone with the reversal %s',
    async ([, count, isNewestFirst], { service, merchant }) => {
      const charge = await seedCharge(service, merchant);
      const others = Array.from({ length: count }, (_, i) => credit(`other ${i}`, `O${i}`, '1')).join('');
      const lines = [credit(charge.paymentReference, 'R1'), others, reversal('R1')];
      const content = (isNewestFirst ? lines.toReversed() : lines).join('');
      const first = await importXml(service, merchant, charge, content);
      expect(await getReceivedAmount(service, charge)).toBe(0n);
      const repeated = await importXml(
        service,
        merchant,
        charge,
        reversal('B1', '128.50', charge.paymentReference),
        '054',
      );
      expect(getNonZeroCounts(repeated)).toEqual({ duplicate: 1 });
      const undone = await undo(service, merchant, first);
      expect(undone).toMatchObject({ status: 'undone', undoneCount: count + 2 });
      expect(await readTransfers(service, repeated)).toMatchObject([
        { status: 'exception', reason: 'unknown_reversal', reversalOfId: null },
      ]);
      await importXml(service, merchant, charge, content);
      expect(await getReceivedAmount(service, charge)).toBe(0n);
      expect(await readTransfers(service, repeated)).toMatchObject([{ status: 'outgoing' }]);
      expect(await readBooks(service, merchant)).toMatchObject([{ returned: 12_850n }]);
    },
  );
});

test('A part payment that the expired charge released stays released when a duplicate takes over', async ({
  service,
  merchant,
}) => {
  const charge = await seedCharge(service, merchant);
  const part = (reference: string) => credit(charge.paymentReference, reference, '28.50');
  const paid = await importXml(service, merchant, charge, part('R1'), '054');
  const booked = await importXml(service, merchant, charge, part('B1'));
  await expireCharges(service, { now: minutesAfter(charge.expiresAt, 24 * 60) });
  await undo(service, merchant, paid);
  expect(await readTransfers(service, booked)).toMatchObject([
    { status: 'exception', reason: 'charge_expired', allocated: 0n },
  ]);
  const expired = await service.prisma.charge.findUniqueOrThrow({
    where: { id: charge.id },
    select: { status: true, allocations: releasedPartsSelect },
  });
  expect(expired.status).toBe('expired');
  expect(getReleasedAmount(expired)).toBe(2_850n);
});

describe('The page of an expired charge, after a duplicate has taken over,', () => {
  const part = ({ paymentReference }: Charge, reference: string) =>
    credit(paymentReference, reference, '28.50');

  test('shows money once that was returned', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const paid = await importXml(service, merchant, charge, part(charge, 'R1'), '054');
    await importXml(service, merchant, charge, part(charge, 'B1'));
    await expireCharges(service, { now: minutesAfter(charge.expiresAt, 24 * 60) });
    const [transfer] = await readTransfers(service, paid);
    await returnTransfer(service, {
      ...{ merchantId: merchant.merchant.id, mode: 'live', audit: { actor: 'user:ada', now: noon } },
      input: { transferId: transfer!.id },
      now: noon,
    });
    await undo(service, merchant, paid);
    const { returns } = (await readCheckoutCharge(service, charge))!;
    expect(returns).toEqual([{ minor: 2_850n, currency: 'HKD' }]);
  });

  test('shows the money that names the charge', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    await expireCharges(service, { now: minutesAfter(charge.expiresAt, 24 * 60) });
    const paid = await importXml(service, merchant, charge, part(charge, 'R1'), '054');
    const booked = await importXml(service, merchant, charge, part(charge, 'B1'));
    expect(getNonZeroCounts(booked)).toEqual({ duplicate: 1 });
    await undo(service, merchant, paid);
    expect(await readTransfers(service, booked)).toMatchObject([{ namedChargeId: charge.id }]);
    const { unallocatedTransfers } = (await readCheckoutCharge(service, charge))!;
    expect(unallocatedTransfers).toEqual([
      { money: { minor: 2_850n, currency: 'HKD' }, chargeId: charge.id },
    ]);
  });
});

test('The last of three reports keeps the payment when the statements of both others are undone', async ({
  service,
  merchant,
}) => {
  const charge = await seedCharge(service, merchant);
  const { receivingAccountId } = charge;
  const first = await importXml(service, merchant, charge, credit(charge.paymentReference, 'R1'));
  const second = await importFile(service, merchant, {
    content: `Date,Amount,Text\n${day},128.50,hello\n`,
    mapping: csvMapping({ referenceColumns: ['Text'] }),
    receivingAccountId,
    now: noon,
  });
  const third = await importXml(service, merchant, charge, credit('tea', 'N1'), '054');
  const readId = async (statement: Statement) => (await readTransfers(service, statement))[0]!.id;
  const mark = async (transfer: Statement, duplicateOf: Statement) =>
    markTransferAsDuplicate(service, {
      ...{
        merchantId: merchant.merchant.id,
        mode: 'live',
        audit: { actor: 'user:ada', now: noon },
        now: noon,
      },
      input: { transferId: await readId(transfer), duplicateOfId: await readId(duplicateOf) },
    });
  await mark(third, second);
  await mark(second, first);
  await undo(service, merchant, second);
  await undo(service, merchant, first);
  expect(await readTransfers(service, third)).toMatchObject([{ status: 'matched', duplicateOfId: null }]);
  expect(await getReceivedAmount(service, charge)).toBe(12_850n);
  expect(await readBooks(service, merchant)).toEqual([{ ...sums, received: 12_850n, closing: 12_850n }]);
});

describe('A credit that a user had', () => {
  test.for([
    ['dismissed', dismissTransfers],
    ['returned', returnTransfer],
  ] as const)(
    '%s has that status again if its reversal is undone, even after a duplicate has taken over',
    async ([status, decide], { service, merchant }) => {
      const charge = await seedCharge(service, merchant);
      const booked = await importXml(service, merchant, charge, credit('interest PUMA23456W', 'R1', '5'));
      const scope = { merchantId: merchant.merchant.id, mode: 'live' as const };
      const audit = { actor: 'user:ada', now: noon };
      const [transfer] = await readTransfers(service, booked);
      const transferId = transfer!.id;
      const input = { transferId, transferIds: [transferId] };
      await decide(service, { ...scope, audit, now: noon, input });
      const before = await readBooks(service, merchant);
      const reversed = await importXml(service, merchant, charge, reversal('R1', '5'));
      expect(await readTransfers(service, booked)).toMatchObject([{ status: 'returned', allocated: 500n }]);
      expect(await readBooks(service, merchant)).toEqual([{ ...sums, received: 500n, returned: 500n }]);
      await undo(service, merchant, reversed);
      expect(await readTransfers(service, booked)).toMatchObject([{ status, allocated: 500n }]);
      expect(await readBooks(service, merchant)).toEqual(before);

      const again = await importXml(
        service,
        merchant,
        charge,
        credit('interest PUMA23456W', 'N1', '5'),
        '054',
      );
      expect(getNonZeroCounts(again)).toEqual({ duplicate: 1 });
      const reversedAgain = await importXml(
        service,
        merchant,
        charge,
        reversal('N1', '5') + credit('x', 'N2', '1'),
        '054',
      );
      await undo(service, merchant, booked);
      await undo(service, merchant, reversedAgain);
      expect(await readTransfers(service, again)).toMatchObject([{ status, allocated: 500n }]);
      expect(await readBooks(service, merchant)).toEqual(before);
    },
  );
});
