import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { markTransferAsDuplicate } from '../../../src/domain/money-in/transfer/duplicates/mark-transfer-as-duplicate.ts';
import type { TransferInput } from '../../../src/domain/money-in/transfer/record/draft-transfer.ts';
import { recordOutgoing } from '../../../src/domain/money-in/transfer/record/record-outgoing.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/review/return-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import { claimRefundsForFile } from '../../../src/domain/payouts/payout/claim-refunds-for-file.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { getNonZeroCounts, importFile } from '../../setup/import-file.ts';
import { payeeAccount } from '../../setup/payouts.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { csvMapping } from '../../setup/statement-files.ts';
import { later, type TransferActions, transferTest as test } from '../../setup/transfer-test.ts';
import { recordOne, reverseOne, toRecordingContext, transferInput } from '../../setup/transfers.ts';

describe('Reversed credit', () => {
  test('leaves its charge completed with less received, and becomes an exception', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const paid = await transfers.record(charge);
    const line = { bankReference: 'R-1' };
    expect(await transfers.reverse(charge, { ...line })).toMatchObject({ status: 'outgoing' });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await transfers.reloadTransfer(paid.transferId)).toMatchObject({
      status: 'exception',
      reason: 'reversed',
    });
    expect(await transfers.getEventTypes(paid.transferId)).toEqual(['transfer_exception']);
    expect(await transfers.reverse(charge, { ...line })).toMatchObject({ status: 'duplicate' });
    expect(await transfers.returnToPayer(paid.transferId)).toMatchObject({ status: 'returned' });
    await expect(transfers.unassign(paid.transferId)).rejects.toThrow(
      'cannot be unassigned, because the bank has reversed it',
    );
  });

  test('becomes an exception even if only a part of it was allocated', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const paid = await transfers.record(charge, {
      minor: 20_000n,
      reference: 'no reference',
      bankReference: 'P-1',
    });
    await transfers.assign(paid.transferId, { chargeId: charge.id, amount: 128.5 });
    await transfers.reverse(charge, { minor: 20_000n, reference: 'no reference', reversedReference: 'P-1' });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await transfers.reloadTransfer(paid.transferId)).toMatchObject({
      status: 'exception',
      reason: 'reversed',
    });
    expect(await transfers.getEventTypes(paid.transferId)).toEqual([
      'transfer_exception',
      'transfer_exception',
    ]);
  });

  test('cancels the refunds of its charge that are neither paid nor in a payment file', async ({
    transfers,
    service,
  }) => {
    const owner = { ...transfers.owner, actor: 'user:ada', now: noon };
    const charge = await transfers.newCharge();
    await transfers.record(charge);
    const refund = async (customerAmount: number) =>
      (await createRefund(service, { ...owner, input: { chargeId: charge.id, customerAmount } })).refund.id;
    const submit = async (id: string) => {
      await submitRefundDetails(service, { ...owner, id, details: payeeAccount });
      return id;
    };
    const paid = await submit(await refund(20));
    await completeRefund(service, { ...owner, id: paid });
    const exported = await submit(await refund(30));
    const file = { input: { format: 'csv' }, now: noon };
    await transact(service, ({ tx }) => claimRefundsForFile(tx, { ...transfers.owner, ...file }));
    const payable = await submit(await refund(40));
    const initiated = await refund(38.5);
    await transfers.reverse(charge);

    const read = (id: string) => service.prisma.refund.findUniqueOrThrow({ where: { id } });
    expect(await read(paid)).toMatchObject({ status: 'completed' });
    expect(await read(exported)).toMatchObject({ status: 'processing' });
    expect(await read(payable)).toMatchObject({ status: 'cancelled', detailsEncrypted: null });
    expect(await read(initiated)).toMatchObject({ status: 'cancelled' });
    expect(await transfers.getEventTypes(initiated)).toEqual(['refund_initiated', 'refund_cancelled']);
    await expect(submit(initiated)).rejects.toMatchObject({ code: 'refund_not_initiated' });
  });

  test('cancels only as many refunds of its charge as the remaining money does not cover', async ({
    transfers,
    service,
  }) => {
    const owner = { ...transfers.owner, actor: 'user:ada', now: noon };
    const charge = await transfers.newCharge();
    await transfers.record(charge, { minor: 10_000n });
    await transfers.record(charge, { minor: 2_850n });
    const refund = async (customerAmount: number, minutes: number) => {
      const input = { chargeId: charge.id, customerAmount };
      return (await createRefund(service, { ...owner, input, now: minutesAfter(noon, minutes) })).refund.id;
    };
    const first = await refund(28.5, 1);
    const payable = await refund(50, 2);
    await submitRefundDetails(service, { ...owner, id: payable, details: payeeAccount });
    const last = await refund(50, 3);
    await transfers.reverse(charge, { minor: 2_850n });
    const refunds = await service.prisma.refund.findMany({ where: { chargeId: charge.id } });
    expect(Object.fromEntries(refunds.map(({ id, status }) => [id, status]))).toEqual({
      [first]: 'initiated',
      [payable]: 'processing',
      [last]: 'cancelled',
    });
  });

  test('is missing again if it was a part payment', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    await transfers.record(charge, { minor: 10_000n });
    await transfers.reverse(charge, { minor: 10_000n });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
    expect(await transfers.record(charge)).toMatchObject({ status: 'matched' });
  });

  test('is found by its bank reference before its text', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const text = { reference: 'rent' };
    const first = await transfers.record(charge, { minor: 500n, ...text, bankReference: 'C-1' });
    const second = await transfers.record(charge, { minor: 500n, ...text, bankReference: 'C-2' });
    await transfers.reverse(charge, { minor: 500n, ...text, reversedReference: 'C-1' });
    expect(await transfers.reloadTransfer(first.transferId)).toMatchObject({ status: 'returned' });
    expect(await transfers.reloadTransfer(second.transferId)).toMatchObject({ status: 'exception' });
  });

  test('that was never recorded becomes an exception until a user resolves its reversal', async ({
    transfers,
  }) => {
    const charge = await transfers.newCharge();
    const unknown = await transfers.reverse(charge, { minor: 4_321n });
    expect(unknown).toMatchObject({ status: 'exception', reason: 'unknown_reversal' });
    expect(await transfers.returnToPayer(unknown.transferId)).toMatchObject({
      status: 'outgoing',
      allocated: 0n,
    });
  });
});

