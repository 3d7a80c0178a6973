import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/assign-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { setupTransfers } from '../../setup/setup-transfers.ts';
import { payCharge, recordOne, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

const { service, merchant, owner, newCharge, reload, reloadTransfer } = await setupTransfers(onCleanup);

/** What a bank tells of so many minutes after noon, of money that came five minutes after it. */
const learnOf = (charge: Charge, minor: bigint, minutes = 41) =>
  payCharge(service, merchant, charge, {
    minor,
    paidAt: minutesAfter(noon, 5),
    now: minutesAfter(noon, minutes),
  });
const expire = () => expireCharges(service, { now: minutesAfter(noon, 31) });

function assign(transferId: string, part: { chargeId: string; amount: number }, minutes = 7) {
  const now = minutesAfter(noon, minutes);
  return assignTransfer(service, {
    mode: 'live',
    merchant: merchant.merchant,
    assignment: { transferId, parts: [part] },
    audit: { actor: 'user:ada', now },
    now,
  });
}

/** HKD 100 without a word, of which a person gives HKD 40 to the charge. */
async function divided(charge: Charge): Promise<string> {
  const money = { minor: 10_000n, currency: 'HKD' };
  const { receivingAccountId } = charge;
  const { transferId } = await recordOne(service, merchant, {
    receivingAccountId,
    input: transferInput({ money }),
  });
  await assign(transferId, { chargeId: charge.id, amount: 40 });
  return transferId;
}

describe('parts that were all paid in time', () => {
  test('complete an expired charge when the last of them is learned of late', async () => {
    const charge = await newCharge();
    const first = await learnOf(charge, 10_000n, 6);
    await expire();
    expect(await reload(charge)).toMatchObject({ status: 'expired', amountReceived: 0n });
    expect(await learnOf(charge, 2_000n)).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    expect(await learnOf(charge, 2_850n)).toMatchObject({ status: 'matched', chargeId: charge.id });
    expect(await reload(charge)).toMatchObject({
      status: 'completed',
      amountReceived: charge.customerAmount,
    });
    expect(await reloadTransfer(first.transferId ?? '')).toMatchObject({ status: 'matched' });
    await expectInvariants(service);
  });

  test('complete it with what it had received of a transfer; the rest of that stays open', async () => {
    const charge = await newCharge();
    const transferId = await divided(charge);
    await expire();
    expect(await learnOf(charge, 8_850n)).toMatchObject({ status: 'matched', chargeId: charge.id });
    expect(await reload(charge)).toMatchObject({ status: 'completed', amountReceived: 12_850n });
    expect(await reloadTransfer(transferId)).toMatchObject({
      status: 'exception',
      reason: 'charge_expired',
      allocated: 4_000n,
    });
    await expectInvariants(service);
  });

  test('are not enough with what was never its own', async () => {
    const charge = await newCharge();
    const transferId = await divided(charge);
    await expire();
    expect(await learnOf(charge, 2_850n)).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    expect(await reloadTransfer(transferId)).toMatchObject({ allocated: 0n });
  });

  test('count where the rest of the transfer was given to another charge before, and for that still', async () => {
    const [charge, other] = [await newCharge(), await newCharge()];
    const transferId = await divided(charge);
    // No part payment of a charge that ended is let go of again.
    await cancelCharge(service, { ...owner, id: other.id, by: 'merchant', actor: 'key:test', now: noon });
    await assign(transferId, { chargeId: other.id, amount: 60 });
    await expire();
    expect(await learnOf(charge, 8_850n)).toMatchObject({ status: 'matched' });
    expect(await reload(charge)).toMatchObject({ amountReceived: 12_850n });
    expect(await reload(other)).toMatchObject({ amountReceived: 6_000n });
    expect(await reloadTransfer(transferId)).toMatchObject({ status: 'partial', allocated: 10_000n });
    await expectInvariants(service);
  });

  test('are left alone where a person has assigned of the transfer since', async () => {
    const [charge, other] = [await newCharge(), await newCharge()];
    const transferId = await divided(charge);
    await expire();
    await assign(transferId, { chargeId: other.id, amount: 60 }, 35);
    expect(await learnOf(charge, 8_850n)).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    expect(await reload(charge)).toMatchObject({ status: 'expired', amountReceived: 0n });
    expect(await reloadTransfer(transferId)).toMatchObject({ allocated: 6_000n });
  });
});
