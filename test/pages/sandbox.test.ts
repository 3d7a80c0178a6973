import { describe, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { payUrl } from '../../src/domain/payments/checkout/pay-url.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import {
  completeCharge,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
} from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

/** The customer's pages under `/pay`: the address says whether it is of the sandbox, and what it opens holds it to that. */

const monthAfter = minutesAfter(noon, 29 * 24 * 60);
const { app, context } = await setupApp(onCleanup, { clock: createFakeClock(monthAfter) });
const { service } = context;
const merchant = await seedMerchant(service);
const customer = createPageVisitor(app);

/** The paths of one of each, without a query. */
async function pathsOf(mode: Mode): Promise<Record<string, string>> {
  const plan = await seedPlan(service, merchant, { mode });
  const linked = { merchant: merchant.merchant, mode, input: { subscriptionPlanId: plan.id }, now: noon };
  const link = await createSubscriptionLink(service, linked);
  const { id } = await seedActiveSubscription(service, merchant, { plan });
  await renewSubscriptions(service, { now: monthAfter });
  const [invoice] = await readInvoices(service, id);
  const charge = await seedCharge(service, merchant, { mode });
  await completeCharge(service, charge, noon);
  const { refund } = await createRefund(service, {
    ...{ merchantId: merchant.merchant.id, mode, actor: 'test', now: noon },
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  const pathOf = (address: string) => new URL(address).pathname;
  return {
    enrolment: pathOf(payUrl(service, 'enrol', link)),
    invoice: pathOf(payUrl(service, 'invoice', invoice!)),
    document: pathOf(payUrl(service, 'invoice', invoice!, '/pdf')),
    subscription: pathOf(payUrl(service, 'subscription', await readSubscription(service, id))),
    refund: pathOf(payUrl(service, 'refund', refund)),
  };
}

const paths = { live: await pathsOf('live'), sandbox: await pathsOf('sandbox') };
const forms = ['enrolment', 'invoice', 'subscription', 'refund'];

describe('of the sandbox', () => {
  test.each(Object.entries(paths.sandbox))('%s is found at the address that says so', async (_, path) => {
    const plain = await customer.get(`${path}?lang=zh`);
    expect([plain.status, plain.location]).toEqual([302, `${path}?lang=zh&isSandbox=true`]);
    expect((await customer.get(plain.location)).status).toBe(200);
    expect((await customer.get(`${path}?isSandbox=false`)).location).toBe(`${path}?isSandbox=true`);
  });

  test.each(forms)('%s does nothing at another', async (name) => {
    const path = paths.sandbox[name]!;
    const sent = await customer.post(path, { do: 'reminders-off', method: 'fps', email: 'ada@example.com' });
    expect([sent.status, sent.location]).toEqual([303, `${path}?isSandbox=true`]);
  });
});

/** Where programs for mail switch reminders off: a browser is led from there to the page. */
test('the address of reminders is held to it too', async () => {
  const [live, sandbox] = [paths.live, paths.sandbox].map(({ subscription }) => `${subscription}/reminders`);
  expect((await customer.get(sandbox!)).location).toBe(`${sandbox}?isSandbox=true`);
  expect((await customer.get(`${live}?isSandbox=true`)).status).toBe(400);
});

describe('live', () => {
  test.each(Object.entries(paths.live))('%s is refused at an address of the sandbox', async (_, path) => {
    expect((await customer.get(path)).status).toBe(200);
    const refused = await customer.get(`${path}?isSandbox=true`);
    expect([refused.status, refused.main.includes('This payment is not a test')]).toEqual([400, true]);
  });

  test.each(forms)('%s does nothing at one', async (name) => {
    const form = { do: 'reminders-off', method: 'fps', email: 'ada@example.com' };
    expect((await customer.post(`${paths.live[name]}?isSandbox=true`, form)).status).toBe(400);
  });
});
