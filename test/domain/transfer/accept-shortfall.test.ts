import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { acceptShortfall } from '../../../src/domain/money-in/transfer/review/accept-shortfall.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { DomainError } from '../../../src/kit/errors.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { later, type TransferActions, transferTest as test } from '../../setup/transfer-test.ts';

const accept = (service: Service, transfers: TransferActions, { id }: Charge) =>
  acceptShortfall(service, { ...transfers.decision, id });

/** Records a part payment with the payment reference, in time. */
const payPart = (transfers: TransferActions, charge: Charge, minor: bigint) =>
  transfers.record(charge, { minor, now: minutesAfter(noon, 1), paidAt: noon });

describe('Shortfall of a partly paid charge that is accepted', () => {
  test('completes the charge with what it received, and the transfers are matched', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const first = await payPart(transfers, charge, 5_000n);
    const second = await payPart(transfers, charge, 3_000n);
    expect(await accept(service, transfers, charge)).toMatchObject({
      status: 'completed',
      completedBy: 'transfer',
      amountReceived: 8_000n,
    });
    for (const { transferId } of [first, second])
      expect(await transfers.reloadTransfer(transferId)).toMatchObject({ status: 'matched', reason: null });
    expect((await transfers.getEventTypes(charge.id)).at(-1)).toBe('CHARGE_COMPLETE');
    const entries = await service.prisma.auditEntry.findMany({ where: { objectId: charge.id } });
    expect(entries).toMatchObject([
      {
        action: 'charge.shortfall_accepted',
        actor: 'user:usr_1',
        detail: { amount: '80.00', currency: 'HKD' },
      },
    ]);
    expect(await doneOrCode(accept(service, transfers, charge))).toBe('charge_not_pending');
  });

  test('can be reverted by unassigning the transfer', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    const { transferId } = await payPart(transfers, charge, 8_000n);
    await accept(service, transfers, charge);
    await transfers.unassign(transferId, charge.id);
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({ status: 'exception', allocated: 0n });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
  });

  test('stays completed without money if the bank reverses the payment', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    const { transferId } = await payPart(transfers, charge, 8_000n);
    await accept(service, transfers, charge);
    const { bankReference } = await transfers.reloadTransfer(transferId);
    await transfers.reverse(charge, { minor: 8_000n, reversedReference: bankReference });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 0n });
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({ reason: 'reversed' });
  });

  test('applies the payments to an expired charge again, and completes it with their sum', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const first = await payPart(transfers, charge, 5_000n);
    const second = await payPart(transfers, charge, 3_000n);
    await expireCharges(service, { now: later });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'expired', amountReceived: 0n });
    expect(await accept(service, transfers, charge)).toMatchObject({
      status: 'completed',
      amountReceived: 8_000n,
    });
    expect((await transfers.getEventTypes(charge.id)).slice(-2)).toEqual([
      'charge_part_paid',
      'CHARGE_COMPLETE',
    ]);
    for (const [{ transferId }, allocated] of [
      [first, 5_000n],
      [second, 3_000n],
    ] as const)
      expect(await transfers.reloadTransfer(transferId)).toMatchObject({ status: 'matched', allocated });
  });

  test('completes an expired charge with a part payment that a user assigned afterwards', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    await expireCharges(service, { now: later });
    const { id } = await transfers.seedUnmatched(charge, 5_000n);
    await transfers.assign(id, { chargeId: charge.id });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'expired', amountReceived: 5_000n });
    expect(await accept(service, transfers, charge)).toMatchObject({
      status: 'completed',
      amountReceived: 5_000n,
    });
    expect(await transfers.reloadTransfer(id)).toMatchObject({ status: 'matched', allocated: 5_000n });
    expect(await doneOrCode(accept(service, transfers, charge))).toBe('charge_not_pending');
  });

  test('adds the part payments that an expired charge released to those that a user assigned', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const released = await payPart(transfers, charge, 3_000n);
    await expireCharges(service, { now: later });
    const { id } = await transfers.seedUnmatched(charge, 5_000n);
    await transfers.assign(id, { chargeId: charge.id });
    expect(await accept(service, transfers, charge)).toMatchObject({
      status: 'completed',
      amountReceived: 8_000n,
    });
    for (const transferId of [released.transferId, id])
      expect(await transfers.reloadTransfer(transferId)).toMatchObject({ status: 'matched' });
  });

  test('matches all payments if those that an expired charge released complete it', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    const released = await payPart(transfers, charge, 8_000n);
    await expireCharges(service, { now: later });
    const { id } = await transfers.seedUnmatched(charge, 4_850n);
    await transfers.assign(id, { chargeId: charge.id });
    expect(await transfers.reloadTransfer(id)).toMatchObject({ status: 'partial' });
    expect(await accept(service, transfers, charge)).toMatchObject({
      status: 'completed',
      amountReceived: 12_850n,
    });
    for (const transferId of [released.transferId, id])
      expect(await transfers.reloadTransfer(transferId)).toMatchObject({ status: 'matched' });
    const allocations = await service.prisma.allocation.findMany({ where: { chargeId: charge.id } });
    expect(allocations.map(({ reason }) => reason)).not.toContain('shortfall_accepted');
  });

  test('is rejected for an expired charge whose part payment was unassigned', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    await expireCharges(service, { now: later });
    const { id } = await transfers.seedUnmatched(charge, 5_000n);
    await transfers.assign(id, { chargeId: charge.id });
    await transfers.unassign(id, charge.id);
    expect(await doneOrCode(accept(service, transfers, charge))).toBe('invalid_request');
  });

  test('is rejected for a charge without a part payment, or whose payment was returned', async ({
    transfers,
    service,
  }) => {
    const unpaid = await transfers.newCharge();
    await expect(accept(service, transfers, unpaid)).rejects.toThrow(DomainError);
    const returned = await transfers.newCharge();
    const { transferId } = await payPart(transfers, returned, 5_000n);
    await expireCharges(service, { now: later });
    await transfers.returnToPayer(transferId);
    expect(await doneOrCode(accept(service, transfers, returned))).toBe('invalid_request');
  });
});
