import { afterEach, describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { recordOutgoing } from '../../../src/domain/money-in/outgoing/record-outgoing.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/assign-transfer.ts';
import type { TransferInput } from '../../../src/domain/money-in/transfer/draft-transfer.ts';
import { pairTransfer } from '../../../src/domain/money-in/transfer/pair-transfer.ts';
import type { TransferResult } from '../../../src/domain/money-in/transfer/record-batch.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { setupTransfers } from '../../setup/setup-transfers.ts';
import { recordOne, reverseOne, toRecordingContext, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Reversals that several kinds of file tell of, each under references of its own. */

const { service, merchant, owner, newCharge, reload, reloadTransfer } = await setupTransfers(onCleanup);
const later = minutesAfter(noon, 90);
const audit = { actor: 'user:usr_1', now: later };

afterEach(() => expectInvariants(service));

/** HKD 128.50 under the word of the charge. */
const paymentOf = (charge: Charge, changes: Partial<TransferInput>) =>
  transferInput({
    money: { minor: 12_850n, currency: 'HKD' },
    content: '12850 HKD',
    reference: charge.paymentReference,
    ...changes,
  });

const [interim, final] = [{ fileKind: 'camt.054' }, { fileKind: 'mt940' }];

function pay(charge: Charge, changes: Partial<TransferInput>): Promise<TransferResult> {
  const { receivingAccountId } = charge;
  return recordOne(service, merchant, { receivingAccountId, input: paymentOf(charge, changes) });
}

function reverse(charge: Charge, reversedReference: string, changes: Partial<TransferInput>) {
  const input = paymentOf(charge, {
    reversedReference,
    bankReference: `reversal:${reversedReference}`,
    ...changes,
  });
  const { receivingAccountId } = charge;
  return reverseOne(service, merchant, { receivingAccountId, input, now: later });
}

async function assign({ transferId }: TransferResult, charge: Charge): Promise<void> {
  const assignment = { transferId, parts: [{ chargeId: charge.id }] };
  await assignTransfer(service, { ...owner, merchant: merchant.merchant, assignment, audit, now: later });
}

const pair = (transferId: string, duplicateOfId: string) =>
  pairTransfer(service, { ...owner, input: { transferId, duplicateOfId }, audit, now: later });

const receivedOf = async (...charges: Charge[]) =>
  (await Promise.all(charges.map(reload))).map(({ amountReceived }) => amountReceived);

describe('a reversal that two kinds of file tell of', () => {
  test('takes one payment back, where the customer had paid twice', async () => {
    const charge = await newCharge();
    const first = await pay(charge, { ...interim, bankReference: 'C-1' });
    const second = await pay(charge, { ...interim, bankReference: 'C-2' });
    for (const bankReference of ['M-1', 'M-2'])
      expect(await pay(charge, { ...final, bankReference })).toMatchObject({ status: 'duplicate' });
    const told = await reverse(charge, 'C-1', interim);
    expect(told.status).toBe('outgoing');
    const again = await reverse(charge, 'M-1', final);
    expect(again.status).toBe('duplicate');
    expect(await reloadTransfer(again.transferId)).toMatchObject({ duplicateOfId: told.transferId });
    expect(await reloadTransfer(first.transferId)).toMatchObject({ reason: 'reversed' });
    expect(await reloadTransfer(second.transferId)).toMatchObject({
      reason: 'charge_completed',
      allocated: 0n,
    });
    // The other one is taken back too, and each file tells of that once.
    expect((await reverse(charge, 'M-2', final)).status).toBe('outgoing');
    expect((await reverse(charge, 'C-2', interim)).status).toBe('duplicate');
    expect(await reloadTransfer(second.transferId)).toMatchObject({ status: 'returned' });
  });

  test('is known by the credit where only one of the two says its word', async () => {
    const charge = await newCharge();
    await pay(charge, { ...interim, bankReference: 'D-1' });
    const second = await pay(charge, { ...interim, bankReference: 'D-2' });
    expect((await reverse(charge, 'D-1', { ...interim, reference: 'recall' })).status).toBe('outgoing');
    expect((await reverse(charge, 'N-1', final)).status).toBe('duplicate');
    expect(await reloadTransfer(second.transferId)).toMatchObject({ allocated: 0n });
  });

  test('takes nothing from another customer who paid with the same words', async () => {
    const [one, other] = [await newCharge(), await newCharge()];
    const rent = { ...interim, reference: 'rent' };
    await assign(await pay(one, { ...rent, bankReference: 'W-1' }), one);
    await assign(await pay(other, { ...rent, bankReference: 'W-2' }), other);
    const told = await reverse(one, 'W-1', rent);
    expect(await receivedOf(one, other)).toEqual([0n, 12_850n]);
    const again = await reverse(one, 'MW-1', { ...final, reference: 'rent' });
    expect(again).toMatchObject({ status: 'exception', reason: 'possible_duplicate' });
    expect(await receivedOf(one, other)).toEqual([0n, 12_850n]);
    const paired = await pair(again.transferId, told.transferId);
    expect(paired).toMatchObject({ status: 'duplicate', duplicateOfId: told.transferId });
  });

  test('is known without a word by the bank reference of a credit that a person paired', async () => {
    const [one, other] = [await newCharge(), await newCharge()];
    const rent = { ...interim, reference: 'flat rent' };
    const first = await pay(one, { ...rent, bankReference: 'P-1' });
    await assign(first, one);
    const twin = await pay(one, { ...final, reference: 'flat rent', bankReference: 'Q-1' });
    await pair(twin.transferId, first.transferId);
    await assign(await pay(other, { ...rent, bankReference: 'P-2' }), other);
    // Told first by the file whose line of the credit is a duplicate.
    const told = await reverse(one, 'Q-1', { ...final, reference: 'recall' });
    expect(told.status).toBe('outgoing');
    expect(await receivedOf(one, other)).toEqual([0n, 12_850n]);
    expect((await reverse(one, 'P-1', rent)).status).toBe('duplicate');
    expect(await receivedOf(one, other)).toEqual([0n, 12_850n]);
  });

  test('is no payment that went out, though amount and word are equal', async () => {
    const charge = await newCharge();
    await pay(charge, { ...interim, bankReference: 'O-1' });
    const recording = await toRecordingContext(service, merchant, { ...charge, now: later });
    await recordOutgoing(service, recording, [paymentOf(charge, { ...final, reference: '' })]);
    await recordOutgoing(service, recording, [paymentOf(charge, { source: 'feed' })]);
    expect((await reverse(charge, 'O-1', interim)).status).toBe('outgoing');
    expect(await receivedOf(charge)).toEqual([0n]);
  });

  test('comes under a reference that the bank has used for another one before', async () => {
    const [one, other] = [await newCharge(), await newCharge()];
    for (const charge of [one, other]) await pay(charge, { ...interim, bankReference: `U-${charge.id}` });
    expect((await reverse(one, 'U', interim)).status).toBe('outgoing');
    expect((await reverse(other, 'U', interim)).status).toBe('outgoing');
    expect((await reverse(other, 'U', interim)).status).toBe('duplicate');
    expect(await receivedOf(one, other)).toEqual([0n, 0n]);
  });
});
