import { expect, test } from 'vitest';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { eraseCustomer } from '../../../src/domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../../../src/domain/operations/customer-data/export-customer.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { seedActiveSubscription, seedPlan } from '../../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);

test('a customer’s subscriptions are exported, and emptied of the person by erasure', async () => {
  const merchant = await seedMerchant(service);
  const plan = await seedPlan(service, merchant, { input: { sendEmail: true } });
  const email = 'ada.lovelace@example.com';
  const { id, customerId } = await seedActiveSubscription(service, merchant, { plan, email });
  await renewSubscriptions(service, { now: new Date('2026-12-15T12:00:00.000Z') });
  const found = await exportCustomer(service, { id: customerId });
  expect(found.subscriptions).toMatchObject([
    { id, plan: 'Tea of the month', customer: { email }, invoices: [{ number: 1, amount: 100 }] },
  ]);
  expect(await eraseCustomer(service, { id: customerId, now: noon })).toMatchObject({ subscriptions: 1 });
  const left = await service.prisma.$queryRaw<object[]>`
    SELECT to_jsonb(s)::text AS row FROM subscription s UNION ALL SELECT to_jsonb(c)::text FROM charge c
    UNION ALL SELECT to_jsonb(e)::text FROM event e UNION ALL SELECT to_jsonb(m)::text FROM message m
    UNION ALL SELECT to_jsonb(l)::text FROM subscription_link l`;
  expect(left.length).toBeGreaterThan(5);
  expect(JSON.stringify(left)).not.toContain('lovelace');
});
