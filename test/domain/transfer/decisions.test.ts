import { afterEach, describe, expect, test } from 'vitest';
import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import { type Assignment, assignTransfer } from '../../../src/domain/money-in/transfer/assign-transfer.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/return-transfer.ts';
import { unassignTransfer } from '../../../src/domain/money-in/transfer/unassign-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupTransfers } from '../../setup/setup-transfers.ts';
import { recordOne, seedUnmatchedTransfer, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

const { service, merchant, owner, newCharge, reload, reloadTransfer, getEventTypes } =
  await setupTransfers(onCleanup);

afterEach(() => expectInvariants(service));

const later = minutesAfter(noon, 90);
const deciding = () => ({
  ...owner,
  merchant: merchant.merchant,
  audit: { actor: 'user:usr_1', address: '127.0.0.1', now: later },
  now: later,
});

const exception = (charge: Charge, minor: bigint) =>
  seedUnmatchedTransfer(service, merchant, { charge, minor });
const assign = (transfer: Transfer, ...parts: Assignment['parts'][number][]) =>
  assignTransfer(service, { ...deciding(), assignment: { transferId: transfer.id, parts } });

describe('an exception that is assigned', () => {
  test('completes a pending charge, and notifies as usual', async () => {
    const charge = await newCharge();
    const { transfer, charges } = await assign(await exception(charge, 12_850n), { chargeId: charge.id });
    expect(transfer).toMatchObject({ status: 'matched', reason: null, allocated: 12_850n });
    expect(charges).toMatchObject([
      { status: 'completed', completedBy: 'transfer', amountReceived: 12_850n },
    ]);
    expect(await getEventTypes(charge.id)).toEqual(['charge_created', 'CHARGE_COMPLETE']);
  });

  test.each(['expired', 'cancelled'] as const)('completes a charge that is %s', async (status) => {
    const charge = await newCharge();
    if (status === 'expired') await expireCharges(service, { now: later });
    else await cancelCharge(service, { ...owner, id: charge.id, by: 'merchant', actor: 'test', now: later });
    const { charges } = await assign(await exception(charge, 12_850n), { chargeId: charge.id });
    expect(charges).toMatchObject([{ status: 'completed' }]);
    expect((await getEventTypes(charge.id)).at(-1)).toBe('CHARGE_COMPLETE');
  });

  test('of less than asked is a part payment, and completes when the merchant takes it in full', async () => {
    const [charge, other] = [await newCharge(), await newCharge()];
    const { transfer } = await assign(await exception(charge, 12_000n), { chargeId: charge.id });
    expect(transfer.status).toBe('partial');
    expect(await reload(charge)).toMatchObject({ status: 'pending', amountReceived: 12_000n });
    const short = await exception(other, 12_000n);
    const parts = [{ chargeId: other.id }];
    const taken = await assignTransfer(service, {
      ...deciding(),
      assignment: { transferId: short.id, parts, acceptShortfall: true, note: 'a regular' },
    });
    expect(taken).toMatchObject({
      transfer: { status: 'matched' },
      charges: [{ status: 'completed', amountReceived: 12_000n }],
    });
    const [allocation] = await service.prisma.allocation.findMany({ where: { transferId: short.id } });
    expect(allocation).toMatchObject({
      reason: 'shortfall_accepted',
      note: 'a regular',
      actor: 'user:usr_1',
      createdAt: later,
    });
  });

  test('to a paid charge is an excess that can be refunded', async () => {
    const charge = await newCharge();
    await assign(await exception(charge, 12_850n), { chargeId: charge.id });
    const { transfer } = await assign(await exception(charge, 5_000n), { chargeId: charge.id });
    expect(transfer.status).toBe('over');
    expect((await getEventTypes(charge.id)).at(-1)).toBe('charge_overpaid');
    const input = { chargeId: charge.id, customerAmount: 178.5 };
    const { refund } = await createRefund(service, { ...owner, actor: 'test', input, now: later });
    expect(refund.customerAmount).toBe(17_850n);
  });

  test('is split over several charges; what is left over stays an exception', async () => {
    const [one, two] = [await newCharge(), await newCharge()];
    const money = await exception(one, 30_000n);
    const parts = [
      { chargeId: one.id, amount: '128.50' },
      { chargeId: two.id, amount: 100 },
    ];
    const { transfer, charges } = await assign(money, ...parts);
    expect(transfer).toMatchObject({ status: 'exception', reason: 'missing_reference', allocated: 22_850n });
    expect(charges.map(({ status }) => status)).toEqual(['completed', 'pending']);
    const rest = await assign(transfer, { chargeId: two.id });
    expect(rest).toMatchObject({
      transfer: { status: 'over', allocated: 30_000n },
      charges: [{ status: 'completed', amountReceived: 17_150n }],
    });
  });

  test('is refused beyond what is open, in another currency, twice, and for others’ charges', async () => {
    const charge = await newCharge();
    const money = await exception(charge, 10_000n);
    expect(await doneOrCode(assign(money, { chargeId: charge.id, amount: 100.01 }))).toBe(
      'amount_out_of_range',
    );
    expect(await doneOrCode(assign(money, { chargeId: 'ch_none' }))).toBe('charge_not_found');
    expect(await doneOrCode(assign(money))).toBe('invalid_request');
    const twice = [{ chargeId: charge.id, amount: 1 }, { chargeId: charge.id }];
    expect(await doneOrCode(assign(money, ...twice))).toBe('invalid_request');
    const stranger = await seedMerchant(service);
    const theirs = { ...deciding(), merchantId: stranger.merchant.id, merchant: stranger.merchant };
    const assignment = { transferId: money.id, parts: [{ chargeId: charge.id }] };
    expect(await doneOrCode(assignTransfer(service, { ...theirs, assignment }))).toBe('charge_not_found');
    await assign(money, { chargeId: charge.id });
    expect(await doneOrCode(assign(money, { chargeId: charge.id }))).toBe('transfer_already_allocated');
    const input = transferInput({ money: { minor: 12_850n, currency: 'USD' } });
    const dollars = await recordOne(service, merchant, {
      receivingAccountId: charge.receivingAccountId,
      input,
    });
    expect(await doneOrCode(assign({ ...money, id: dollars.transferId }, { chargeId: charge.id }))).toBe(
      'currency_unsupported',
    );
  });

  test('by two people and a returning third at once counts once', async () => {
    const charges = [await newCharge(), await newCharge()];
    const money = await exception(charges[0] as Charge, 12_850n);
    const results = await Promise.allSettled([
      ...charges.map(({ id }) => assign(money, { chargeId: id })),
      returnTransfer(service, { ...deciding(), input: { transferId: money.id } }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'transfer_already_allocated' });
  });
});

describe('an exception that is sent back', () => {
  test('makes the record of it, in parts too, and can be corrected', async () => {
    const money = await exception(await newCharge(), 10_000n);
    const input = { transferId: money.id, amount: '40.00', note: 'by FPS' };
    expect(await returnTransfer(service, { ...deciding(), input })).toMatchObject({
      status: 'exception',
      reason: 'missing_reference',
      allocated: 4_000n,
    });
    const rest = { transferId: money.id };
    const tooMuch = { ...rest, amount: '60.01' };
    expect(await doneOrCode(returnTransfer(service, { ...deciding(), input: tooMuch }))).toBe(
      'amount_out_of_range',
    );
    expect(await returnTransfer(service, { ...deciding(), input: rest })).toMatchObject({
      status: 'returned',
      reason: null,
    });
    const corrected = await unassignTransfer(service, { ...deciding(), input: rest });
    expect(corrected).toMatchObject({ status: 'exception', reason: 'unassigned', allocated: 0n });
    const actions = await service.prisma.auditEntry.findMany({ where: { objectId: money.id } });
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'transfer.returned',
      'transfer.returned',
      'transfer.unassigned',
    ]);
  });
});

