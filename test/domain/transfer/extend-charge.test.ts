import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { acceptShortfall } from '../../../src/domain/money-in/transfer/review/accept-shortfall.ts';
import { extendCharge } from '../../../src/domain/money-in/transfer/review/extend-charge.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import {
  getPartialAmountReceived,
  readCheckoutCharge,
} from '../../../src/domain/payments/checkout/get-checkout-charge.ts';
import { cancelSession } from '../../../src/domain/payments/session/cancel-session.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { dayMs } from '../../../src/kit/duration.ts';
import { seedSession } from '../../setup/checkout.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { later, type TransferActions, transferTest as test } from '../../setup/transfer-test.ts';

const extend = (service: Service, transfers: TransferActions, { id }: Charge, days = 3) =>
  extendCharge(service, { ...transfers.decision, id, days });
const daysLater = (days: number) => new Date(later.getTime() + days * dayMs);

/** Records a part payment with the payment reference, in time. */
const payPart = (transfers: TransferActions, charge: Charge, minor: bigint) =>
  transfers.record(charge, { minor, now: minutesAfter(noon, 1), paidAt: noon });

/** Creates a charge of HKD 128.50 that received HKD 50 and then expired. */
const seedExpired = async (service: Service, transfers: TransferActions) => {
  const charge = await transfers.newCharge();
  const part = await payPart(transfers, charge, 5_000n);
  await expireCharges(service, { now: later });
  return { charge, part };
};

/** Creates an expired charge that received HKD 50 of a transfer, whose other HKD 70 is unassigned. */
const seedExpiredShare = async (service: Service, transfers: TransferActions) => {
  const charge = await transfers.newCharge();
  const { id: transferId } = await transfers.seedUnmatched(charge, 12_000n);
  await transfers.assign(transferId, { chargeId: charge.id, amount: '50' });
  await expireCharges(service, { now: later });
  return { charge, transferId };
};

/** Returns what the customer's page shows as received. */
const readShownAmount = async (service: Service, { id }: Charge) =>
  getPartialAmountReceived((await readCheckoutCharge(service, { id, mode: 'live' }))!);

