import { afterEach, describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { TransferInput } from '../../../src/domain/money-in/transfer/draft-transfer.ts';
import type { TransferResult } from '../../../src/domain/money-in/transfer/record-batch.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/return-transfer.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { getNonZeroCounts, importFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { setupTransfers } from '../../setup/setup-transfers.ts';
import { csvMapping } from '../../setup/statement-files.ts';
import { recordOne, reverseOne, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Reversals that are told of before what they take back: many files list the newest first. */

const { service, merchant, owner, newCharge, reload, reloadTransfer, getEventTypes } =
  await setupTransfers(onCleanup);
const later = minutesAfter(noon, 90);

afterEach(() => expectInvariants(service));

const inputOf = (charge: Charge, changes: Partial<TransferInput>) =>
  transferInput({
    money: { minor: 12_850n, currency: 'HKD' },
    reference: charge.paymentReference,
    ...changes,
  });

function pay(charge: Charge, changes: Partial<TransferInput> = {}): Promise<TransferResult> {
  const { receivingAccountId } = charge;
  return recordOne(service, merchant, { receivingAccountId, input: inputOf(charge, changes), now: later });
}

/** Of a credit that is not known yet. */
async function reverse(
  charge: Charge,
  changes: Partial<TransferInput> = {},
  reason = 'unknown_reversal',
): Promise<string> {
  const { receivingAccountId } = charge;
  const input = inputOf(charge, changes);
  const told = await reverseOne(service, merchant, { receivingAccountId, input, now: later });
  expect(told).toMatchObject({ status: 'exception', reason });
  return told.transferId;
}

const naming = (reference: string) => ({
  bankReference: `reversal:${reference}`,
  reversedReference: reference,
});
const gone = { status: 'exception', reason: 'reversed' };

describe('a credit of which the bank told after its reversal', () => {
  test('is known by the bank reference that the reversal names', async () => {
    const charge = await newCharge();
    const reversal = await reverse(charge, { ...naming('R1'), reference: 'recall' });
    expect(await pay(charge, { bankReference: 'R0' })).toMatchObject({ status: 'matched' });
    const credit = await pay(charge, { bankReference: 'R1' });
    expect(credit).toMatchObject(gone);
    expect(await reloadTransfer(reversal)).toMatchObject({ reversalOfId: credit.transferId });
    expect(await reload(charge)).toMatchObject({ status: 'completed', amountReceived: 12_850n });
  });

  test('is known by its words where neither has a reference', async () => {
    const charge = await newCharge();
    await reverse(charge, { reference: 'flat 7 rent' });
    expect(await pay(charge, { reference: 'another' })).toMatchObject({ reason: 'missing_reference' });
    expect(await pay(charge, { reference: 'FLAT 7, rent' })).toMatchObject(gone);
    expect(await pay(charge, { reference: 'flat 7 rent' })).toMatchObject({ reason: 'missing_reference' });
  });

  test('is taken back from what another source told of, once the two are known to be one', async () => {
    const charge = await newCharge();
    const fed = await pay(charge, { source: 'feed', bankReference: 'F1' });
    expect(fed).toMatchObject({ status: 'matched' });
    const reversal = await reverse(charge, { ...naming('S1'), reference: 'recall' });
    expect(await pay(charge, { bankReference: 'S1' })).toMatchObject({ status: 'duplicate' });
    expect(await reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await reloadTransfer(fed.transferId)).toMatchObject(gone);
    expect(await reloadTransfer(reversal)).toMatchObject({
      status: 'outgoing',
      reversalOfId: fed.transferId,
    });
  });
});

describe('a credit is not what was taken back', () => {
  test.each([
    ['on a day after that', { paidAt: new Date('2026-11-18T00:00:00Z'), paidAtIsDate: true }],
    ['a minute after that, where the bank tells the time', { paidAt: minutesAfter(noon, 1) }],
  ])('when it was paid %s', async (_when, payment) => {
    const charge = await newCharge();
    await reverse(charge);
    expect(await pay(charge, payment)).not.toMatchObject(gone);
  });

  test('when somebody has put the reversal aside', async () => {
    const charge = await newCharge();
    const transferId = await reverse(charge);
    const audit = { actor: 'user:usr_1', now: later };
    await returnTransfer(service, { ...owner, input: { transferId }, audit, now: later });
    expect(await pay(charge)).toMatchObject({ status: 'matched' });
  });
});

describe('a file that lists the newest first', () => {
  test('completes no charge with money that has gone again', async () => {
    const charge = await newCharge();
    const word = charge.paymentReference;
    const content = `Date,Credit,Debit,Text\n2026-11-17,-128.50,,${word}\n2026-11-17,128.50,,${word}\n`;
    const columns = {
      amountFormat: 'separate_columns',
      creditColumn: 'Credit',
      debitColumn: 'Debit',
    } as const;
    const mapping = csvMapping({ referenceColumns: ['Text'], ...columns });
    const { receivingAccountId } = charge;
    const file = await importFile(service, merchant, { content, receivingAccountId, mapping, now: later });
    expect(getNonZeroCounts(file)).toEqual({ exception: 2 });
    expect(await reload(charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
    const lines = { where: { statementId: file.id }, orderBy: { id: 'asc' as const } };
    const [reversal, credit] = await service.prisma.transfer.findMany(lines);
    expect(credit).toMatchObject({ ...gone, allocated: 12_850n });
    expect(reversal).toMatchObject({ status: 'outgoing', reason: null, reversalOfId: credit!.id });
    expect(await getEventTypes(credit!.id)).toEqual(['transfer_exception']);
  });

  test('tells of a reversal that another file may have told of, and then of its credit', async () => {
    const charge = await newCharge();
    await pay(charge, { source: 'feed', bankReference: 'F2' });
    const told = await reverse(charge, { ...naming('S2'), reference: 'recall' }, 'possible_duplicate');
    expect(await pay(charge, { bankReference: 'S2' })).toMatchObject({ status: 'duplicate' });
    expect(await reload(charge)).toMatchObject({ amountReceived: 0n });
    expect(await reloadTransfer(told)).toMatchObject({ status: 'outgoing', reason: null });
  });
});
