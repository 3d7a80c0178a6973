import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import {
  isInFuture,
  parsePaidAt,
  type TransferItem,
} from '../../../src/domain/money-in/transfer/record/parse-items.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record/record-transfers.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { newPaymentReference } from '../../../src/method/payment-reference.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { type TransferActions, transferTest as test } from '../../setup/transfer-test.ts';
import { payCharge } from '../../setup/transfers.ts';

/** The transfer of a customer who follows the instructions of the checkout page. */
function toItem(charge: Charge, changes: Partial<TransferItem> = {}): TransferItem {
  return {
    id: `bank-${randomUUID()}`,
    receivingAccountId: charge.receivingAccountId,
    amount: Number(charge.customerAmount) / 100,
    currency: 'HKD',
    reference: charge.paymentReference,
    paidAt: minutesAfter(noon, 5).toISOString(),
    ...changes,
  };
}

const record = (
  service: Service,
  merchant: NewMerchant,
  items: TransferItem[],
  now = minutesAfter(noon, 6),
) => recordTransfers(service, { merchant: merchant.merchant, mode: 'live', items, actor: 'key:feed', now });

test('transfers of one batch are listed in the order in which they were reported', async ({
  transfers,
  service,
  merchant,
}) => {
  const { receivingAccountId } = await transfers.newCharge();
  const item = { receivingAccountId, amount: 7, currency: 'HKD', reference: 'rent' };
  const items = Array.from({ length: 20 }, (_, i) => ({
    ...item,
    id: `line-${i}`,
    paidAt: noon.toISOString(),
  }));
  await record(service, merchant, items);
  const listed = await service.prisma.transfer.findMany({
    where: { bankReference: { startsWith: 'line-' } },
    orderBy: { id: 'asc' },
  });
  expect(listed.map((transfer) => transfer.bankReference)).toEqual(items.map(({ id }) => id));
});

describe('Transfer with a payment reference', () => {
  test('completes the charge once, however often it is reported', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const item = toItem(charge, {
      reference: `inv 7 / ${charge.paymentReference.toLowerCase().replace(/(.{5})/, '$1 ')} thanks`,
    });
    const [first] = await record(service, merchant, [item]);
    expect(first).toMatchObject({ id: item.id, status: 'matched', chargeId: charge.id });
    const repeated = await Promise.all(Array.from({ length: 10 }, () => record(service, merchant, [item])));
    expect(
      repeated.flat().every((result) => result.status === 'duplicate' && result.chargeId === charge.id),
    ).toBe(true);
    expect(await transfers.reload(charge)).toMatchObject({
      status: 'completed',
      amountReceived: charge.customerAmount,
      completedBy: 'transfer',
    });
    expect(await transfers.getEventTypes(charge.id)).toEqual(['charge_created', 'CHARGE_COMPLETE']);
  });

  test('is matched by method and account number in the format of the bank', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const { account } = await service.prisma.receivingAccount.findUniqueOrThrow({
      where: { id: charge.receivingAccountId },
    });
    const [result] = await record(service, merchant, [
      { ...toItem(charge), receivingAccountId: null, method: 'fps', account: ` ${account} ` },
    ]);
    expect(result).toMatchObject({ status: 'matched' });
  });

  test('is a part payment if it is short, and completes the charge together with other parts', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const [first] = await record(service, merchant, [toItem(charge, { amount: 100 })]);
    expect(first?.status).toBe('partial');
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 10_000n });
    const [second] = await record(service, merchant, [toItem(charge, { amount: 28.5 })]);
    expect(second?.status).toBe('matched');
    expect(await transfers.getEventTypes(charge.id)).toEqual([
      'charge_created',
      'charge_part_paid',
      'CHARGE_COMPLETE',
    ]);
  });

  test('completes the charge and overpays it if it exceeds the amount', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const [result] = await record(service, merchant, [toItem(charge, { amount: 130 })]);
    expect(result?.status).toBe('over');
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 13_000n });
    expect(await transfers.getEventTypes(charge.id)).toEqual([
      'charge_created',
      'CHARGE_COMPLETE',
      'charge_overpaid',
    ]);
  });

  test('completes an expired charge if it was paid in time and reported late', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'expired' });
    const [result] = await record(
      service,
      merchant,
      [toItem(charge, { paidAt: charge.expiresAt.toISOString() })],
      minutesAfter(noon, 40),
    );
    expect(result?.status).toBe('matched');
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed' });
  });

  test.for([true, false])(
    'never completes the charge if it was paid after expiresAt (job has run: %s)',
    async (jobHasRun, { transfers, service, merchant }) => {
      const charge = await transfers.newCharge();
      if (jobHasRun) await expireCharges(service, { now: minutesAfter(noon, 31) });
      const paidAt = new Date(charge.expiresAt.getTime() + 1).toISOString();
      const [result] = await record(service, merchant, [toItem(charge, { paidAt })], minutesAfter(noon, 40));
      expect(result).toMatchObject({ status: 'exception', reason: 'charge_expired' });
      expect(await transfers.reload(charge)).toMatchObject({ amountReceived: 0n });
      expect(await transfers.getEventTypes(result?.transferId ?? '')).toEqual(['transfer_exception']);
    },
  );

  test('is in time on the day of expiry in the account’s time zone if it has a date without a time', async ({
    transfers,
    service,
    merchant,
  }) => {
    // The charge expires half an hour after midnight in Hong Kong, on the next day of UTC’s.
    const charge = await transfers.newCharge(new Date('2026-11-17T16:00:00.000Z'));
    const twoDaysLater = minutesAfter(noon, 60 * 48);
    const [late] = await record(service, merchant, [toItem(charge, { paidAt: '2026-11-19' })], twoDaysLater);
    expect(late).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    const [inTime] = await record(
      service,
      merchant,
      [toItem(charge, { paidAt: '2026-11-18' })],
      twoDaysLater,
    );
    expect(inTime?.status).toBe('matched');
  });
});

