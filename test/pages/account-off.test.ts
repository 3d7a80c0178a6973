import { expect, test } from 'vitest';
import { cancelToken, clientToken } from '../../src/domain/checkout/page-tokens.ts';
import { testApp } from '../setup/app.ts';
import { makeSession } from '../setup/checkout.ts';
import { testClock } from '../setup/clock.ts';
import { makeCharge, makeMerchant, noon } from '../setup/makers.ts';
import { pageVisitor } from '../setup/page-visitor.ts';

test('with the account off nobody is asked anew; who is asked already may see, pay and cancel', async () => {
  const { app, context } = await testApp({ clock: testClock(noon) });
  const { service } = context;
  const merchant = await makeMerchant(service);
  const charge = await makeCharge(service, merchant);
  const session = await makeSession(service, merchant, { now: noon });
  await service.prisma.merchant.update({ where: { id: merchant.merchant.id }, data: { disabledAt: noon } });
  const customer = pageVisitor(app);
  expect((await customer.get(`/checkout?sessionId=${session.id}`)).status).toBe(403);
  const page = `/checkout?charge=${clientToken(service.secrets, charge.id)}`;
  const shown = await customer.get(page);
  expect([shown.status, shown.main.includes('Waiting for your payment')]).toEqual([200, true]);
  const headers = { 'cancel-token': cancelToken(service.secrets, charge.id) };
  const cancelled = await app.inject({ method: 'PATCH', url: `/charges/${charge.id}/cancel`, headers });
  expect([cancelled.statusCode, cancelled.json()]).toEqual([200, true]);
});
