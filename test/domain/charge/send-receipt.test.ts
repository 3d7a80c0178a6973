import { expect } from 'vitest';
import { sendReceipt } from '../../../src/domain/payments/charge/send-receipt.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

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
