import { describe, expect } from 'vitest';
import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { readUndoConsequences } from '../../../src/domain/money-in/statement/undo/read-undo-consequences.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { dismissTransfers } from '../../../src/domain/money-in/transfer/review/dismiss-transfers.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/review/return-transfer.ts';
import { suggestCharges } from '../../../src/domain/money-in/transfer/suggestions/suggest-charges.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { getNonZeroCounts, getReceivedAmount, importXml } from '../../setup/import-file.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { payeeAccount, seedPayableRefund } from '../../setup/payouts.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { booking, toReversal } from '../../setup/statement-files.ts';
import { payCharge } from '../../setup/transfers.ts';
import { startUndo, undo } from '../../setup/undo.ts';

const day = '2026-11-17';
const credit = (text: string, reference: string, amount = '128.50') =>
  booking({ amount, date: day, reference, text });
const reversal = (text: string, reference: string) => toReversal(credit(text, reference));
const readCharge = ({ prisma }: Service, { id }: Charge) =>
  prisma.charge.findUniqueOrThrow({ where: { id } });
const readTransfers = ({ prisma }: Service, statementId: string) =>
  prisma.transfer.findMany({ where: { statementId }, orderBy: { id: 'asc' } });
const owner = ({ merchant }: NewMerchant) => ({
  merchantId: merchant.id,
  mode: 'live' as const,
  actor: 'user:ada',
  now: noon,
});
const audit = { actor: 'user:ada', now: noon };

async function readBooks(service: Service, { merchant }: NewMerchant) {
  const { lines } = await reconcile(toStaleReads(service), { merchant, mode: 'live', from: day, to: day });
  return lines.map(({ received, matched, exceptions, returned, closing }) => ({
    received,
    matched,
    exceptions,
    returned,
    closing,
  }));
}

