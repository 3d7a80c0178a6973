import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { extendCharge } from '../../../src/domain/money-in/transfer/review/extend-charge.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { dayMs } from '../../../src/kit/duration.ts';
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