describe('Transfer that cannot be matched', () => {
  test.for([
    ['no payment reference', { reference: 'rent for June' }, 'missing_reference'],
    ['an unknown payment reference', { reference: newPaymentReference() }, 'unknown_reference'],
    ['another currency', { currency: 'CNY' }, 'wrong_currency'],
  ] as const)(
    'is an exception because of %s',
    async ([_, changes, reason], { transfers, service, merchant }) => {
      const charge = await transfers.newCharge();
      const [result] = await record(service, merchant, [toItem(charge, { amount: 77.01, ...changes })]);
      expect(result).toMatchObject({ status: 'exception', reason });
      expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
    },
  );

  test('is an exception with the payment references of two open charges', async ({
    transfers,
    service,
    merchant,
  }) => {
    const [first, second] = [await transfers.newCharge(), await transfers.newCharge()];
    const [result] = await record(service, merchant, [
      toItem(first, { reference: `${first.paymentReference} ${second.paymentReference}` }),
    ]);
    expect(result).toMatchObject({ status: 'exception', reason: 'multiple_references' });
  });

  test('is an exception with the payment reference of a charge on another account', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const elsewhere = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { ...transfers.owner, method: 'hk-bank-transfer' },
    });
    const [result] = await record(service, merchant, [toItem(charge, { receivingAccountId: elsewhere.id })]);
    expect(result).toMatchObject({ status: 'exception', reason: 'wrong_account' });
  });

  test('is an exception for a cancelled charge, and as the second payment of a completed charge', async ({
    transfers,
    service,
    merchant,
  }) => {
    const cancelled = await transfers.newCharge();
    const id = { ...transfers.owner, id: cancelled.id };
    await cancelCharge(service, { ...id, by: 'merchant', actor: 'key:test', now: noon });
    const paid = await transfers.newCharge();
    const results = await record(service, merchant, [toItem(cancelled), toItem(paid), toItem(paid)]);
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      'charge_cancelled',
      'matched',
      'charge_completed',
    ]);
  });

  test('is an exception if its id was used with other content', async ({ transfers, service, merchant }) => {
    const charge = await transfers.newCharge();
    const item = toItem(charge, { amount: 10 });
    const results = await record(service, merchant, [
      item,
      { ...item, amount: 118.5 },
      { ...item, amount: 118.5 },
    ]);
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      'partial',
      'id_reused',
      'duplicate',
    ]);
    expect(await transfers.reload(charge)).toMatchObject({ amountReceived: 1000n });
  });

  test('is a duplicate of a report without an offset even after the account’s time zone was corrected', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const move = (timeZone: string) =>
      service.prisma.receivingAccount.update({
        where: { id: charge.receivingAccountId },
        data: { timeZone },
      });
    const outcomes = async (items: TransferItem[]) =>
      (await record(service, merchant, items)).map(({ status, reason }) => reason ?? status);
    const [hongKong, withOffset] = ['2026-11-17T20:05:00', '2026-11-17T20:05:00+08:00'];
    const item = toItem(charge, { paidAt: hongKong });
    const reused = { ...item, amount: 7 };
    const converse = toItem(await transfers.newCharge(), { paidAt: withOffset });
    expect(await outcomes([item, reused, converse])).toEqual(['matched', 'id_reused', 'matched']);
    const repeated = [item, reused, { ...item, paidAt: withOffset }, { ...converse, paidAt: hongKong }];
    expect(await outcomes(repeated)).toEqual(repeated.map(() => 'duplicate'));
    // In Kolkata, 20:05 is later than the time of the report.
    await move('Asia/Kolkata');
    expect(await outcomes([item, reused])).toEqual(['duplicate', 'duplicate']);
    expect(await outcomes([{ ...item, id: 'unknown' }])).toEqual(['invalid']);
    await move('Asia/Hong_Kong');
  });

  test('is matched next to invalid items of the same batch', async ({ transfers, service, merchant }) => {
    const charge = await transfers.newCharge();
    const otherMerchant = await seedMerchant(service);
    const findAccountId = async (merchantId: string, mode: 'live' | 'sandbox') => {
      const receivingAccount = { merchantId, mode, method: 'fps' };
      return (await service.prisma.receivingAccount.findFirstOrThrow({ where: receivingAccount })).id;
    };
    const invalid = [
      { amount: -5 },
      { amount: 0 },
      { amount: 128.505 },
      { amount: 1e12 },
      { amount: '128,50' },
      { currency: 'XXY' },
      { reference: 'x'.repeat(1_001) },
      { reference: `${charge.paymentReference}\u0000` },
      { id: '' },
      { receivingAccountId: 'acc_unknown' },
      { receivingAccountId: await findAccountId(merchant.merchant.id, 'sandbox') },
      { receivingAccountId: await findAccountId(otherMerchant.merchant.id, 'live') },
      { paidAt: 'yesterday' },
      { paidAt: minutesAfter(noon, 12).toISOString() },
    ];
    const results = await record(service, merchant, [
      ...invalid.map((changes) => toItem(charge, changes)),
      toItem(charge),
    ]);
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      ...invalid.map(() => 'invalid'),
      'matched',
    ]);
    expect(results.filter(({ detail, transferId }) => detail && !transferId)).toHaveLength(invalid.length);
  });

  test('is matched by the payment reference at the end of 1,000 characters', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const [result] = await record(service, merchant, [
      toItem(charge, { reference: `${'é '.repeat(494)} ${charge.paymentReference}` }),
    ]);
    expect(result).toMatchObject({ status: 'matched', chargeId: charge.id });
  });
});

