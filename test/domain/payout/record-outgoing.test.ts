import { beforeAll, describe, expect, test } from 'vitest';
import type { Refund } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { findReturnedPayout } from '../../../src/domain/payments/refund/find-returned-payout.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { payeeAccount, payOut, returnPayout, reverseReturn, seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
});

const owner = () => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  actor: 'user:ada',
  now: noon,
});
const read = (refund: Refund) =>
  service.prisma.refund.findUniqueOrThrow({ where: { id: refund.id }, include: { payouts: true } });
const completions = (refund: Refund) =>
  service.prisma.event.findMany({ where: { objectId: refund.id, type: 'refund_completed' } });
const complete = (refund: Refund) => completeRefund(service, { ...owner(), id: refund.id });
const reopen = (refund: Refund) =>
  reopenRefund(service, { ...owner(), id: refund.id, reason: 'It came back.' });

describe('an outgoing transfer', () => {
  test('completes the refund whose word it carries, however the bank wrote it', async () => {
    const refund = await seedPayableRefund(service, merchant);
    const word = refund.payoutReference;
    const reference = `refund: ${word.slice(0, 5).toLowerCase()}-${word.slice(5, 7)} ${word.slice(7)}/Ada`;
    const result = await payOut(service, merchant, refund, { reference });
    expect(result).toEqual({
      status: 'outgoing',
      transferId: expect.stringMatching(/^tr_/),
      refundId: refund.id,
    });
    const paid = await read(refund);
    expect(paid.status).toBe('completed');
    expect(paid.payouts).toMatchObject([{ transferId: result.transferId, actor: 'bank', amount: 2050n }]);
    expect(await completions(refund)).toMatchObject([{ actor: 'bank' }]);
    const transfer = await service.prisma.transfer.findUniqueOrThrow({ where: { id: result.transferId } });
    expect(transfer).toMatchObject({ direction: 'debit', status: 'outgoing', reason: null, allocated: 0n });
  });

  test('told of again, also by another source, changes nothing', async () => {
    const refund = await seedPayableRefund(service, merchant);
    const first = await payOut(service, merchant, refund);
    const duplicate = { status: 'duplicate', transferId: first.transferId };
    expect(await payOut(service, merchant, refund)).toEqual(duplicate);
    const ofFeed = await payOut(service, merchant, refund, { id: `feed-${refund.id}`, source: 'feed' });
    expect(ofFeed).toMatchObject({ status: 'duplicate' });
    expect(await completions(refund)).toHaveLength(1);
  });

  test.each([
    ['another amount', { amount: '20.51' }, 'payout_amount_mismatch'],
    ['another currency', { currency: 'USD' }, 'payout_amount_mismatch'],
    ['no word', { reference: 'Rent for November' }, 'unknown_payout'],
    ['a word of nobody', { reference: 'PANDA2345' }, 'unknown_payout'],
  ])('with %s stays money that went out, and says why', async (_name, line, reason) => {
    const refund = await seedPayableRefund(service, merchant);
    const result = await payOut(service, merchant, refund, { id: `odd-${refund.id}`, ...line });
    expect(result).toMatchObject({ status: 'outgoing', reason });
    expect((await read(refund)).status).toBe('processing');
  });

  test('with the words of two refunds pays neither by itself', async () => {
    const [one, two] = [
      await seedPayableRefund(service, merchant),
      await seedPayableRefund(service, merchant),
    ];
    const reference = `${one.payoutReference} ${two.payoutReference}`;
    const result = await payOut(service, merchant, one, { reference, amount: '41' });
    expect(result.reason).toBe('multiple_refunds');
  });

  test('for a refund that was confirmed by hand is put to its payout; the next one is a second payment', async () => {
    const refund = await seedPayableRefund(service, merchant);
    await complete(refund);
    const first = await payOut(service, merchant, refund, { paidAt: minutesAfter(noon, 30) });
    expect(first.refundId).toBe(refund.id);
    const second = await payOut(service, merchant, refund, { id: `twice-${refund.id}` });
    expect(second).toMatchObject({ status: 'outgoing', reason: 'payout_repeated' });
    expect((await read(refund)).payouts).toMatchObject([
      { transferId: first.transferId, actor: 'user:ada', paidAt: minutesAfter(noon, 30) },
    ]);
    expect(await completions(refund)).toHaveLength(1);
  });

  test('with the word from before the refund was reopened does not complete it', async () => {
    const refund = await seedPayableRefund(service, merchant);
    const { refund: reopened } = await reopen(refund);
    expect(reopened.payoutReference).not.toBe(refund.payoutReference);
    await submitRefundDetails(service, { ...owner(), id: refund.id, details: payeeAccount });
    expect(await payOut(service, merchant, refund)).toMatchObject({ reason: 'payout_superseded' });
    expect((await read(refund)).status).toBe('processing');
  });

  test('confirmed by hand at the same moment completes the refund once', async () => {
    for (let round = 0; round < count(8, 1_000); round++) {
      const refund = await seedPayableRefund(service, merchant);
      const byHand = doneOrCode(complete(refund));
      const [line, hand] = await Promise.all([payOut(service, merchant, refund), byHand]);
      expect(line.refundId).toBe(refund.id);
      expect(['done', 'refund_not_processing']).toContain(hand);
      expect(await completions(refund)).toHaveLength(1);
      expect((await read(refund)).payouts).toMatchObject([{ transferId: line.transferId }]);
    }
  });
});

