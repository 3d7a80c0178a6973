import { expect } from 'vitest';
import { acceptShortfall } from '../../../src/domain/money-in/transfer/review/accept-shortfall.ts';
import { sendReceipt } from '../../../src/domain/payments/charge/send-receipt.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { readContent } from '../../setup/messages.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge } from '../../setup/seed.ts';
import { transferTest as test } from '../../setup/transfer-test.ts';
import { payCharge } from '../../setup/transfers.ts';

async function readReceipts(service: Service, merchantId: string): Promise<string[]> {
  const where = { merchantId, kind: 'receipt' };
  const messages = await service.prisma.message.findMany({ where, orderBy: { id: 'asc' } });
  return Promise.all(messages.map(async (message) => (await readContent(service, message)).text));
}

test('a receipt is emailed to the customer of a paid charge when the merchant asks, once in each hour', async ({
  service,
  merchant,
}) => {
  const { id: merchantId } = merchant.merchant;
  const charge = await seedCharge(service, merchant, { input: { email: 'mei@example.com' } });
  const send = (now = noon) =>
    sendReceipt(service, {
      ...{ merchantId, mode: 'live', id: charge.id },
      audit: { actor: 'user:ada', now },
    });
  await expect(send()).rejects.toMatchObject({ code: 'invalid_request' });
  await payCharge(service, merchant, charge, { now: noon });
  await send();
  await expect(send(minutesAfter(noon, 59))).rejects.toMatchObject({ code: 'rate_limited' });
  await send(minutesAfter(noon, 60));
  const where = { merchantId, kind: 'receipt' };
  const messages = await service.prisma.message.findMany({ where });
  expect(messages.map(({ recipient }) => recipient)).toEqual(Array(2).fill('mei@example.com'));
  const actions = await service.prisma.auditEntry.count({
    where: { merchantId, action: 'charge.receipt_sent', objectId: charge.id },
  });
  expect(actions).toBe(2);
});

test('a receipt states the amount that was received, and cannot be sent after the payment was reversed', async ({
  service,
  merchant,
  transfers,
}) => {
  const { id: merchantId } = merchant.merchant;
  await service.prisma.merchant.update({ where: { id: merchantId }, data: { emailReceipts: true } });
  const charge = await transfers.newCharge();
  const { transferId } = await transfers.record(charge, { minor: 8_000n, now: minutesAfter(noon, 1) });
  await acceptShortfall(service, { ...transfers.decision, id: charge.id });
  const send = () =>
    sendReceipt(service, { ...transfers.owner, id: charge.id, audit: transfers.decision.audit });
  await send();
  const receipts = await readReceipts(service, merchantId);
  expect(receipts).toHaveLength(2);
  for (const text of receipts) {
    expect(text.match(/HK\$[\d.]+/g)).toEqual(['HK$80.00', 'HK$80.00']);
  }
  const { bankReference } = await transfers.reloadTransfer(transferId);
  await transfers.reverse(charge, { minor: 8_000n, reversedReference: bankReference });
  await expect(send()).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('a charge whose payment was not reversed'),
  });
});

test('the receipt of a sandbox charge that was completed without a transfer states the requested amount', async ({
  service,
  merchant,
}) => {
  const { id: merchantId } = merchant.merchant;
  await service.prisma.merchant.update({ where: { id: merchantId }, data: { emailReceipts: true } });
  await seedCompletedCharge(service, merchant);
  expect(await readReceipts(service, merchantId)).toMatchObject([expect.stringContaining('HK$128.50')]);
});