describe('Charge', () => {
  test('releases its part payments, which become exceptions, when it ends unpaid', async ({
    transfers,
    service,
    merchant,
  }) => {
    const [expiring, cancelling] = [await transfers.newCharge(), await transfers.newCharge()];
    const parts = await record(service, merchant, [
      toItem(expiring, { amount: 50 }),
      toItem(cancelling, { amount: 60 }),
    ]);
    await cancelCharge(service, {
      merchantId: merchant.merchant.id,
      mode: 'live',
      id: cancelling.id,
      by: 'merchant',
      actor: 'key:test',
      now: minutesAfter(noon, 7),
    });
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    const released = await service.prisma.transfer.findMany({
      where: { id: { in: parts.map(({ transferId }) => transferId ?? '') } },
    });
    expect(released.map(({ status, reason }) => [status, reason]).sort()).toEqual([
      ['exception', 'charge_cancelled'],
      ['exception', 'charge_expired'],
    ]);
    expect(await transfers.reload(expiring)).toMatchObject({ status: 'expired', amountReceived: 0n });
  });

  test('has one outcome when it is paid, cancelled and expired concurrently', async ({
    transfers,
    service,
    merchant,
  }) => {
    for (let round = 0; round < count(10, 200); round++) {
      const charge = await transfers.newCharge();
      const id = { ...transfers.owner, id: charge.id };
      const cancel = cancelCharge(service, { ...id, by: 'merchant', actor: 'key:test', now: noon });
      const [cancelled] = await Promise.all([
        doneOrCode(cancel),
        record(service, merchant, [toItem(charge)]),
        record(service, merchant, [toItem(charge)]),
        expireCharges(service, { now: minutesAfter(noon, 31) }),
      ]);
      expect(['done', 'charge_not_pending']).toContain(cancelled);
      const { status } = await transfers.reload(charge);
      expect(['completed', 'cancelled', 'expired']).toContain(status);
    }
    await expectInvariants(service);
  });
});

