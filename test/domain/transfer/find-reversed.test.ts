import { expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';
import { setupTransfers } from '../../setup/setup-transfers.ts';
import { recordOne, reverseOne, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

const { service, merchant, newCharge, reloadTransfer } = await setupTransfers(onCleanup);
const later = minutesAfter(noon, 90);

test.each([
  ['FPS/zebra 23-45 thanks', 'ZEBRA2345'],
  ['ＺＥＢＲＡ　２３４５', 'reversal of ZEBRA2345'],
  ['房租 11月', '房租11月'],
  ['Café, flat 7', 'CAFÉ FLAT 7'],
])('a credit of the words "%s" is taken back by one of "%s"', async (words, reversing) => {
  const { receivingAccountId } = await newCharge();
  const input = transferInput({ reference: words });
  const { transferId } = await recordOne(service, merchant, { receivingAccountId, input });
  const back = transferInput({ reference: reversing });
  const reversed = await reverseOne(service, merchant, { receivingAccountId, input: back, now: later });
  expect(await reloadTransfer(reversed.transferId)).toMatchObject({ reversalOfId: transferId });
});

test('of any number of equal credits a page at a time is read, until the one that is taken back', async () => {
  const charge = await newCharge();
  const { id } = await oldestOf(2_500, charge);
  let most = 0;
  const prisma = service.prisma.$extends({
    query: {
      async $allOperations({ args, query }) {
        const result = await query(args);
        if (Array.isArray(result)) most = Math.max(most, result.length);
        return result;
      },
    },
  });
  const counting = { ...service, prisma: prisma as unknown as typeof service.prisma };
  const input = transferInput({ reference: 'the oldest', bankReference: 'reversal:old' });
  const { receivingAccountId } = charge;
  const taken = await reverseOne(counting, merchant, { receivingAccountId, input, now: later });
  expect(taken.status).toBe('outgoing');
  expect(await reloadTransfer(taken.transferId)).toMatchObject({ reversalOfId: id });
  expect(most).toBeLessThanOrEqual(1_000);
});

/** Credits of HKD 50.00 that wait on the account of the charge, an hour apart; the oldest has other words. */
async function oldestOf(total: number, charge: Charge) {
  await service.pool.query(
    `INSERT INTO transfer (id, merchant_id, mode, receiving_account_id, source, bank_reference, fingerprint, direction,
       amount, currency, reference, paid_at, status, reason, version, created_at, updated_at)
     SELECT 'tr_many' || lpad(n::text, 6, '0'), $1, 'live', $2, 'manual', 'many' || n, 'x', 'credit', 5000, 'HKD',
       CASE WHEN n = $4 THEN 'the oldest' ELSE '你好' END, $3::timestamptz - n * interval '1 hour', 'exception',
       'missing_reference', 1, $3, $3 FROM generate_series(1, $4::int) n`,
    [charge.merchantId, charge.receivingAccountId, noon, total],
  );
  return service.prisma.transfer.findFirstOrThrow({ where: { reference: 'the oldest' } });
}