describe('Transfer that a user decides about concurrently', () => {
  test('is reversed on the charge to which it has been assigned since', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    const paid = await transfers.record(charge, { reference: 'no reference', bankReference: 'B-1' });
    const assignment = { transferId: paid.transferId, parts: [{ chargeId: charge.id }] };
    const [reversal] = await concurrently(
      service,
      (uow) => assignTransfer(uow, { ...transfers.decision, assignment }),
      () => transfers.reverse(charge, { reversedReference: 'B-1' }),
    );
    expect(reversal).toMatchObject({ status: 'outgoing' });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await transfers.reloadTransfer(paid.transferId)).toMatchObject({
      status: 'exception',
      reason: 'reversed',
    });
  });

  test('is released when its charge is cancelled', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    const { transferId } = await transfers.record(charge, { minor: 20_000n, reference: 'no reference' });
    await transfers.assign(transferId, { chargeId: charge.id, amount: 100 });
    const [cancelled] = await concurrently(
      service,
      (uow) => returnTransfer(uow, { ...transfers.decision, input: { transferId, amount: 50 } }),
      () =>
        cancelCharge(service, {
          ...transfers.owner,
          id: charge.id,
          by: 'merchant',
          actor: 'user:usr_1',
          now: later,
        }),
    );
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({
      status: 'exception',
      allocated: 5_000n,
    });
  });

  test('does not complete a charge together with a late report once it is returned', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const { transferId } = await transfers.record(charge, { minor: 5_000n });
    await expireCharges(service, { now: minutesAfter(noon, 1_000) });
    const [late] = await concurrently(
      service,
      (uow) => returnTransfer(uow, { ...transfers.decision, input: { transferId } }),
      () => transfers.record(charge, { minor: 7_850n }),
    );
    expect(late).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({ status: 'returned' });
  });
});