/** Records a transfer that was paid five minutes after noon, and reported `minutes` after noon. */
const recordPart = (service: Service, merchant: NewMerchant, charge: Charge, minor: bigint, minutes = 41) =>
  payCharge(service, merchant, charge, {
    minor,
    paidAt: minutesAfter(noon, 5),
    now: minutesAfter(noon, minutes),
  });
const expire = (service: Service) => expireCharges(service, { now: minutesAfter(noon, 31) });

function assign(
  service: Service,
  merchant: NewMerchant,
  transferId: string,
  part: { chargeId: string; amount: number },
  minutes = 7,
) {
  const now = minutesAfter(noon, minutes);
  return assignTransfer(service, {
    mode: 'live',
    merchant: merchant.merchant,
    assignment: { transferId, parts: [part] },
    audit: { actor: 'user:ada', now },
    now,
  });
}

/** HKD 100 without a payment reference, of which a user assigns HKD 40 to the charge. */
async function seedSplitTransfer(
  transfers: TransferActions,
  service: Service,
  merchant: NewMerchant,
  charge: Charge,
): Promise<string> {
  const { id: transferId } = await transfers.seedUnmatched(charge, 10_000n);
  await assign(service, merchant, transferId, { chargeId: charge.id, amount: 40 });
  return transferId;
}

