import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../../src/domain/service.ts';
import type { TransferInput } from '../../../src/domain/transfer/draft-transfer.ts';
import { recordBatch, type TransferResult } from '../../../src/domain/transfer/record-batch.ts';
import { makeCharge, makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { testService } from '../../setup/service.ts';

let service: Service;
let merchant: NewMerchant;
let number = 0;

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service);
});

const newCharge = () => makeCharge(service, merchant, { input: { email: `payer${++number}@example.com` } });
const reload = (charge: Charge) => service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });

describe('two sources that tell of one payment', () => {
  const recordLine = (charge: Charge, changes: Partial<TransferInput>) =>
    recordAs(charge, { source: 'statement', bankReference: `line-${++number}`, ...changes });

  async function recordAs(charge: Charge, changes: Partial<TransferInput>): Promise<TransferResult> {
    const account = await service.prisma.receivingAccount.findUniqueOrThrow({
      where: { id: charge.receivingAccountId },
    });
    const money = { minor: 5_000n, currency: 'HKD' };
    const input: TransferInput = {
      source: 'statement',
      bankReference: '',
      content: '5000 HKD',
      money,
      reference: charge.nonce,
      paidAt: noon,
      paidAtIsDate: false,
      ...changes,
    };
    const now = minutesAfter(noon, 60);
    const recording = { merchant: merchant.merchant, account, actor: 'bank', now };
    const [result] = await recordBatch(service, recording, [input]);
    return result as TransferResult;
  }

  test('are paired when their days by the account’s calendar are at most three apart', async () => {
    const charge = await newCharge();
    // 00:30 in Hong Kong on Tuesday the 17th; booked with a date alone on the 20th.
    const early = new Date('2026-11-16T16:30:00Z');
    expect((await recordAs(charge, { source: 'feed', bankReference: 'f1', paidAt: early })).status).toBe(
      'partial',
    );
    const booked = { paidAt: new Date('2026-11-20T00:00:00Z'), paidAtIsDate: true };
    expect((await recordLine(charge, booked)).status).toBe('duplicate');
    expect((await recordAs(charge, { source: 'hand', bankReference: 'h1', paidAt: early })).status).toBe(
      'duplicate',
    );
    expect(await reload(charge)).toMatchObject({ status: 'pending', amountReceived: 5_000n });
  });

  test('a bank reference that comes again with the nonce of another charge is another payment', async () => {
    const [one, two] = [await newCharge(), await newCharge()];
    expect((await recordLine(one, { bankReference: '//0001' })).status).toBe('partial');
    expect(await recordLine(two, { bankReference: '//0001' })).toMatchObject({
      status: 'exception',
      reason: 'id_reused',
    });
    expect((await recordLine(one, { bankReference: '//0001', reference: 'interim line' })).status).toBe(
      'duplicate',
    );
  });
});