const [interim, final] = [{ fileKind: 'camt.054' }, { fileKind: 'mt940' }];

function reverseByReference(
  transfers: TransferActions,
  charge: Charge,
  reversedReference: string,
  changes: Partial<TransferInput>,
) {
  return transfers.reverse(charge, {
    reversedReference,
    bankReference: `reversal:${reversedReference}`,
    ...changes,
  });
}

const markAsDuplicate = (
  transfers: TransferActions,
  service: Service,
  transferId: string,
  duplicateOfId: string,
) => markTransferAsDuplicate(service, { ...transfers.decision, input: { transferId, duplicateOfId } });

const getReceived = async (transfers: TransferActions, ...charges: Charge[]) =>
  (await Promise.all(charges.map(transfers.reload))).map(({ amountReceived }) => amountReceived);

describe('Reversal reported by two kinds of file', () => {
  test('reverses one payment of a customer who has paid twice', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const first = await transfers.record(charge, { ...interim, bankReference: 'C-1' });
    const second = await transfers.record(charge, { ...interim, bankReference: 'C-2' });
    for (const bankReference of ['M-1', 'M-2'])
      expect(await transfers.record(charge, { ...final, bankReference })).toMatchObject({
        status: 'duplicate',
      });
    const reported = await reverseByReference(transfers, charge, 'C-1', interim);
    expect(reported.status).toBe('outgoing');
    const repeated = await reverseByReference(transfers, charge, 'M-1', final);
    expect(repeated.status).toBe('duplicate');
    expect(await transfers.reloadTransfer(repeated.transferId)).toMatchObject({
      duplicateOfId: reported.transferId,
    });
    expect(await transfers.reloadTransfer(first.transferId)).toMatchObject({ reason: 'reversed' });
    expect(await transfers.reloadTransfer(second.transferId)).toMatchObject({
      reason: 'charge_completed',
      allocated: 0n,
    });
    // The other payment is reversed too, and each file reports that once.
    expect((await reverseByReference(transfers, charge, 'M-2', final)).status).toBe('outgoing');
    expect((await reverseByReference(transfers, charge, 'C-2', interim)).status).toBe('duplicate');
    expect(await transfers.reloadTransfer(second.transferId)).toMatchObject({ status: 'returned' });
  });

  test('is recognized by the credit if only one report has the payment reference', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    await transfers.record(charge, { ...interim, bankReference: 'D-1' });
    const second = await transfers.record(charge, { ...interim, bankReference: 'D-2' });
    expect(
      (await reverseByReference(transfers, charge, 'D-1', { ...interim, reference: 'recall' })).status,
    ).toBe('outgoing');
    expect((await reverseByReference(transfers, charge, 'N-1', final)).status).toBe('duplicate');
    expect(await transfers.reloadTransfer(second.transferId)).toMatchObject({ allocated: 0n });
  });

  test('does not reverse the payment of another customer with the same text', async ({
    transfers,
    service,
  }) => {
    const [charge, otherCharge] = [await transfers.newCharge(), await transfers.newCharge()];
    const rent = { ...interim, reference: 'rent' };
    await transfers.assign((await transfers.record(charge, { ...rent, bankReference: 'W-1' })).transferId, {
      chargeId: charge.id,
    });
    await transfers.assign(
      (await transfers.record(otherCharge, { ...rent, bankReference: 'W-2' })).transferId,
      {
        chargeId: otherCharge.id,
      },
    );
    const reported = await reverseByReference(transfers, charge, 'W-1', rent);
    expect(await getReceived(transfers, charge, otherCharge)).toEqual([0n, 12_850n]);
    const repeated = await reverseByReference(transfers, charge, 'MW-1', { ...final, reference: 'rent' });
    expect(repeated).toMatchObject({ status: 'exception', reason: 'possible_duplicate' });
    expect(await getReceived(transfers, charge, otherCharge)).toEqual([0n, 12_850n]);
    const paired = await markAsDuplicate(transfers, service, repeated.transferId, reported.transferId);
    expect(paired).toMatchObject({ status: 'duplicate', duplicateOfId: reported.transferId });
  });

  test('is recognized without a payment reference by the bank reference of a credit that a user marked as duplicate', async ({
    transfers,
    service,
  }) => {
    const [charge, otherCharge] = [await transfers.newCharge(), await transfers.newCharge()];
    const rent = { ...interim, reference: 'flat rent' };
    const first = await transfers.record(charge, { ...rent, bankReference: 'P-1' });
    await transfers.assign(first.transferId, { chargeId: charge.id });
    const duplicate = await transfers.record(charge, {
      ...final,
      reference: 'flat rent',
      bankReference: 'Q-1',
    });
    await markAsDuplicate(transfers, service, duplicate.transferId, first.transferId);
    await transfers.assign(
      (await transfers.record(otherCharge, { ...rent, bankReference: 'P-2' })).transferId,
      {
        chargeId: otherCharge.id,
      },
    );
    // The first report is of the file whose line of the credit is a duplicate.
    const reported = await reverseByReference(transfers, charge, 'Q-1', { ...final, reference: 'recall' });
    expect(reported.status).toBe('outgoing');
    expect(await getReceived(transfers, charge, otherCharge)).toEqual([0n, 12_850n]);
    expect((await reverseByReference(transfers, charge, 'P-1', rent)).status).toBe('duplicate');
    expect(await getReceived(transfers, charge, otherCharge)).toEqual([0n, 12_850n]);
  });

  test('is not an outgoing payment with equal amount and payment reference', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    await transfers.record(charge, { ...interim, bankReference: 'O-1' });
    const toInput = ({ paymentReference, customerAmount }: Charge, changes: Partial<TransferInput>) =>
      transferInput({
        money: { minor: customerAmount, currency: 'HKD' },
        reference: paymentReference,
        ...changes,
      });
    const recording = await toRecordingContext(service, merchant, { ...charge, now: later });
    await transact(service, (uow) =>
      recordOutgoing(uow, recording, [toInput(charge, { ...final, reference: '' })]),
    );
    await transact(service, (uow) => recordOutgoing(uow, recording, [toInput(charge, { source: 'feed' })]));
    expect((await reverseByReference(transfers, charge, 'O-1', interim)).status).toBe('outgoing');
    expect(await getReceived(transfers, charge)).toEqual([0n]);
  });

  test('is recorded under a bank reference that was used for another reversal', async ({ transfers }) => {
    const [firstCharge, otherCharge] = [await transfers.newCharge(), await transfers.newCharge()];
    for (const charge of [firstCharge, otherCharge])
      await transfers.record(charge, { ...interim, bankReference: `U-${charge.id}` });
    expect((await reverseByReference(transfers, firstCharge, 'U', interim)).status).toBe('outgoing');
    expect((await reverseByReference(transfers, otherCharge, 'U', interim)).status).toBe('outgoing');
    expect((await reverseByReference(transfers, otherCharge, 'U', interim)).status).toBe('duplicate');
    expect(await getReceived(transfers, firstCharge, otherCharge)).toEqual([0n, 0n]);
  });
});