describe('Undoing a statement', () => {
  test('keeps completed charges with less money, as the exception reversed with its event', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importXml(
      service,
      merchant,
      charge,
      credit(charge.paymentReference, 'R1') + credit('no reference', 'R2', '5'),
    );
    expect(await readUndoConsequences(service.prisma, statement)).toMatchObject({
      transferCount: 2,
      completedChargeCount: 1,
      openChargeCount: 0,
      blockingRefundIds: [],
    });
    const undone = await undo(service, merchant, statement);
    expect(undone).toMatchObject({
      status: 'undone',
      undoneCount: 2,
      undoneBy: 'user:ada',
      undoneAt: noon,
      leasedUntil: null,
    });
    expect(await readCharge(service, charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    const [paid, other] = await readTransfers(service, statement.id);
    expect(paid).toMatchObject({ status: 'exception', reason: 'reversed', allocated: 0n, undoneAt: noon });
    expect(other).toMatchObject({ status: 'undone', reason: null });
    const events = await service.prisma.event.findMany({
      where: { objectId: paid!.id, type: 'transfer_exception' },
    });
    expect(events.map(({ payload }) => JSON.parse(payload as unknown as string).reason)).toEqual([
      'reversed',
    ]);
    expect(await readBooks(service, merchant)).toEqual([]);
  });

  test('proposes a split again for the corrected file, which settles the exception', async ({
    service,
    merchant,
  }) => {
    const charges = [
      await seedCharge(service, merchant),
      await seedCharge(service, merchant, { input: { email: 'bo@example.com' } }),
    ];
    const references = charges.map(({ paymentReference }) => paymentReference).join(' ');
    const importPair = async (entries: string) => {
      const statement = await importXml(service, merchant, charges[0]!, entries);
      const transfers = await readTransfers(service, statement.id);
      return { statement, transfer: transfers.find(({ reference }) => reference.includes(references))! };
    };
    const applySplit = async (transfer: Transfer) => {
      const scope = { merchantId: merchant.merchant.id, mode: 'live' as const };
      const { split } = (await suggestCharges(service, scope, [transfer])).get(transfer.id)!;
      const parts = split.map(({ charge }) => ({ chargeId: charge.id, amount: '128.50' }));
      const assignment = { transferId: transfer.id, parts };
      await assignTransfer(service, {
        merchant: merchant.merchant,
        mode: 'live',
        assignment,
        audit,
        now: noon,
      });
    };
    const first = await importPair(credit(references, 'R1', '257.00'));
    expect(first.transfer.reason).toBe('multiple_references');
    await applySplit(first.transfer);
    await undo(service, merchant, first.statement);
    expect((await readTransfers(service, first.statement.id))[0]!.status).toBe('exception');
    const corrected = await importPair(credit(references, 'R1', '257.00') + credit('other', 'R2', '5'));
    expect(corrected.transfer.reason).toBe('multiple_references');
    await applySplit(corrected.transfer);
    for (const charge of charges)
      expect(await readCharge(service, charge)).toMatchObject({
        status: 'completed',
        amountReceived: 12_850n,
      });
    expect((await readTransfers(service, first.statement.id))[0]!.status).toBe('undone');
    expect((await readTransfers(service, corrected.statement.id))[0]!.status).toBe('matched');
  });

  test('suggests the charge that lost its money for a line of the corrected file without a reference', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const context = { merchant: merchant.merchant, mode: 'live' as const, audit, now: noon };
    const assign = (transferId: string) =>
      assignTransfer(service, { ...context, assignment: { transferId, parts: [{ chargeId: charge.id }] } });
    const statement = await importXml(service, merchant, charge, credit('for tea', 'R1'));
    const [first] = await readTransfers(service, statement.id);
    await assign(first!.id);
    await undo(service, merchant, statement);
    const corrected = await importXml(
      service,
      merchant,
      charge,
      credit('for tea', 'R1') + credit('other', 'R2', '5'),
    );
    const transfers = await readTransfers(service, corrected.id);
    const scope = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const suggestions = await suggestCharges(service, scope, transfers);
    const [again, other] = transfers.map(({ id }) => suggestions.get(id)!.charges);
    expect(again).toMatchObject([{ charge: { id: charge.id }, reasons: ['undone_payment', 'same_amount'] }]);
    expect(other).toEqual([]);
    await assign(transfers[0]!.id);
    expect(await getReceivedAmount(service, charge)).toBe(12_850n);
    expect(await readTransfers(service, statement.id)).toMatchObject([{ status: 'undone' }]);
    expect((await suggestCharges(service, scope, transfers)).get(transfers[0]!.id)!.charges).toEqual([]);
  });

  test('releases the identities, so that the corrected file pays its charges again without an event', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const entries = credit(charge.paymentReference, 'R1') + credit('no reference', 'R2', '5');
    const statement = await importXml(service, merchant, charge, entries);
    await undo(service, merchant, statement);
    const corrected = await importXml(service, merchant, charge, `${entries}${credit('more', 'R3', '7')}`);
    expect(getNonZeroCounts(corrected)).toEqual({ matched: 1, exception: 2 });
    expect(await readCharge(service, charge)).toMatchObject({ status: 'completed', amountReceived: 12_850n });
    const events = await service.prisma.event.findMany({
      where: { objectId: charge.id },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ type }) => type)).toEqual(['charge_created', 'CHARGE_COMPLETE']);
    // No transfer of the undone statement needs review.
    expect((await readTransfers(service, statement.id)).map(({ status }) => status)).toEqual([
      'undone',
      'undone',
    ]);
    expect(await readBooks(service, merchant)).toEqual([
      { received: 14_050n, matched: 12_850n, exceptions: 1_200n, returned: 0n, closing: 14_050n },
    ]);
  });

  test('allows the import of the same file again', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const entries = credit(charge.paymentReference, 'R1');
    const statement = await importXml(service, merchant, charge, entries);
    await undo(service, merchant, statement);
    const again = await importXml(service, merchant, charge, entries);
    expect(again.id).not.toBe(statement.id);
    expect(getNonZeroCounts(again)).toEqual({ matched: 1 });
  });

  test('removes part payments from open charges without a review', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importXml(
      service,
      merchant,
      charge,
      credit(charge.paymentReference, 'R1', '28.50'),
    );
    expect(getNonZeroCounts(statement)).toEqual({ partial: 1 });
    await undo(service, merchant, statement);
    expect(await readCharge(service, charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
    expect(await readTransfers(service, statement.id)).toMatchObject([{ status: 'undone' }]);
  });

  test('reverses decisions of users, and a reviewed transfer stays undone', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importXml(
      service,
      merchant,
      charge,
      credit('no reference', 'R1') + credit('to return', 'R2', '5') + credit('interest', 'R3', '1'),
    );
    const [assigned, returned, dismissed] = await readTransfers(service, statement.id);
    const context = { merchant: merchant.merchant, mode: 'live' as const, audit, now: noon };
    await assignTransfer(service, {
      ...context,
      assignment: { transferId: assigned!.id, parts: [{ chargeId: charge.id }] },
    });
    const scope = { merchantId: merchant.merchant.id, mode: 'live' as const, audit, now: noon };
    await returnTransfer(service, { ...scope, input: { transferId: returned!.id } });
    await dismissTransfers(service, { ...scope, input: { transferIds: [dismissed!.id] } });
    expect(await readUndoConsequences(service.prisma, statement)).toMatchObject({
      completedChargeCount: 1,
      returnedCount: 1,
      dismissedCount: 1,
    });
    await undo(service, merchant, statement);
    expect(await getReceivedAmount(service, charge)).toBe(0n);
    expect(await readTransfers(service, statement.id)).toMatchObject([
      { status: 'exception', reason: 'reversed' },
      { status: 'undone' },
      { status: 'undone' },
    ]);
    const reviewed = await returnTransfer(service, { ...scope, input: { transferId: assigned!.id } });
    expect(reviewed).toMatchObject({ status: 'undone', allocated: 0n });
  });

  test('cannot be repeated, and does not start before the import has finished', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importXml(service, merchant, charge, credit('x', 'R1'));
    await undo(service, merchant, statement);
    await expect(startUndo(service, merchant, statement)).rejects.toMatchObject({
      code: 'statement_not_undoable',
    });
  });
});

