import { expect, test } from 'vitest';
import { ensureDemoSubscriptions } from '../../src/demo/demo-subscriptions.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { noon, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

test('the demo’s subscriptions are made while the workers run, once', async () => {
  const service = await setupService(onCleanup);
  const now = noon;
  const { merchant } = await seedMerchant(service, {}, now);
  let isMade = false;
  const worker = async () => {
    while (!isMade) await expireCharges(service, { now });
  };
  const make = async () => {
    await ensureDemoSubscriptions(service, merchant.id, now).finally(() => {
      isMade = true;
    });
  };
  await Promise.all([make(), worker()]);
  const found = () =>
    service.prisma.subscription.findMany({
      select: { email: true, status: true, numPaymentsComplete: true },
      orderBy: { id: 'asc' },
    });
  const made = await found();
  expect(made).toEqual([
    { email: 'mei.lin@example.com', status: 'inactive', numPaymentsComplete: 1 },
    { email: 'somchai@example.com', status: 'active', numPaymentsComplete: 1 },
    { email: 'aisyah@example.com', status: 'active', numPaymentsComplete: 1 },
    { email: 'jack@example.com', status: 'cancelled', numPaymentsComplete: 1 },
    { email: 'ada@example.com', status: 'inactive', numPaymentsComplete: 0 },
  ]);
  await ensureDemoSubscriptions(service, merchant.id, now);
  expect(await found()).toEqual(made);
});