const recordLater = (transfers: TransferActions, charge: Charge, changes: Partial<TransferInput> = {}) =>
  transfers.record(charge, { now: later, ...changes });

/** Records a reversal of a credit that is not recorded yet. */
async function recordEarlyReversal(
  transfers: TransferActions,
  charge: Charge,
  changes: Partial<TransferInput> = {},
  reason = 'unknown_reversal',
): Promise<string> {
  const reversal = await transfers.reverse(charge, changes);
  expect(reversal).toMatchObject({ status: 'exception', reason });
  return reversal.transferId;
}

const toReferences = (reference: string) => ({
  bankReference: `reversal:${reference}`,
  reversedReference: reference,
});
const reversed = { status: 'exception', reason: 'reversed' };

describe('Credit reported after its reversal', () => {
  test('is recognized by the bank reference in the reversal', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const reversal = await recordEarlyReversal(transfers, charge, {
      ...toReferences('R1'),
      reference: 'recall',
    });
    expect(await recordLater(transfers, charge, { bankReference: 'R0' })).toMatchObject({
      status: 'matched',
    });
    const credit = await recordLater(transfers, charge, { bankReference: 'R1' });
    expect(credit).toMatchObject(reversed);
    expect(await transfers.reloadTransfer(reversal)).toMatchObject({ reversalOfId: credit.transferId });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 12_850n });
  });

  test('is recognized by its text if neither has a bank reference', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    await recordEarlyReversal(transfers, charge, { reference: 'flat 7 rent' });
    expect(await recordLater(transfers, charge, { reference: 'another' })).toMatchObject({
      reason: 'missing_reference',
    });
    expect(await recordLater(transfers, charge, { reference: 'FLAT 7, rent' })).toMatchObject(reversed);
    expect(await recordLater(transfers, charge, { reference: 'flat 7 rent' })).toMatchObject({
      reason: 'missing_reference',
    });
  });

  test('is reversed on the report of another source as soon as both are known to be one payment', async ({
    transfers,
  }) => {
    const charge = await transfers.newCharge();
    const feedReport = await recordLater(transfers, charge, { source: 'feed', bankReference: 'F1' });
    expect(feedReport).toMatchObject({ status: 'matched' });
    const reversal = await recordEarlyReversal(transfers, charge, {
      ...toReferences('S1'),
      reference: 'recall',
    });
    expect(await recordLater(transfers, charge, { bankReference: 'S1' })).toMatchObject({
      status: 'duplicate',
    });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await transfers.reloadTransfer(feedReport.transferId)).toMatchObject(reversed);
    expect(await transfers.reloadTransfer(reversal)).toMatchObject({
      status: 'outgoing',
      reversalOfId: feedReport.transferId,
    });
  });
});