describe('Transfers of other sources', () => {
  test('take over the payment, so that the charge loses nothing', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const entries = credit(charge.paymentReference, 'R1');
    const statement = await importXml(service, merchant, charge, entries, '054');
    const booked = await importXml(service, merchant, charge, credit(charge.paymentReference, 'B1'));
    expect(getNonZeroCounts(booked)).toEqual({ duplicate: 1 });
    expect(await readUndoConsequences(service.prisma, statement)).toMatchObject({
      takenOverCount: 1,
      completedChargeCount: 0,
    });
    await undo(service, merchant, statement);
    expect(await getReceivedAmount(service, charge)).toBe(12_850n);
    expect(await readTransfers(service, statement.id)).toMatchObject([{ status: 'undone', allocated: 0n }]);
    expect(await readTransfers(service, booked.id)).toMatchObject([
      { status: 'matched', allocated: 12_850n, duplicateOfId: null },
    ]);
    // The next report of the same payment is a duplicate of the transfer that has taken over.
    const repeated = await importXml(service, merchant, charge, `${entries}${credit('x', 'R9', '1')}`, '054');
    expect(getNonZeroCounts(repeated)).toEqual({ duplicate: 1, exception: 1 });
  });

  test('are not affected if only their duplicate is undone', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    await payCharge(service, merchant, charge, { now: noon });
    const statement = await importXml(service, merchant, charge, credit(charge.paymentReference, 'R1'));
    expect(getNonZeroCounts(statement)).toEqual({ duplicate: 1 });
    await undo(service, merchant, statement);
    expect(await getReceivedAmount(service, charge)).toBe(12_850n);
    const repeated = await importXml(
      service,
      merchant,
      charge,
      credit(charge.paymentReference, 'R1') + credit('x', 'R2', '1'),
    );
    expect(getNonZeroCounts(repeated)).toEqual({ duplicate: 1, exception: 1 });
  });

  test('are applied again if their reversal is undone', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const paid = await importXml(service, merchant, charge, credit(charge.paymentReference, 'R1'));
    const reversed = await importXml(service, merchant, charge, reversal(charge.paymentReference, 'R2'));
    expect(await getReceivedAmount(service, charge)).toBe(0n);
    expect(await readUndoConsequences(service.prisma, reversed)).toMatchObject({ restoredCount: 1 });
    await undo(service, merchant, reversed);
    expect(await getReceivedAmount(service, charge)).toBe(12_850n);
    expect(await readTransfers(service, paid.id)).toMatchObject([{ status: 'matched', reason: null }]);
    // The bank reverses it again.
    const again = await importXml(
      service,
      merchant,
      charge,
      reversal(charge.paymentReference, 'R2') + credit('x', 'R3', '1'),
    );
    expect(getNonZeroCounts(again)).toEqual({ exception: 1, outgoing: 1 });
    expect(await getReceivedAmount(service, charge)).toBe(0n);
  });

  test('wait for their credit again if it is undone before its reversal', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const entries = credit(charge.paymentReference, 'R1');
    const paid = await importXml(service, merchant, charge, entries);
    const reversed = await importXml(service, merchant, charge, reversal('', 'R1'));
    await undo(service, merchant, paid);
    expect(await readTransfers(service, reversed.id)).toMatchObject([
      { status: 'exception', reason: 'unknown_reversal', reversalOfId: null },
    ]);
    const again = await importXml(service, merchant, charge, entries);
    expect(getNonZeroCounts(again)).toEqual({ exception: 1 });
    expect(await readTransfers(service, reversed.id)).toMatchObject([{ status: 'outgoing' }]);
    expect(await getReceivedAmount(service, charge)).toBe(0n);
  });

  test('of the same file are undone together with their reversal', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importXml(
      service,
      merchant,
      charge,
      credit(charge.paymentReference, 'R1') + reversal('', 'R1'),
    );
    await undo(service, merchant, statement);
    expect(await readTransfers(service, statement.id)).toMatchObject([
      { status: 'exception', reason: 'reversed' },
      { status: 'undone', reversalOfId: null },
    ]);
    expect(await readBooks(service, merchant)).toEqual([]);
  });
});

