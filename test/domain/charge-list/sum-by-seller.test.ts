import { expect } from 'vitest';
import { sumBySeller } from '../../../src/domain/payments/charge-list/sum-by-seller.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { dayMs } from '../../../src/kit/duration.ts';
import { seedSession } from '../../setup/checkout.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

test('sales at the counter are summed by seller and currency, with the refunds of the period', async ({
  service,
  merchant,
}) => {
  const scope = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  const addSale = async (chargeId: string, sellerId: string | null, now: Date) => {
    const session = await seedSession(service, merchant, { now });
    await service.prisma.checkoutSession.update({ where: { id: session.id }, data: { sellerId } });
    await service.prisma.charge.update({ where: { id: chargeId }, data: { sessionId: session.id } });
  };
  const sell = async (sellerId: string | null, now: Date, input: object) => {
    const charge = await seedCharge(service, merchant, { now, input });
    await addSale(charge.id, sellerId, now);
    await payCharge(service, merchant, charge, { now });
  };
  const yesterday = new Date(noon.getTime() - dayMs);
  await sell('usr_ada', noon, { email: 'a@example.com' });
  await sell('usr_ada', noon, { email: 'b@example.com', merchantAmount: 100 });
  await sell('usr_bob', noon, { email: 'c@example.com', merchantAmount: 50 });
  const sgd = { method: 'paynow', merchantCurrency: 'SGD', merchantAmount: 45.2 };
  await sell('usr_bob', noon, { ...sgd, email: 'd@example.com' });
  await sell(null, noon, { email: 'online@example.com' });
  const { id, chargeId } = await seedPayableRefund(service, merchant, { now: yesterday, amount: 20 });
  await addSale(chargeId, 'usr_cho', yesterday);
  await completeRefund(service, { ...scope, id, actor: 'user:test', now: noon });
  const span = { from: minutesAfter(noon, -60), before: minutesAfter(noon, 60) };
  expect(await sumBySeller({ stale: service.prisma }, { ...scope, ...span })).toEqual([
    {
      sellerId: 'usr_ada',
      collected: { money: { minor: 22_850n, currency: 'HKD' }, charges: 2 },
      refundedMinor: 0n,
    },
    {
      sellerId: 'usr_bob',
      collected: { money: { minor: 5_000n, currency: 'HKD' }, charges: 1 },
      refundedMinor: 0n,
    },
    {
      sellerId: 'usr_bob',
      collected: { money: { minor: 4_520n, currency: 'SGD' }, charges: 1 },
      refundedMinor: 0n,
    },
    {
      sellerId: 'usr_cho',
      collected: { money: { minor: 0n, currency: 'HKD' }, charges: 0 },
      refundedMinor: 2_000n,
    },
  ]);
  const sandbox = { ...scope, mode: 'sandbox', ...span } as const;
  expect(await sumBySeller({ stale: service.prisma }, sandbox)).toEqual([]);
});