describe('More time for the rest of a part payment', () => {
  test('opens an expired charge again, with the part payments that it released', async ({
    transfers,
    service,
  }) => {
    const { charge, part } = await seedExpired(service, transfers);
    expect(await extend(service, transfers, charge)).toMatchObject({
      status: 'pending',
      amountReceived: 5_000n,
      expiresAt: daysLater(3),
    });
    expect(await transfers.reloadTransfer(part.transferId)).toMatchObject({
      status: 'partial',
      allocated: 5_000n,
    });
    expect((await transfers.getEventTypes(charge.id)).slice(-3)).toEqual([
      'charge_expired',
      'charge_extended',
      'charge_part_paid',
    ]);
    const entries = await service.prisma.auditEntry.findMany({ where: { objectId: charge.id } });
    expect(entries).toMatchObject([
      { action: 'charge.extended', detail: { expiresAt: daysLater(3).toISOString() } },
    ]);
  });

  test('completes the charge when the rest is paid in that time, also if it is reported later', async ({
    transfers,
    service,
  }) => {
    const { charge } = await seedExpired(service, transfers);
    await extend(service, transfers, charge);
    await expireCharges(service, { now: daysLater(4) });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'expired', amountReceived: 0n });
    await transfers.record(charge, { minor: 7_850n, paidAt: daysLater(2), now: daysLater(5) });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 12_850n });
  });

  test('can be given again after it has passed, without counting a part payment twice', async ({
    transfers,
    service,
  }) => {
    const charge = await transfers.newCharge();
    // Only a part of this transfer is for the charge, so that the rest of it stays unallocated.
    const { id } = await transfers.seedUnmatched(charge, 12_000n);
    await transfers.assign(id, { chargeId: charge.id, amount: '50' });
    for (const days of [4, 8]) {
      await expireCharges(service, { now: daysLater(days) });
      expect(await extend(service, transfers, charge, 20)).toMatchObject({
        status: 'pending',
        amountReceived: 5_000n,
      });
      await service.prisma.charge.update({ where: { id: charge.id }, data: { expiresAt: later } });
    }
    expect(await transfers.reloadTransfer(id)).toMatchObject({ allocated: 5_000n });
  });

  test('does not add a share of the transfer that was not assigned to the charge', async ({
    transfers,
    service,
  }) => {
    const { charge, transferId } = await seedExpiredShare(service, transfers);
    await transfers.assign(transferId, { chargeId: charge.id, amount: '50' });
    expect(await readShownAmount(service, charge)).toBe(5_000n);
    expect(await extend(service, transfers, charge)).toMatchObject({ amountReceived: 5_000n });
    expect(await readShownAmount(service, charge)).toBe(5_000n);
    expect(await acceptShortfall(service, { ...transfers.decision, id: charge.id })).toMatchObject({
      status: 'completed',
      amountReceived: 5_000n,
    });
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({ allocated: 5_000n });
  });

  test('does not take back a part payment that a user unassigned from the open charge', async ({
    transfers,
    service,
  }) => {
    const { charge, part } = await seedExpired(service, transfers);
    await extend(service, transfers, charge);
    await transfers.unassign(part.transferId, charge.id);
    expect(await doneOrCode(extend(service, transfers, charge))).toBe('invalid_request');
    await expireCharges(service, { now: daysLater(4) });
    expect(await readShownAmount(service, charge)).toBe(0n);
    expect(await doneOrCode(extend(service, transfers, charge))).toBe('invalid_request');
  });

  test('excludes what was returned to the payer between two extensions', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    const first = await payPart(transfers, charge, 2_000n);
    const second = await payPart(transfers, charge, 3_000n);
    await expireCharges(service, { now: later });
    await transfers.returnToPayer(first.transferId, { amount: '5' });
    expect(await extend(service, transfers, charge, 1)).toMatchObject({ amountReceived: 4_500n });
    await expireCharges(service, { now: daysLater(2) });
    await transfers.returnToPayer(second.transferId);
    expect(await extend(service, transfers, charge)).toMatchObject({ amountReceived: 1_500n });
    await cancelCharge(service, {
      ...transfers.owner,
      ...{ id: charge.id, by: 'merchant', actor: 'user:usr_1', now: later },
    });
    expect(await acceptShortfall(service, { ...transfers.decision, id: charge.id })).toMatchObject({
      status: 'completed',
      amountReceived: 1_500n,
    });
  });

  test('is given to an open charge too, and never shortens its time', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    await payPart(transfers, charge, 5_000n);
    expect(await extend(service, transfers, charge, 7)).toMatchObject({ expiresAt: daysLater(7) });
    expect(await extend(service, transfers, charge, 1)).toMatchObject({
      status: 'pending',
      amountReceived: 5_000n,
      expiresAt: daysLater(7),
    });
  });

  test('keeps a part payment that a user assigned to the expired charge', async ({ transfers, service }) => {
    const charge = await transfers.newCharge();
    await expireCharges(service, { now: later });
    const { id } = await transfers.seedUnmatched(charge, 5_000n);
    await transfers.assign(id, { chargeId: charge.id });
    expect(await extend(service, transfers, charge)).toMatchObject({
      status: 'pending',
      amountReceived: 5_000n,
    });
  });

  test('is rejected without a part payment, and for completed and cancelled charges', async ({
    transfers,
    service,
  }) => {
    const unpaid = await transfers.newCharge();
    expect(await doneOrCode(extend(service, transfers, unpaid))).toBe('invalid_request');
    await expireCharges(service, { now: later });
    expect(await doneOrCode(extend(service, transfers, unpaid))).toBe('invalid_request');
    const paid = await transfers.newCharge(later);
    await transfers.record(paid, { now: later, paidAt: later });
    expect(await doneOrCode(extend(service, transfers, paid))).toBe('charge_not_pending');
    const cancelled = await transfers.newCharge(later);
    await transfers.record(cancelled, { minor: 5_000n, now: later, paidAt: later });
    await cancelCharge(service, {
      ...transfers.owner,
      ...{ id: cancelled.id, by: 'merchant', actor: 'user:usr_1', now: later },
    });
    expect(await doneOrCode(extend(service, transfers, cancelled))).toBe('charge_not_pending');
    const open = await transfers.newCharge(later);
    await transfers.record(open, { minor: 5_000n, now: later, paidAt: later });
    expect(await doneOrCode(extend(service, transfers, open, 31))).toBe('invalid_request');
  });

  test('is rejected for an expired charge that was replaced or is old', async ({ transfers, service }) => {
    const expired = async () => (await seedExpired(service, transfers)).charge;
    const replaced = await expired();
    const replacement = await transfers.newCharge(later);
    await service.prisma.charge.update({
      where: { id: replacement.id },
      data: { replacesId: replaced.id },
    });
    await expect(extend(service, transfers, replaced)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The charge was replaced by another charge',
    });
    await service.prisma.charge.update({ where: { id: replacement.id }, data: { replacesId: null } });
    const old = await expired();
    const { decision } = transfers;
    const now = daysLater(91);
    expect(
      await doneOrCode(
        extendCharge(service, { ...decision, audit: { ...decision.audit, now }, now, id: old.id, days: 1 }),
      ),
    ).toBe('invalid_request');
  });

  test('is rejected for an expired charge whose session was cancelled', async ({
    transfers,
    service,
    merchant,
  }) => {
    const { charge } = await seedExpired(service, transfers);
    const session = await seedSession(service, merchant, { now: noon });
    await service.prisma.checkoutSession.update({ where: { id: session.id }, data: { status: 'charged' } });
    await service.prisma.charge.update({ where: { id: charge.id }, data: { sessionId: session.id } });
    await cancelSession(service, { id: session.id, actor: 'key:test', now: later });
    expect(await doneOrCode(extend(service, transfers, charge))).toBe('invalid_request');
  });

  test('is rejected while another open charge of the account has the same unique amount', async ({
    transfers,
    service,
  }) => {
    const setOffset = ({ id }: Charge) =>
      service.prisma.charge.update({ where: { id }, data: { amountOffset: 0n } });
    const { charge } = await seedExpired(service, transfers);
    await setOffset(charge);
    const other = await transfers.newCharge(later);
    await setOffset(other);
    expect(await doneOrCode(extend(service, transfers, charge))).toBe('invalid_request');
    await expireCharges(service, { now: daysLater(1) });
    expect(await extend(service, transfers, charge)).toMatchObject({ status: 'pending' });
  });
});
