import { expect, test } from 'vitest';
import { createCancelToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { refundDetailsUrl } from '../../src/domain/payments/refund/details-url.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp } from '../setup/app.ts';
import { chargePath, seedSession, sessionPath } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { noon, seedCharge, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

test('with the account off nobody is asked anew; who is asked already may see, pay and cancel', async () => {
  const { app, context } = await setupApp(onCleanup, { clock: createFakeClock(noon) });
  const { service } = context;
  const merchant = await seedMerchant(service);
  const charge = await seedCharge(service, merchant);
  const session = await seedSession(service, merchant, { now: noon });
  await service.prisma.merchant.update({ where: { id: merchant.merchant.id }, data: { disabledAt: noon } });
  const customer = createPageVisitor(app);
  expect((await customer.get(sessionPath(session))).status).toBe(403);
  const shown = await customer.get(chargePath(service, charge));
  expect([shown.status, shown.main.includes('Waiting for your payment')]).toEqual([200, true]);
  const headers = { 'cancel-token': createCancelToken(service.secrets, charge) };
  const cancelled = await app.inject({ method: 'PATCH', url: `/charges/${charge.id}/cancel`, headers });
  expect([cancelled.statusCode, cancelled.json()]).toEqual([200, true]);
});

test('with the account off nobody who has paid is told that they have not', async () => {
  const { app, context } = await setupApp(onCleanup, { clock: createFakeClock(noon) });
  const { service } = context;
  const merchant = await seedMerchant(service);
  const charge = await seedCompletedCharge(service, merchant);
  const owner = { merchantId: merchant.merchant.id, mode: 'sandbox', actor: 'test', now: noon } as const;
  const { refund } = await createRefund(service, {
    ...owner,
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  const path = toPath(refundDetailsUrl(service, refund)!);
  await service.prisma.merchant.update({ where: { id: merchant.merchant.id }, data: { disabledAt: noon } });
  const { status, main } = await createPageVisitor(app).get(path);
  expect(status).toBe(403);
  expect(main).toContain('If you have already paid, your payment is still valid.');
  expect(main).not.toContain('You haven’t been charged');
});
