import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { TransferItem } from '../../../src/domain/money-in/transfer/parse-items.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record-transfers.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { newPaymentReference } from '../../../src/method/payment-reference.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupTransfers } from '../../setup/setup-transfers.ts';

const onCleanup = cleanupAfterFile();

const { service, merchant, owner, newCharge, reload, getEventTypes } = await setupTransfers(onCleanup);
let number = 0;

/** The transfer a customer would make who does what the page says. */
function payment(charge: Charge, changes: Partial<TransferItem> = {}): TransferItem {
  return {
    id: `bank-${++number}`,
    receivingAccountId: charge.receivingAccountId,
    amount: Number(charge.customerAmount) / 100,
    currency: 'HKD',
    reference: charge.paymentReference,
    paidAt: minutesAfter(noon, 5).toISOString(),
    ...changes,
  };
}

const record = (items: TransferItem[], now = minutesAfter(noon, 6)) =>
  recordTransfers(service, { merchant: merchant.merchant, mode: 'live', items, actor: 'bank', now });

test('those told together are listed in the order in which they were told', async () => {
  const { receivingAccountId } = await newCharge();
  const item = { receivingAccountId, amount: 7, currency: 'HKD', reference: 'rent' };
  const told = Array.from({ length: 20 }, (_, i) => ({
    ...item,
    id: `line-${i}`,
    paidAt: noon.toISOString(),
  }));
  await record(told);
  const listed = await service.prisma.transfer.findMany({
    where: { bankReference: { startsWith: 'line-' } },
    orderBy: { id: 'asc' },
  });
  expect(listed.map((transfer) => transfer.bankReference)).toEqual(told.map(({ id }) => id));
});

describe('a transfer with the nonce in its reference', () => {
  test('completes the charge once, however often it is told', async () => {
    const charge = await newCharge();
    const item = payment(charge, {
      reference: `inv 7 / ${charge.paymentReference.toLowerCase().replace(/(.{5})/, '$1 ')} thanks`,
    });
    const [first] = await record([item]);
    expect(first).toMatchObject({ id: item.id, status: 'matched', chargeId: charge.id });
    const again = await Promise.all(Array.from({ length: 10 }, () => record([item])));
    expect(
      again.flat().every((result) => result.status === 'duplicate' && result.chargeId === charge.id),
    ).toBe(true);
    expect(await reload(charge)).toMatchObject({
      status: 'completed',
      amountReceived: charge.customerAmount,
      completedBy: 'transfer',
    });
    expect(await getEventTypes(charge.id)).toEqual(['charge_created', 'CHARGE_COMPLETE']);
  });

  test('is found by method and account number as banks write it, too', async () => {
    const charge = await newCharge();
    const { account } = await service.prisma.receivingAccount.findUniqueOrThrow({
      where: { id: charge.receivingAccountId },
    });
    const [result] = await record([
      { ...payment(charge), receivingAccountId: null, method: 'fps', account: ` ${account} ` },
    ]);
    expect(result).toMatchObject({ status: 'matched' });
  });

  test('that is short is a part payment; the parts add up', async () => {
    const charge = await newCharge();
    const [first] = await record([payment(charge, { amount: 100 })]);
    expect(first?.status).toBe('partial');
    expect(await reload(charge)).toMatchObject({ status: 'pending', amountReceived: 10_000n });
    const [second] = await record([payment(charge, { amount: 28.5 })]);
    expect(second?.status).toBe('matched');
    expect(await getEventTypes(charge.id)).toEqual(['charge_created', 'charge_part_paid', 'CHARGE_COMPLETE']);
  });

  test('that is more completes, and the excess is shown', async () => {
    const charge = await newCharge();
    const [result] = await record([payment(charge, { amount: 130 })]);
    expect(result?.status).toBe('over');
    expect(await reload(charge)).toMatchObject({ status: 'completed', amountReceived: 13_000n });
    expect(await getEventTypes(charge.id)).toEqual(['charge_created', 'CHARGE_COMPLETE', 'charge_overpaid']);
  });

  test('paid in time but learned late completes an expired charge', async () => {
    const charge = await newCharge();
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    expect(await reload(charge)).toMatchObject({ status: 'expired' });
    const [result] = await record(
      [payment(charge, { paidAt: charge.expiresAt.toISOString() })],
      minutesAfter(noon, 40),
    );
    expect(result?.status).toBe('matched');
    expect(await reload(charge)).toMatchObject({ status: 'completed' });
  });

  test.each([true, false])('paid after expiresAt never completes it (job has run: %s)', async (jobHasRun) => {
    const charge = await newCharge();
    if (jobHasRun) await expireCharges(service, { now: minutesAfter(noon, 31) });
    const paidAt = new Date(charge.expiresAt.getTime() + 1).toISOString();
    const [result] = await record([payment(charge, { paidAt })], minutesAfter(noon, 40));
    expect(result).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    expect(await reload(charge)).toMatchObject({ amountReceived: 0n });
    expect(await getEventTypes(result?.transferId ?? '')).toEqual(['transfer_exception']);
  });

  test('with a date alone was in time on the day of expiry in the account’s time zone', async () => {
    // It ends half an hour after midnight in Hong Kong, while UTC still has the day before.
    const charge = await newCharge(new Date('2026-11-17T16:00:00.000Z'));
    const twoDaysLater = minutesAfter(noon, 60 * 48);
    const [late] = await record([payment(charge, { paidAt: '2026-11-19' })], twoDaysLater);
    expect(late).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    const [inTime] = await record([payment(charge, { paidAt: '2026-11-18' })], twoDaysLater);
    expect(inTime?.status).toBe('matched');
  });
});

