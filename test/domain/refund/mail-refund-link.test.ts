import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { refundDetailsUrl } from '../../../src/domain/payments/refund/details-url.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { makeCompletedCharge, makeMerchant, noon } from '../../setup/makers.ts';
import { readContent } from '../../setup/messages.ts';
import { adasAccount } from '../../setup/payouts.ts';
import { testService } from '../../setup/service.ts';

/** The customer is mailed the link of the refund's page, and a new one when the payout came back. */

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service);
});

const owner = () =>
  ({ merchantId: merchant.merchant.id, mode: 'sandbox', actor: 'user:test', now: noon }) as const;

async function mails() {
  const rows = await service.prisma.message.findMany({
    where: { kind: 'refund-link' },
    orderBy: { dedupeKey: 'asc' },
  });
  return Promise.all(
    rows.map(async (row) => ({
      to: row.recipient,
      subject: row.subject,
      language: row.language,
      ...(await readContent(service, row)),
    })),
  );
}

test('the link is mailed once for each asking, in the language of the method’s country', async () => {
  const charge = await makeCompletedCharge(service, merchant);
  const { refund } = await createRefund(service, {
    ...owner(),
    input: { chargeId: charge.id, customerAmount: 20.5 },
  });
  const [first] = await mails();
  expect(first).toMatchObject({ to: 'ada@example.com', language: 'zh', subject: 'Harbour Teas 给您的退款' });
  expect(first!.text).toContain(refundDetailsUrl(service, refund));
  expect(first!.text).toMatch(/HKD\s?20\.50/);
  expect(first!.text).toContain(refund.payoutReference);

  await submitRefundDetails(service, { ...owner(), id: refund.id, details: adasAccount });
  const again = await reopenRefund(service, { ...owner(), id: refund.id, reason: 'Account closed' });
  const [, second, ...more] = await mails();
  expect(second!.subject).toContain('被退回');
  expect(second!.text).toContain(refundDetailsUrl(service, again.refund));
  expect(second!.text).toContain('Account closed');
  expect(second!.text).not.toContain(refundDetailsUrl(service, refund));
  expect(more).toEqual([]);
});

test('nothing is mailed with a refund that is refused', async () => {
  const before = await service.prisma.message.count();
  const charge = await makeCompletedCharge(service, merchant, { input: { merchantAmount: 10 } });
  const input = { chargeId: charge.id, customerAmount: 1_000 };
  await expect(createRefund(service, { ...owner(), input })).rejects.toThrow('can still be refunded');
  expect(await service.prisma.message.count()).toBe(before);
});
