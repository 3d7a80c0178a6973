import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { TransferInput } from '../../../src/domain/money-in/transfer/draft-transfer.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { setupTransfers } from '../../setup/setup-transfers.ts';
import { recordOne, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

const { service, merchant, newCharge, reload, reloadTransfer, getEventTypes } =
  await setupTransfers(onCleanup);

describe('two sources that tell of one payment', () => {
  const tell = (charge: Charge, changes: Partial<TransferInput>) =>
    recordOne(service, merchant, {
      receivingAccountId: charge.receivingAccountId,
      input: transferInput({ reference: charge.paymentReference, ...changes }),
    });

  test('are paired when their days by the account’s calendar are at most three apart', async () => {
    const charge = await newCharge();
    // 00:30 in Hong Kong on Tuesday the 17th; booked with a date alone on the 20th.
    const early = new Date('2026-11-16T16:30:00Z');
    expect((await tell(charge, { source: 'feed', bankReference: 'f1', paidAt: early })).status).toBe(
      'partial',
    );
    const booked = { paidAt: new Date('2026-11-20T00:00:00Z'), paidAtIsDate: true };
    expect((await tell(charge, booked)).status).toBe('duplicate');
    expect((await tell(charge, { source: 'manual', bankReference: 'h1', paidAt: early })).status).toBe(
      'duplicate',
    );
    expect(await reload(charge)).toMatchObject({ status: 'pending', amountReceived: 5_000n });
  });

  test('Two reports of one payment whose days are four apart are two payments', async () => {
    const charge = await newCharge();
    const early = new Date('2026-11-16T12:00:00Z');
    await tell(charge, { source: 'feed', bankReference: 'f2', paidAt: early });
    const late = { paidAt: new Date('2026-11-20T00:00:00Z'), paidAtIsDate: true };
    expect(await tell(charge, { bankReference: 's2', ...late })).toMatchObject({
      status: 'exception',
      reason: 'charge_expired',
    });
  });

  test('a bank reference that comes again with the nonce of another charge is another payment', async () => {
    const [one, two] = [await newCharge(), await newCharge()];
    expect((await tell(one, { bankReference: '//0001' })).status).toBe('partial');
    expect(await tell(two, { bankReference: '//0001' })).toMatchObject({
      status: 'exception',
      reason: 'id_reused',
    });
    expect((await tell(one, { bankReference: '//0001', reference: 'interim line' })).status).toBe(
      'duplicate',
    );
  });
});

describe('what must not be matched by itself', () => {
  const reference = 'PANDA2345';
  const tell = ({ receivingAccountId }: Charge, changes: Partial<TransferInput>) =>
    recordOne(service, merchant, {
      receivingAccountId,
      input: transferInput({ reference, ...changes }),
    });

  test.each(['returned_payment', 'batch', 'id_reused'] as const)(
    '%s that two kinds of file tell of is one, and waits once',
    async (exception) => {
      const charge = await newCharge();
      const minor = BigInt(100 + exception.length);
      const money = { minor, currency: 'HKD' };
      const first = await tell(charge, { fileKind: 'camt.054', money, exception });
      expect(first).toMatchObject({ status: 'exception', reason: exception });
      const second = await tell(charge, { fileKind: 'mt940', money, exception });
      expect(second.status).toBe('duplicate');
      expect(await reloadTransfer(second.transferId)).toMatchObject({ duplicateOfId: first.transferId });
      const another = await tell(charge, { fileKind: 'mt940', money, exception });
      expect(another).toMatchObject({ status: 'exception', reason: exception });
    },
  );

  test('without a word keeps its own reason', async () => {
    const charge = await newCharge();
    const bare = { reference: 'RETURN AC04', exception: 'returned_payment' as const };
    const money = { minor: 4_711n, currency: 'HKD' };
    await tell(charge, { fileKind: 'camt.054', money, ...bare });
    expect(await tell(charge, { fileKind: 'mt940', money, ...bare })).toMatchObject({
      status: 'exception',
      reason: 'returned_payment',
    });
  });

  test('a payment that came back, told first by a file that cannot say so, waits as that', async () => {
    const charge = await newCharge();
    const money = { minor: 4_712n, currency: 'HKD' };
    const { transferId, reason } = await tell(charge, { fileKind: 'csv', money });
    expect(reason).toBe('unknown_reference');
    const told = await tell(charge, { fileKind: 'camt.053', money, exception: 'returned_payment' });
    expect(told.status).toBe('duplicate');
    expect(await reloadTransfer(transferId)).toMatchObject({
      status: 'exception',
      reason: 'returned_payment',
    });
    expect(await getEventTypes(transferId)).toEqual(['transfer_exception']);
    await expectInvariants(service);
  });
});