describe('a transfer that cannot be assigned is an exception with its reason', () => {
  test.each([
    ['no word', { reference: 'rent for June' }, 'missing_reference'],
    ['an unknown word', { reference: newPaymentReference() }, 'unknown_reference'],
    ['another currency', { currency: 'CNY' }, 'wrong_currency'],
  ] as const)('%s', async (_, changes, reason) => {
    const charge = await newCharge();
    const [result] = await record([payment(charge, { amount: 77 + number / 100, ...changes })]);
    expect(result).toMatchObject({ status: 'exception', reason });
    expect(await reload(charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
  });

  test('the words of two open charges', async () => {
    const [one, two] = [await newCharge(), await newCharge()];
    const [result] = await record([
      payment(one, { reference: `${one.paymentReference} ${two.paymentReference}` }),
    ]);
    expect(result).toMatchObject({ status: 'exception', reason: 'multiple_references' });
  });

  test('the word of a charge on another account', async () => {
    const charge = await newCharge();
    const elsewhere = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { ...owner, method: 'hk-bank-transfer' },
    });
    const [result] = await record([payment(charge, { receivingAccountId: elsewhere.id })]);
    expect(result).toMatchObject({ status: 'exception', reason: 'wrong_account' });
  });

  test('for a cancelled charge, and a second payment of a completed one', async () => {
    const cancelled = await newCharge();
    const id = { ...owner, id: cancelled.id };
    await cancelCharge(service, { ...id, by: 'merchant', actor: 'key:test', now: noon });
    const paid = await newCharge();
    const results = await record([payment(cancelled), payment(paid), payment(paid)]);
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      'charge_cancelled',
      'matched',
      'charge_completed',
    ]);
  });

  test('the same id with other content counts nothing', async () => {
    const charge = await newCharge();
    const item = payment(charge, { amount: 10 });
    const results = await record([item, { ...item, amount: 118.5 }, { ...item, amount: 118.5 }]);
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      'partial',
      'id_reused',
      'duplicate',
    ]);
    expect(await reload(charge)).toMatchObject({ amountReceived: 1000n });
  });

  test('what is told without an offset is known still once its account’s time zone is corrected', async () => {
    const charge = await newCharge();
    const move = (timeZone: string) =>
      service.prisma.receivingAccount.update({
        where: { id: charge.receivingAccountId },
        data: { timeZone },
      });
    const outcomes = async (items: TransferItem[]) =>
      (await record(items)).map(({ status, reason }) => reason ?? status);
    const [hongKong, withOffset] = ['2026-11-17T20:05:00', '2026-11-17T20:05:00+08:00'];
    const item = payment(charge, { paidAt: hongKong });
    const reused = { ...item, amount: 7 };
    const converse = payment(await newCharge(), { paidAt: withOffset });
    expect(await outcomes([item, reused, converse])).toEqual(['matched', 'id_reused', 'matched']);
    const retold = [item, reused, { ...item, paidAt: withOffset }, { ...converse, paidAt: hongKong }];
    expect(await outcomes(retold)).toEqual(retold.map(() => 'duplicate'));
    // There it will be 20:05 only after the time at which this is told.
    await move('Asia/Kolkata');
    expect(await outcomes([item, reused])).toEqual(['duplicate', 'duplicate']);
    expect(await outcomes([{ ...item, id: 'unknown' }])).toEqual(['invalid']);
    await move('Asia/Hong_Kong');
  });

  test('bad items are invalid, the others count', async () => {
    const charge = await newCharge();
    const stranger = await seedMerchant(service);
    const accountOf = async (merchantId: string, mode: 'live' | 'sandbox') => {
      const found = { merchantId, mode, method: 'fps' };
      return (await service.prisma.receivingAccount.findFirstOrThrow({ where: found })).id;
    };
    const bad = [
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
      { receivingAccountId: await accountOf(merchant.merchant.id, 'sandbox') },
      { receivingAccountId: await accountOf(stranger.merchant.id, 'live') },
      { paidAt: 'yesterday' },
      { paidAt: minutesAfter(noon, 12).toISOString() },
    ];
    const results = await record([...bad.map((changes) => payment(charge, changes)), payment(charge)]);
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      ...bad.map(() => 'invalid'),
      'matched',
    ]);
    expect(results.filter(({ detail, transferId }) => detail && !transferId)).toHaveLength(bad.length);
  });

  test('a reference of 1,000 characters counts by the word at its end', async () => {
    const charge = await newCharge();
    const [result] = await record([
      payment(charge, { reference: `${'é '.repeat(495)} ${charge.paymentReference}` }),
    ]);
    expect(result).toMatchObject({ status: 'matched', chargeId: charge.id });
  });
});