describe('Credit that was not reversed', () => {
  test.for([
    ['a day after the reversal', { paidAt: new Date('2026-11-18T00:00:00Z'), isPaidAtDateOnly: true }],
    ['a minute after the reversal, when the bank reports the time', { paidAt: minutesAfter(noon, 1) }],
  ] as const)('stays matched if it was paid %s', async ([_when, payment], { transfers }) => {
    const charge = await transfers.newCharge();
    await recordEarlyReversal(transfers, charge);
    expect(await recordLater(transfers, charge, payment)).not.toMatchObject(reversed);
  });

  test('stays matched if a user has resolved the reversal', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const transferId = await recordEarlyReversal(transfers, charge);
    await transfers.returnToPayer(transferId);
    expect(await recordLater(transfers, charge)).toMatchObject({ status: 'matched' });
  });
});

describe('Statement file that lists the newest lines first', () => {
  test('completes no charge with a credit that was reversed', async ({ transfers, service, merchant }) => {
    const charge = await transfers.newCharge();
    const { paymentReference: reference } = charge;
    const content = `Date,Credit,Debit,Text\n2026-11-17,-128.50,,${reference}\n2026-11-17,128.50,,${reference}\n`;
    const columns = {
      amountFormat: 'separate_columns',
      creditColumn: 'Credit',
      debitColumn: 'Debit',
    } as const;
    const mapping = csvMapping({ referenceColumns: ['Text'], ...columns });
    const { receivingAccountId } = charge;
    const file = await importFile(service, merchant, { content, receivingAccountId, mapping, now: later });
    expect(getNonZeroCounts(file)).toEqual({ exception: 2 });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
    const lines = { where: { statementId: file.id }, orderBy: { id: 'asc' as const } };
    const [reversal, credit] = await service.prisma.transfer.findMany(lines);
    expect(credit).toMatchObject({ ...reversed, allocated: 12_850n });
    expect(reversal).toMatchObject({ status: 'outgoing', reason: null, reversalOfId: credit!.id });
    expect(await transfers.getEventTypes(credit!.id)).toEqual(['transfer_exception']);
  });

  test('resolves a possible duplicate reversal when it also lists the credit', async ({ transfers }) => {
    const charge = await transfers.newCharge();
    const otherCharge = { fileKind: 'camt.054', bankReference: 'other', reference: 'recall' };
    await recordEarlyReversal(transfers, await transfers.newCharge(), otherCharge);
    await recordLater(transfers, charge, { source: 'feed', bankReference: 'F2' });
    const reversal = await recordEarlyReversal(
      transfers,
      charge,
      { ...toReferences('S2'), reference: 'recall' },
      'possible_duplicate',
    );
    expect(await recordLater(transfers, charge, { bankReference: 'S2' })).toMatchObject({
      status: 'duplicate',
    });
    expect(await transfers.reload(charge)).toMatchObject({ amountReceived: 0n });
    expect(await transfers.reloadTransfer(reversal)).toMatchObject({ status: 'outgoing', reason: null });
  });
});