describe('a payout that came back', () => {
  test('reopens a completed refund only with the line of the bank', async () => {
    const refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund);
    await expect(reopen(refund)).rejects.toMatchObject({ code: 'refund_not_processing' });
    const back = await returnPayout(service, merchant, refund);
    expect(back).toMatchObject({ status: 'exception', reason: 'returned_payment' });
    expect((await read(refund)).status).toBe('completed');

    const { refund: reopened } = await reopen(refund);
    expect(reopened).toMatchObject({ status: 'initiated', completedAt: null, detailsEncrypted: null });
    expect((await read(refund)).payouts).toMatchObject([{ returnedTransferId: back.transferId }]);
    const transfer = await service.prisma.transfer.findUniqueOrThrow({
      where: { id: back.transferId },
      include: { allocations: true },
    });
    expect(transfer).toMatchObject({ status: 'matched', allocations: [{ refundId: refund.id }] });

    await submitRefundDetails(service, { ...owner(), id: refund.id, details: payeeAccount });
    await payOut(service, merchant, reopened);
    expect(await read(refund)).toMatchObject({ status: 'completed', payouts: [{}, {}] });
    await expect(reopen(refund)).rejects.toMatchObject({ code: 'refund_not_processing' });
  });

  test('and was told of twice by one bank reopens its refund once: what is left says nothing of the next payout', async () => {
    const refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund);
    const back = await returnPayout(service, merchant, refund);
    const left = await returnPayout(service, merchant, refund, { id: `left-${refund.id}` });
    expect(left).toMatchObject({ status: 'exception', reason: 'returned_payment' });
    const { refund: reopened } = await reopen(refund);
    const { refund: again } = await submitRefundDetails(service, {
      ...owner(),
      id: refund.id,
      details: payeeAccount,
    });
    expect(await findReturnedPayout(service.prisma, again)).toBeUndefined();
    const paid = await payOut(service, merchant, reopened);
    expect(await findReturnedPayout(service.prisma, await read(refund))).toBeUndefined();
    await expect(reopen(refund)).rejects.toMatchObject({ code: 'refund_not_processing' });
    expect(await read(refund)).toMatchObject({
      status: 'completed',
      payouts: [
        { reference: refund.payoutReference, returnedTransferId: back.transferId },
        { reference: reopened.payoutReference, transferId: paid.transferId, returnedTransferId: null },
      ],
    });
  });

  test('with the word of a payout that was given up before its line was seen is put to its refund', async () => {
    const refund = await seedPayableRefund(service, merchant);
    await reopen(refund);
    await submitRefundDetails(service, { ...owner(), id: refund.id, details: payeeAccount });
    const back = await returnPayout(service, merchant, refund);
    await reopen(refund);
    const transfer = await service.prisma.transfer.findUniqueOrThrow({
      where: { id: back.transferId },
      include: { allocations: true },
    });
    expect(transfer).toMatchObject({ status: 'matched', allocations: [{ refundId: refund.id }] });
  });

  test('and is gone again after it reopened its refund is for a person to decide', async () => {
    const refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund);
    const { transferId } = await returnPayout(service, merchant, refund);
    await reopen(refund);
    expect(await reverseReturn(service, merchant, refund)).toMatchObject({ status: 'outgoing' });
    const transfer = await service.prisma.transfer.findUniqueOrThrow({ where: { id: transferId } });
    expect(transfer).toMatchObject({ status: 'exception', reason: 'reversed' });
    expect((await read(refund)).status).toBe('initiated');
  });

  test('of another amount reopens nothing', async () => {
    const refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund);
    await returnPayout(service, merchant, refund, { amount: '20.49' });
    await expect(reopen(refund)).rejects.toMatchObject({ code: 'refund_not_processing' });
  });
});

test('all promises still hold', async () => {
  await expectInvariants(service);
});
