import { afterEach, describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/assign-transfer.ts';
import type { TransferInput } from '../../../src/domain/money-in/transfer/draft-transfer.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/return-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { setupTransfers } from '../../setup/setup-transfers.ts';
import { recordOne, reverseOne, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

const { service, merchant, owner, newCharge, reload, reloadTransfer, getEventTypes } =
  await setupTransfers(onCleanup);

afterEach(() => expectInvariants(service));

const later = minutesAfter(noon, 90);

function pay(charge: Charge, minor: bigint, changes: Partial<TransferInput> = {}) {
  const input = transferInput({
    money: { minor, currency: 'HKD' },
    reference: charge.paymentReference,
    ...changes,
  });
  return recordOne(service, merchant, { receivingAccountId: charge.receivingAccountId, input });
}

function reverse(charge: Charge, minor: bigint, changes: Partial<TransferInput> = {}) {
  const input = transferInput({
    money: { minor, currency: 'HKD' },
    reference: charge.paymentReference,
    ...changes,
  });
  const { receivingAccountId } = charge;
  return reverseOne(service, merchant, { receivingAccountId, input, now: later });
}

describe('a credit that the bank takes back', () => {
  test('never un-completes its charge: less is received, and the exception tells', async () => {
    const charge = await newCharge();
    const paid = await pay(charge, 12_850n);
    const line = { bankReference: 'R-1' };
    expect(await reverse(charge, 12_850n, line)).toMatchObject({ status: 'outgoing' });
    expect(await reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await reloadTransfer(paid.transferId)).toMatchObject({ status: 'exception', reason: 'reversed' });
    expect(await getEventTypes(paid.transferId)).toEqual(['transfer_exception']);
    expect(await reverse(charge, 12_850n, line)).toMatchObject({ status: 'duplicate' });
    const audit = { actor: 'user:usr_1', now: later };
    const input = { transferId: paid.transferId };
    const seen = await returnTransfer(service, { ...owner, input, audit, now: later });
    expect(seen).toMatchObject({ status: 'returned' });
  });

  test('is told of also where only a part of it had counted', async () => {
    const charge = await newCharge();
    const paid = await pay(charge, 20_000n, { reference: 'no word', bankReference: 'P-1' });
    const assignment = { transferId: paid.transferId, parts: [{ chargeId: charge.id, amount: 128.5 }] };
    const audit = { actor: 'user:usr_1', now: later };
    await assignTransfer(service, { ...owner, merchant: merchant.merchant, assignment, audit, now: later });
    await reverse(charge, 20_000n, { reference: 'no word', reversedReference: 'P-1' });
    expect(await reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await reloadTransfer(paid.transferId)).toMatchObject({ status: 'exception', reason: 'reversed' });
    expect(await getEventTypes(paid.transferId)).toEqual(['transfer_exception', 'transfer_exception']);
  });

  test('that was a part payment is missing again', async () => {
    const charge = await newCharge();
    await pay(charge, 10_000n);
    await reverse(charge, 10_000n);
    expect(await reload(charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
    expect(await pay(charge, 12_850n)).toMatchObject({ status: 'matched' });
  });

  test('is found by the reference that the bank names, before any words', async () => {
    const charge = await newCharge();
    const words = { reference: 'rent' };
    const first = await pay(charge, 500n, { ...words, bankReference: 'C-1' });
    const second = await pay(charge, 500n, { ...words, bankReference: 'C-2' });
    await reverse(charge, 500n, { ...words, reversedReference: 'C-1' });
    expect(await reloadTransfer(first.transferId)).toMatchObject({ status: 'returned' });
    expect(await reloadTransfer(second.transferId)).toMatchObject({ status: 'exception' });
  });

  test('but was never told of is an exception of its own, seen by a person', async () => {
    const charge = await newCharge();
    const unknown = await reverse(charge, 4_321n);
    expect(unknown).toMatchObject({ status: 'exception', reason: 'unknown_reversal' });
    const audit = { actor: 'user:usr_1', now: later };
    const input = { transferId: unknown.transferId };
    expect(await returnTransfer(service, { ...owner, input, audit, now: later })).toMatchObject({
      status: 'outgoing',
      allocated: 0n,
    });
  });
});

describe('money that somebody decides about at the same moment', () => {
  const audit = { actor: 'user:usr_1', now: later };
  const deciding = { ...owner, audit, now: later };

  test('is taken back by the bank from what it counts for by then', async () => {
    const charge = await newCharge();
    const paid = await pay(charge, 12_850n, { reference: 'no word', bankReference: 'B-1' });
    const assignment = { transferId: paid.transferId, parts: [{ chargeId: charge.id }] };
    const [reversal] = await concurrently(
      service,
      (uow) => assignTransfer(uow, { ...deciding, merchant: merchant.merchant, assignment }),
      () => reverse(charge, 12_850n, { reversedReference: 'B-1' }),
    );
    expect(reversal).toMatchObject({ status: 'outgoing' });
    expect(await reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await reloadTransfer(paid.transferId)).toMatchObject({ status: 'exception', reason: 'reversed' });
  });

  test('ends with its charge all the same', async () => {
    const charge = await newCharge();
    const { transferId } = await pay(charge, 20_000n, { reference: 'no word' });
    const parts = [{ chargeId: charge.id, amount: 100 }];
    await assignTransfer(service, {
      ...deciding,
      merchant: merchant.merchant,
      assignment: { transferId, parts },
    });
    const [cancelled] = await concurrently(
      service,
      (uow) => returnTransfer(uow, { ...deciding, input: { transferId, amount: 50 } }),
      () => cancelCharge(service, { ...deciding, id: charge.id, by: 'merchant', actor: audit.actor }),
    );
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    expect(await reloadTransfer(transferId)).toMatchObject({ status: 'exception', allocated: 5_000n });
  });

  test('counts no more with money that is learned of late', async () => {
    const charge = await newCharge();
    const { transferId } = await pay(charge, 5_000n);
    await expireCharges(service, { now: minutesAfter(noon, 1_000) });
    const [late] = await concurrently(
      service,
      (uow) => returnTransfer(uow, { ...deciding, input: { transferId } }),
      () => pay(charge, 7_850n),
    );
    expect(late).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    expect(await reloadTransfer(transferId)).toMatchObject({ status: 'returned' });
  });
});