describe('an assignment that is corrected', () => {
  test('leaves a completed charge completed, with less received; the money is open again', async () => {
    const [wrong, right] = [await newCharge(), await newCharge()];
    const money = await exception(wrong, 12_850n);
    await assign(money, { chargeId: wrong.id });
    const input = { transferId: money.id, chargeId: wrong.id };
    expect(await unassignTransfer(service, { ...deciding(), input })).toMatchObject({
      status: 'exception',
      reason: 'unassigned',
    });
    expect(await reload(wrong)).toMatchObject({ status: 'completed', amountReceived: 0n });
    await assign(await reloadTransfer(money.id), { chargeId: right.id });
    expect(await reload(right)).toMatchObject({ status: 'completed' });
    const again = unassignTransfer(service, { ...deciding(), input });
    await expect(again).rejects.toMatchObject({ code: 'transfer_already_allocated' });
  });

  test('is refused where the charge has given the money back', async () => {
    const charge = await newCharge();
    const money = await exception(charge, 12_850n);
    await assign(money, { chargeId: charge.id });
    const input = { chargeId: charge.id, customerAmount: 1 };
    await createRefund(service, { ...owner, actor: 'test', input, now: later });
    const taking = unassignTransfer(service, {
      ...deciding(),
      input: { transferId: money.id, chargeId: charge.id },
    });
    await expect(taking).rejects.toMatchObject({ code: 'amount_exceeds_refundable' });
  });
});