describe('Part payments that were paid in time', () => {
  test('complete an expired charge when the last of them is reported late', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const first = await recordPart(service, merchant, charge, 10_000n, 6);
    await expire(service);
    expect(await transfers.reload(charge)).toMatchObject({ status: 'expired', amountReceived: 0n });
    expect(await recordPart(service, merchant, charge, 2_000n)).toMatchObject({
      status: 'exception',
      reason: 'charge_expired',
    });
    expect(await recordPart(service, merchant, charge, 2_850n)).toMatchObject({
      status: 'matched',
      chargeId: charge.id,
    });
    expect(await transfers.reload(charge)).toMatchObject({
      status: 'completed',
      amountReceived: charge.customerAmount,
    });
    expect(await transfers.reloadTransfer(first.transferId ?? '')).toMatchObject({ status: 'matched' });
  });

  test('complete an expired charge with its part of a split transfer, whose rest stays unmatched', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const transferId = await seedSplitTransfer(transfers, service, merchant, charge);
    await expire(service);
    expect(await recordPart(service, merchant, charge, 8_850n)).toMatchObject({
      status: 'matched',
      chargeId: charge.id,
    });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', amountReceived: 12_850n });
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({
      status: 'exception',
      reason: 'charge_expired',
      allocated: 4_000n,
    });
  });

  test('do not complete an expired charge with the part of a transfer that was never assigned to it', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const transferId = await seedSplitTransfer(transfers, service, merchant, charge);
    await expire(service);
    expect(await recordPart(service, merchant, charge, 2_850n)).toMatchObject({
      status: 'exception',
      reason: 'charge_expired',
    });
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({ allocated: 0n });
  });

  test('complete an expired charge even if the rest of the transfer is assigned to another charge', async ({
    transfers,
    service,
    merchant,
  }) => {
    const [charge, other] = [await transfers.newCharge(), await transfers.newCharge()];
    const transferId = await seedSplitTransfer(transfers, service, merchant, charge);
    // A charge that has ended keeps the parts that are assigned to it.
    await cancelCharge(service, {
      ...transfers.owner,
      id: other.id,
      by: 'merchant',
      actor: 'key:test',
      now: noon,
    });
    await assign(service, merchant, transferId, { chargeId: other.id, amount: 60 });
    await expire(service);
    expect(await recordPart(service, merchant, charge, 8_850n)).toMatchObject({ status: 'matched' });
    expect(await transfers.reload(charge)).toMatchObject({ amountReceived: 12_850n });
    expect(await transfers.reload(other)).toMatchObject({ amountReceived: 6_000n });
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({
      status: 'partial',
      allocated: 10_000n,
    });
  });

  test('do not complete an expired charge if a user has assigned the transfer since it expired', async ({
    transfers,
    service,
    merchant,
  }) => {
    const [charge, other] = [await transfers.newCharge(), await transfers.newCharge()];
    const transferId = await seedSplitTransfer(transfers, service, merchant, charge);
    await expire(service);
    await assign(service, merchant, transferId, { chargeId: other.id, amount: 60 }, 35);
    expect(await recordPart(service, merchant, charge, 8_850n)).toMatchObject({
      status: 'exception',
      reason: 'charge_expired',
    });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'expired', amountReceived: 0n });
    expect(await transfers.reloadTransfer(transferId)).toMatchObject({ allocated: 6_000n });
  });
});

const hongKong = { timeZone: 'Asia/Hong_Kong' };
/** 01:00 on the 21st in Hong Kong. */
const now = new Date('2026-11-20T17:00:00Z');

describe('paidAt', () => {
  test.for([
    ['2026-11-20T08:15:00Z', '2026-11-20T08:15:00.000Z', false],
    ['2026-11-20T16:15:00.5+08:00', '2026-11-20T08:15:00.500Z', false],
    ['2026-11-20T16:15', '2026-11-20T08:15:00.000Z', false],
    ['2026-11-21', '2026-11-21T00:00:00.000Z', true],
    ['2026-11-20T17:05:00Z', '2026-11-20T17:05:00.000Z', false],
  ] as const)('is parsed from %s as %s', ([text, instant, isPaidAtDateOnly]) => {
    expect(parsePaidAt(text, hongKong)).toMatchObject({ paidAt: new Date(instant), isPaidAtDateOnly });
  });

  test.for([
    ['2026-11-20T16:15', '2026-11-20T16:15:00.000'],
    ['2026-11-20T16:15:01.5', '2026-11-20T16:15:01.500'],
    ['2026-11-20T16:15:00+08:00', undefined],
    ['2026-11-20', undefined],
  ] as const)('has for %s the local time %s of the bank', ([text, localTime]) => {
    expect(parsePaidAt(text, hongKong).localTime).toBe(localTime);
  });

  test.for([
    ['2026-11-22', true],
    ['2026-11-21', false],
    ['2026-11-20T17:05:01Z', true],
    ['2026-11-20T17:05:00Z', false],
  ] as const)('of %s is in the future: %s', ([text, expected]) => {
    expect(isInFuture(parsePaidAt(text, hongKong), hongKong, now)).toBe(expected);
  });

  test.for(['2026-02-30', '2026-11-20 08:15', 'Friday', '', '2026-11-20T25:00:00Z', '2026-11-20T25:00:00'])(
    'is invalid as %s',
    (text) => {
      expect(() => parsePaidAt(text, hongKong)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    },
  );
});
