import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { TransferInput } from '../../../src/domain/transfer/draft-transfer.ts';
import { makeTill } from '../../setup/till.ts';
import { recordOne, transferInput } from '../../setup/transfers.ts';

const { service, merchant, newCharge, reload } = await makeTill();

describe('two sources that tell of one payment', () => {
  const tell = (charge: Charge, changes: Partial<TransferInput>) =>
    recordOne(service, merchant, {
      receivingAccountId: charge.receivingAccountId,
      input: transferInput({ reference: charge.nonce, ...changes }),
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
    expect((await tell(charge, { source: 'hand', bankReference: 'h1', paidAt: early })).status).toBe(
      'duplicate',
    );
    expect(await reload(charge)).toMatchObject({ status: 'pending', amountReceived: 5_000n });
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
