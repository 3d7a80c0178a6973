import { describe, expect } from 'vitest';
import type { Mode, Refund } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getPayUrl } from '../../src/domain/payments/customer-page/pay-url.ts';
import { cancelRefund } from '../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { decryptPayoutDetails } from '../../src/domain/payments/refund/decrypt-payout-details.ts';
import { getRefundDetailsUrl } from '../../src/domain/payments/refund/refund-details-page.ts';
import { reopenRefund } from '../../src/domain/payments/refund/reopen-refund.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { toPath } from '../../src/pages/to-path.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest as test } from '../setup/app-fixtures.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import {
  completeCharge,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
} from '../setup/subscriptions.ts';

const owner = (merchant: NewMerchant) =>
  ({ merchantId: merchant.merchant.id, mode: 'sandbox', actor: 'user:test', now: noon }) as const;

const toPagePath = (app: TestApp, refund: Refund) =>
  toPath(getRefundDetailsUrl(app.context.service, refund)!);

async function seedRefund(
  app: TestApp,
  merchant: NewMerchant,
  method: MethodCode = 'fps',
  merchantAmount = 128.5,
  merchantCurrency = 'HKD',
) {
  const { service } = app.context;
  const input = { method, merchantAmount, merchantCurrency };
  const charge = await seedCompletedCharge(service, merchant, { input });
  const { refund } = await createRefund(service, {
    ...owner(merchant),
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  return refund;
}

const readRefund = (app: TestApp, id: string) =>
  app.context.service.prisma.refund.findUniqueOrThrow({ where: { id } });

const hongKong = { bank: '004', account: '123-456789-838', holder: 'Ada Wong' };

const monthAfter = minutesAfter(noon, 29 * 24 * 60);

const pages = ['enrolment', 'invoice', 'document', 'subscription', 'refund'] as const;

/** Seeds one of each, and returns their paths without a query. */
async function seedPages(
  service: Service,
  merchant: NewMerchant,
  mode: Mode,
): Promise<Record<(typeof pages)[number], string>> {
  const plan = await seedPlan(service, merchant, { mode });
  const linked = { merchant: merchant.merchant, mode, input: { subscriptionPlanId: plan.id }, now: noon };
  const link = await createSubscriptionLink(service, linked);
  const { id } = await seedActiveSubscription(service, merchant, { plan });
  await renewSubscriptions(service, { now: monthAfter });
  const [invoice] = await readInvoices(service, id);
  const charge = await seedCharge(service, merchant, { mode });
  await completeCharge(service, charge, noon);
  const { refund } = await createRefund(service, {
    ...{ merchantId: merchant.merchant.id, mode, actor: 'user:test', now: noon },
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  const toPathname = (address: string) => new URL(address).pathname;
  return {
    enrolment: toPathname(getPayUrl(service, 'enrol', link)),
    invoice: toPathname(getPayUrl(service, 'invoice', invoice!)),
    document: toPathname(getPayUrl(service, 'invoice', invoice!, '/pdf')),
    subscription: toPathname(getPayUrl(service, 'subscription', await readSubscription(service, id))),
    refund: toPathname(getPayUrl(service, 'refund', refund)),
  };
}

const forms = ['enrolment', 'invoice', 'subscription', 'refund'] as const;

const pagesTest = test
  .extend('seeded', { scope: 'file' }, async ({ service }) => {
    const merchant = await seedMerchant(service);
    return {
      live: await seedPages(service, merchant, 'live'),
      sandbox: await seedPages(service, merchant, 'sandbox'),
    };
  })
  .extend('paths', ({ seeded, clock }) => {
    clock.set(monthAfter);
    return seeded;
  })
  .extend('customer', ({ app }) => createPageVisitor(app.app));

describe('refund page', () => {
  test('accepts the payout details once, and then shows the state of the refund', async ({
    app,
    merchant,
  }) => {
    const refund = await seedRefund(app, merchant);
    const visitor = createPageVisitor(app.app);
    const shown = await visitor.get(toPagePath(app, refund));
    expect(shown.status).toBe(200);
    expect(shown.headers['referrer-policy']).toBe('no-referrer');
    expect(shown.headers['cache-control']).toBe('no-store');
    expect(shown.main).toContain('Refund from Harbour Teas');
    expect(shown.main).toContain('HK$20.00');
    expect(shown.text).toContain('Sandbox');
    const redirected = await visitor.post(toPagePath(app, refund), hongKong);
    expect([redirected.status, redirected.location]).toEqual([303, toPagePath(app, refund)]);
    const sent = await visitor.get(redirected.location);
    expect(sent.main).toContain('Thank you, we’ve received your details');
    expect(sent.main).toContain(refund.payoutReference);
    const { id, status, detailsEncrypted } = await readRefund(app, refund.id);
    expect(status).toBe('processing');
    expect(detailsEncrypted).not.toContain('Ada');
    expect(await decryptPayoutDetails(app.context.service.secrets, { id, detailsEncrypted })).toEqual({
      bank: '004',
      account: '123456789838',
      holder: 'Ada Wong',
    });
    const other = { ...hongKong, account: '987654321838', holder: 'Eve' };
    expect((await visitor.post(toPagePath(app, refund), other)).main).toContain('Thank you');
    const after = await readRefund(app, refund.id);
    expect(after.detailsEncrypted).toBe(detailsEncrypted);
    await completeRefund(app.context.service, { ...owner(merchant), id: refund.id });
    expect((await visitor.get(toPagePath(app, refund))).main).toContain('Your refund has been sent');
  });

  test.for<[MethodCode, number, string, Record<string, string>, Record<string, string>]>([
    ['fps', 128.5, 'HKD', { ...hongKong, bank: '4' }, hongKong],
    ['fps', 128.5, 'HKD', { ...hongKong, account: '12' }, hongKong],
    ['fps', 128.5, 'HKD', { ...hongKong, holder: '  ' }, hongKong],
    [
      'au-bank-transfer',
      50,
      'AUD',
      { bank: '62-000', account: '12345678', holder: 'A' },
      { bank: '062-000', account: '12345678', holder: 'A' },
    ],
    [
      'nz-bank-transfer',
      50,
      'NZD',
      { account: '01-0902-0068388-00', holder: 'A' },
      { account: '01-0902-0068389-00', holder: 'A' },
    ],
    [
      'in-bank-transfer',
      500,
      'INR',
      { bank: 'HDFC1001234', account: '123456789', holder: 'A' },
      { bank: 'hdfc0001234', account: '123456789', holder: 'A' },
    ],
    [
      'prompt-pay',
      500,
      'THB',
      { bank: '', account: '1234567890', holder: 'A' },
      { bank: 'Kasikornbank', account: '123-4-56789-0', holder: 'A' },
    ],
  ] as const)(
    'validates the details of %s by the rules of its country (%i %s)',
    async ([method, amount, currency, wrong, right], { app, merchant }) => {
      const refund = await seedRefund(app, merchant, method, amount, currency);
      const visitor = createPageVisitor(app.app);
      const rejected = await visitor.post(toPagePath(app, refund), wrong);
      expect(rejected.status).toBe(400);
      expect(rejected.text).toContain('There is a problem');
      expect(rejected.text).toMatch(/aria-invalid="true"/);
      expect(rejected.text).toContain(`value="${wrong.account}"`);
      expect((await readRefund(app, refund.id)).status).toBe('initiated');
      expect((await visitor.post(toPagePath(app, refund), right)).status).toBe(303);
    },
  );

  test('displays that a refund was cancelled or sent', async ({ app, merchant }) => {
    const cancelled = await seedRefund(app, merchant);
    await cancelRefund(app.context.service, { ...owner(merchant), id: cancelled.id });
    const visitor = createPageVisitor(app.app);
    expect((await visitor.get(toPagePath(app, cancelled))).main).toContain('This refund was cancelled');
    expect((await visitor.post(toPagePath(app, cancelled), hongKong)).main).toContain('was cancelled');
    const sent = await seedRefund(app, merchant);
    await completeRefund(app.context.service, { ...owner(merchant), id: sent.id });
    expect((await visitor.get(toPagePath(app, sent))).main).toContain('Your refund has been sent');
  });

  test('asks again when the payout was returned, with a new link and the reason', async ({
    app,
    merchant,
  }) => {
    const refund = await seedRefund(app, merchant);
    const visitor = createPageVisitor(app.app);
    await visitor.post(toPagePath(app, refund), hongKong);
    const { refund: reopened } = await reopenRefund(app.context.service, {
      ...owner(merchant),
      id: refund.id,
      reason: 'The account is closed <b>.',
    });
    expect((await visitor.get(toPagePath(app, refund))).status).toBe(410);
    const shown = await visitor.get(toPagePath(app, reopened));
    expect(shown.text).toContain(
      'The last transfer was returned (“The account is closed &lt;b&gt;.”). Please',
    );
    expect((await visitor.post(toPagePath(app, reopened), hongKong)).status).toBe(303);
  });

  test.for(['zh', 'th'])('is displayed in %s', async (lang, { app, merchant }) => {
    const refund = await seedRefund(app, merchant);
    const shown = await createPageVisitor(app.app).get(`${toPagePath(app, refund)}&lang=${lang}`);
    expect(shown.text).toContain(`<html lang="${lang}"`);
    expect(shown.main).not.toContain('Where should we send your refund?');
  });

  test('rejects invalid tokens and forms of other sites', async ({ app, merchant }) => {
    const refund = await seedRefund(app, merchant);
    const visitor = createPageVisitor(app.app);
    const address = toPagePath(app, refund);
    for (const wrong of ['/pay/refund/x', address.replace('?', 'x?'), `/pay/refund/${refund.id}.`]) {
      expect((await visitor.get(wrong)).status).toBe(404);
    }
    const forged = await visitor.post(address, hongKong, { 'sec-fetch-site': 'cross-site' });
    expect(forged.status).toBe(403);
    expect((await readRefund(app, refund.id)).status).toBe('initiated');
  });
});

describe('sandbox pages', () => {
  pagesTest.for(pages)('of %s redirect to the URL of the sandbox', async (name, { paths, customer }) => {
    const path = paths.sandbox[name];
    const plain = await customer.get(`${path}?lang=zh`);
    expect([plain.status, plain.location]).toEqual([302, `${path}?lang=zh&isSandbox=true`]);
    expect((await customer.get(plain.location)).status).toBe(200);
    expect((await customer.get(`${path}?isSandbox=false`)).location).toBe(`${path}?isSandbox=true`);
  });

  pagesTest.for(forms)('of %s reject forms at another URL', async (name, { paths, customer }) => {
    const path = paths.sandbox[name];
    const sent = await customer.post(path, { do: 'reminders-off', method: 'fps', email: 'ada@example.com' });
    expect([sent.status, sent.location]).toEqual([303, `${path}?isSandbox=true`]);
  });
});

// Mail programs disable reminders at this URL; browsers are redirected to the page.
pagesTest('the URL for reminders follows the same rules', async ({ paths, customer }) => {
  const [live, sandbox] = [paths.live, paths.sandbox].map(({ subscription }) => `${subscription}/reminders`);
  expect((await customer.get(sandbox!)).location).toBe(`${sandbox}?isSandbox=true`);
  expect((await customer.get(`${live}?isSandbox=true`)).status).toBe(400);
});

describe('live pages', () => {
  pagesTest.for(pages)('of %s are rejected at URLs of the sandbox', async (name, { paths, customer }) => {
    const path = paths.live[name];
    expect((await customer.get(path)).status).toBe(200);
    const rejected = await customer.get(`${path}?isSandbox=true`);
    expect([rejected.status, rejected.main.includes('This payment isn’t a test')]).toEqual([400, true]);
  });

  pagesTest.for(forms)('of %s reject forms at URLs of the sandbox', async (name, { paths, customer }) => {
    const form = { do: 'reminders-off', method: 'fps', email: 'ada@example.com' };
    expect((await customer.post(`${paths.live[name]}?isSandbox=true`, form)).status).toBe(400);
  });
});
