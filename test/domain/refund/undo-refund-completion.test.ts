import { expect } from 'vitest';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { undoRefundCompletion } from '../../../src/domain/payments/refund/undo-refund-completion.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { payOut, seedPayableRefund } from '../../setup/payouts.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

test('a refund that was marked as paid is ready to be paid again, once', async ({ service, merchant }) => {
  const { id } = await seedPayableRefund(service, merchant);
  const options = {
    merchantId: merchant.merchant.id,
    mode: 'live',
    id,
    actor: 'user:usr_1',
    now: noon,
  } as const;
  await expect(undoRefundCompletion(service, options)).rejects.toMatchObject({
    code: 'refund_not_processing',
    message: expect.stringContaining('it has the status "processing"'),
  });
  await completeRefund(service, options);
  const { refund } = await undoRefundCompletion(service, options);
  expect(refund).toMatchObject({ status: 'processing', completedAt: null, completionUndoneAt: noon });
  expect(refund.detailsEncrypted).not.toBeNull();
  expect(await service.prisma.refundPayout.count({ where: { refundId: id } })).toBe(0);
  await expectInvariants(service);
  await completeRefund(service, options);
  await expect(undoRefundCompletion(service, options)).rejects.toThrow(/undone once before/);
  await expectInvariants(service);
});

test('a refund whose payout the bank reported stays completed', async ({ service, merchant }) => {
  const refund = await seedPayableRefund(service, merchant);
  await payOut(service, merchant, refund);
  const options = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:usr_1', now: noon } as const;
  await expect(undoRefundCompletion(service, { ...options, id: refund.id })).rejects.toThrow(
    /a transfer of the bank confirms/,
  );
  expect(await service.prisma.refundPayout.count({ where: { refundId: refund.id } })).toBe(1);
});

test('the reason and the note of a refund are stored, and an unknown reason is rejected', async ({
  service,
  merchant,
}) => {
  const charge = await seedCharge(service, merchant);
  await payCharge(service, merchant, charge, { now: noon });
  const options = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:usr_1', now: noon } as const;
  const create = (input: object) =>
    createRefund(service, { ...options, input: { chargeId: charge.id, customerAmount: 1, ...input } });
  const { refund } = await create({ reason: 'duplicate', note: 'Called on Monday' });
  expect(refund).toMatchObject({ reason: 'duplicate', note: 'Called on Monday' });
  expect((await create({})).refund).toMatchObject({ reason: null, note: null });
  await expect(create({ reason: 'because' })).rejects.toThrow(/must be one of requested_by_customer, /);
});