describe('Reversal', () => {
  test.for([
    ['FPS/zebu 234-56y thanks', 'ZEBU23456Y'],
    ['ＺＥＢＵ　２３４５６Ｙ', 'reversal of ZEBU23456Y'],
    ['房租 11月', '房租11月'],
    ['Café, flat 7', 'CAFÉ FLAT 7'],
  ] as const)(
    'of a credit with the text "%s" is found by the text "%s"',
    async ([text, reversalText], { transfers, service, merchant }) => {
      const { receivingAccountId } = await transfers.newCharge();
      const input = transferInput({ reference: text });
      const { transferId } = await recordOne(service, merchant, { receivingAccountId, input });
      const reversalInput = transferInput({ reference: reversalText });
      const reversed = await reverseOne(service, merchant, {
        receivingAccountId,
        input: reversalInput,
        now: later,
      });
      expect(await transfers.reloadTransfer(reversed.transferId)).toMatchObject({ reversalOfId: transferId });
    },
  );

  test('reads many equal credits a page at a time until the reversed one', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const { id } = await seedOldest(service, 2_500, charge);
    let rowsMax = 0;
    const prisma = service.prisma.$extends({
      query: {
        async $allOperations({ args, query }) {
          const result = await query(args);
          if (Array.isArray(result)) rowsMax = Math.max(rowsMax, result.length);
          return result;
        },
      },
    });
    const countingService = { ...service, prisma: prisma as unknown as typeof service.prisma };
    const input = transferInput({ reference: 'the oldest', bankReference: 'reversal:old' });
    const { receivingAccountId } = charge;
    const reversal = await reverseOne(countingService, merchant, { receivingAccountId, input, now: later });
    expect(reversal.status).toBe('outgoing');
    expect(await transfers.reloadTransfer(reversal.transferId)).toMatchObject({ reversalOfId: id });
    expect(rowsMax).toBeLessThanOrEqual(1_000);
    // The inserted credits have no events, which the invariants require.
    await service.prisma.transfer.deleteMany({ where: { receivingAccountId, status: 'exception' } });
  });

  /** Unmatched credits of HKD 50.00 on the account of the charge, an hour apart; the oldest has another text. */
  async function seedOldest(service: Service, total: number, charge: Charge) {
    await service.pool.query(
      `INSERT INTO transfer (id, merchant_id, mode, receiving_account_id, source, bank_reference, fingerprint, direction,
       amount, currency, reference, paid_at, status, reason, version, created_at, updated_at)
     SELECT 'tr_many' || lpad(n::text, 6, '0'), $1, 'live', $2, 'manual', 'many' || n, 'x', 'credit', 5000, 'HKD',
       CASE WHEN n = $4 THEN 'the oldest' ELSE '你好' END, $3::timestamptz - n * interval '1 hour', 'exception',
       'missing_reference', 1, $3, $3 FROM generate_series(1, $4::int) n`,
      [charge.merchantId, charge.receivingAccountId, noon, total],
    );
    return service.prisma.transfer.findFirstOrThrow({ where: { reference: 'the oldest' } });
  }
});