describe('Refunds', () => {
  async function seedRefundedStatement(service: Service, merchant: NewMerchant) {
    const charge = await seedCharge(service, merchant);
    const statement = await importXml(service, merchant, charge, credit(charge.paymentReference, 'R1'));
    const input = { chargeId: charge.id, customerAmount: 28.5 };
    const { refund } = await createRefund(service, { ...owner(merchant), input });
    return { charge, statement, refund };
  }

  test('without payout details are cancelled if their charge loses its money', async ({
    service,
    merchant,
  }) => {
    const { statement, refund } = await seedRefundedStatement(service, merchant);
    expect(await readUndoConsequences(service.prisma, statement)).toMatchObject({ cancelledRefundCount: 1 });
    await undo(service, merchant, statement);
    const cancelled = await service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id } });
    expect(cancelled.status).toBe('cancelled');
  });

  test('that are being paid or were paid prevent the undo of their money', async ({ service, merchant }) => {
    const { statement, refund } = await seedRefundedStatement(service, merchant);
    await submitRefundDetails(service, { ...owner(merchant), id: refund.id, details: payeeAccount });
    await expect(startUndo(service, merchant, statement)).rejects.toMatchObject({
      code: 'statement_refunded',
      message: expect.stringContaining(refund.id),
    });
  });

  test('covered by other money do not prevent the undo', async ({ service, merchant }) => {
    const { charge, statement, refund } = await seedRefundedStatement(service, merchant);
    const extra = await importXml(service, merchant, charge, credit('extra', 'X1', '28.50'));
    const [transfer] = await readTransfers(service, extra.id);
    await assignTransfer(service, {
      merchant: merchant.merchant,
      mode: 'live',
      audit,
      now: noon,
      assignment: { transferId: transfer!.id, parts: [{ chargeId: charge.id }] },
    });
    await submitRefundDetails(service, { ...owner(merchant), id: refund.id, details: payeeAccount });
    await startUndo(service, merchant, statement);
    // The money of the other statement is needed now, although the first statement is not undone yet.
    await expect(startUndo(service, merchant, extra)).rejects.toMatchObject({ code: 'statement_refunded' });
  });

  test('that were reopened because of a returned payout prevent the undo', async ({ service, merchant }) => {
    const refund = await seedPayableRefund(service, merchant);
    const charge = await service.prisma.charge.findUniqueOrThrow({ where: { id: refund.chargeId } });
    const text = `REFUND ${refund.payoutReference}`;
    const paidOut = credit(text, 'P1', '20.50').replace('CRDT', 'DBIT');
    const payout = await importXml(service, merchant, charge, paidOut);
    const returned = credit(text, 'P2', '20.50').replace(
      '<RmtInf>',
      '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf><RmtInf>',
    );
    const back = await importXml(service, merchant, charge, returned);
    await reopenRefund(service, { ...owner(merchant), id: refund.id, reason: 'Account closed' });
    await expect(startUndo(service, merchant, back)).rejects.toMatchObject({ code: 'statement_refunded' });
    expect((await readUndoConsequences(service.prisma, payout)).blockingRefundIds).toEqual([]);
  });

  test('stay completed if the transfer of their payout is undone, and the corrected file links it again', async ({
    service,
    merchant,
  }) => {
    const refund = await seedPayableRefund(service, merchant);
    const charge = await service.prisma.charge.findUniqueOrThrow({ where: { id: refund.chargeId } });
    const entry = credit(`REFUND ${refund.payoutReference}`, 'P1', '20.50').replace('CRDT', 'DBIT');
    const statement = await importXml(service, merchant, charge, entry);
    const readPayout = () => service.prisma.refundPayout.findFirstOrThrow({ where: { refundId: refund.id } });
    expect((await readPayout()).transferId).not.toBeNull();
    expect(await readUndoConsequences(service.prisma, statement)).toMatchObject({ payoutCount: 1 });
    await undo(service, merchant, statement);
    expect((await readPayout()).transferId).toBeNull();
    const again = await importXml(service, merchant, charge, entry);
    expect(getNonZeroCounts(again)).toEqual({ outgoing: 1 });
    const [transfer] = await readTransfers(service, again.id);
    expect((await readPayout()).transferId).toBe(transfer!.id);
  });
});