describe('a charge that ends unpaid', () => {
  test('lets go of its part payments, which become exceptions', async () => {
    const [expiring, cancelling] = [await newCharge(), await newCharge()];
    const parts = await record([payment(expiring, { amount: 50 }), payment(cancelling, { amount: 60 })]);
    await cancelCharge(service, {
      merchantId: merchant.merchant.id,
      mode: 'live',
      id: cancelling.id,
      by: 'merchant',
      actor: 'key:test',
      now: minutesAfter(noon, 7),
    });
    await expireCharges(service, { now: minutesAfter(noon, 31) });
    const transfers = await service.prisma.transfer.findMany({
      where: { id: { in: parts.map(({ transferId }) => transferId ?? '') } },
    });
    expect(transfers.map(({ status, reason }) => [status, reason]).sort()).toEqual([
      ['exception', 'charge_cancelled'],
      ['exception', 'charge_expired'],
    ]);
    expect(await reload(expiring)).toMatchObject({ status: 'expired', amountReceived: 0n });
  });
});

test('paying, cancelling and expiring one charge at once end in one outcome, and every promise holds', async () => {
  for (let round = 0; round < count(10, 200); round++) {
    const charge = await newCharge();
    const id = { ...owner, id: charge.id };
    const cancel = cancelCharge(service, { ...id, by: 'merchant', actor: 'key:test', now: noon });
    const [cancelled] = await Promise.all([
      doneOrCode(cancel),
      record([payment(charge)]),
      record([payment(charge)]),
      expireCharges(service, { now: minutesAfter(noon, 31) }),
    ]);
    expect(['done', 'charge_not_pending']).toContain(cancelled);
    const { status } = await reload(charge);
    expect(['completed', 'cancelled', 'expired']).toContain(status);
  }
  await expectInvariants(service);
});
