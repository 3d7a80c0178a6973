import { describe, expect, onTestFinished } from 'vitest';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { getRefundDetailsUrl } from '../../src/domain/payments/refund/refund-details-page.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { createRateLimiter } from '../../src/kit/rate-limiter.ts';
import { setupApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const test = appTest.extend('customer', ({ app }) => createPageVisitor(app.app));

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'id' };

describe('A browser', () => {
  test.for([
    ['/%', 400, 'Tautan ini tidak lengkap'],
    ['/checkout/%E0%A4%A', 400, 'Tautan ini tidak lengkap'],
    ['/pay/refund/%', 400, 'Tautan ini tidak lengkap'],
    ['/no/such/page', 404, 'Halaman tidak ditemukan'],
    ['/pay/refund', 404, 'Halaman tidak ditemukan'],
    ['/checkout/nothing', 404, 'Halaman tidak ditemukan'],
    ['/pay/refund/xyz', 404, 'Pembayaran ini tidak ditemukan'],
  ] as const)('receives a page in its language for %s', async ([url, status, title], { app }) => {
    const response = await app.app.inject({ url, headers: browser });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-security-policy']).toContain("script-src 'self'");
    expect(response.body).toContain(title);
  });
});

test.for(['/%', '/checkout/%E0%A4%A', '/no/such/page'])(
  'a client of the API gets problem+json for %s',
  async (url, { app }) => {
    const { headers } = await app.app.inject({ url, headers: { accept: '*/*' } });
    expect(headers['content-type']).toContain('application/problem+json');
  },
);

test('a rejected visitor of the job dashboard gets a page with a link to the dashboard', async () => {
  const { app } = await setupApp(onTestFinished);
  app.get('/jobs', () => {
    throw new DomainError('permission_denied', 'Only operators can view the jobs');
  });
  const page = await app.inject({ url: '/jobs', headers: browser });
  expect(page.statusCode).toBe(403);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain('Only operators can view the jobs');
  expect(page.body).toContain('href="/dashboard"');
  const client = await app.inject({ url: '/jobs' });
  expect(client.headers['content-type']).toContain('application/problem+json');
});

test('too many requests return 429 with a page that loads itself again', async () => {
  const limiter = createRateLimiter(1);
  const { app } = await setupApp(onTestFinished, { limiter });
  const get = () => app.inject({ url: '/checkout?sessionId=ses_x', headers: browser });
  let response = await get();
  for (let i = 0; i < 5 && response.statusCode !== 429; i++) response = await get();
  expect(response.statusCode).toBe(429);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  expect(response.body).toContain('<meta http-equiv="refresh" content="30">');
  expect(response.body).toContain('Coba lagi');
  expect(response.body).not.toMatch(/too many|retry after/i);
});

test('an internal error returns a page without details, and an outage one that loads itself again', async () => {
  let error: Error | undefined;
  const { app, context } = await setupApp(onTestFinished);
  const { prisma } = context.service;
  const get = () => {
    if (error) throw error;
    return prisma;
  };
  Object.defineProperty(context.service, 'prisma', { get });
  const visit = () => app.inject({ url: '/checkout?sessionId=ses_x', headers: browser });
  error = new Error('internal detail');
  const failed = await visit();
  error = Object.assign(new Error('internal detail'), { code: 'ECONNREFUSED' });
  const unavailable = await visit();
  error = undefined;
  expect([failed.statusCode, unavailable.statusCode]).toEqual([500, 503]);
  expect(failed.body).toContain('Terjadi kesalahan di sistem kami');
  expect(unavailable.body).toContain('Halaman ini sementara tidak tersedia');
  expect(unavailable.body).toContain('<meta http-equiv="refresh" content="30">');
  for (const { body } of [failed, unavailable]) {
    expect(body).toContain('Coba lagi');
    expect(body).not.toContain('internal detail');
  }
});

describe('An invalid form is shown again with our own messages, not those of the browser', () => {
  test('of a refund', async ({ service, merchant, customer }) => {
    const charge = await seedCharge(service, merchant, { now: noon });
    await payCharge(service, merchant, charge, { now: noon });
    const { merchantId } = charge;
    const { refund } = await createRefund(service, {
      merchantId,
      mode: 'live',
      actor: 'user:test',
      now: noon,
      input: { chargeId: charge.id, customerAmount: 20 },
    });
    const { pathname } = new URL(getRefundDetailsUrl(service, refund)!);
    expect((await customer.get(pathname)).text).toContain('<form method="post" novalidate');
    const { status, text } = await customer.post(pathname, { bank: '', account: '', holder: '' });
    expect(status).toBe(400);
    for (const name of ['bank', 'account', 'holder'])
      expect(text).toContain(`<p class="field-error" id="${name}-error">`);
  });

  test('of an enrolment', async ({ service, merchant, customer }) => {
    const plan = await seedPlan(service, merchant, { now: noon });
    const link = await createSubscriptionLink(service, {
      merchant: merchant.merchant,
      mode: plan.mode,
      input: { subscriptionPlanId: plan.id },
      now: noon,
    });
    const { pathname } = new URL(getEnrolmentUrl(service, link));
    const { text } = await customer.get(pathname);
    expect(text).toContain('<form method="post" novalidate');
    const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(text) ?? [];
    const rejected = await customer.post(pathname, { formToken, email: 'x' });
    expect(rejected.status).toBe(400);
    expect(rejected.main).toContain('Choose a payment method.');
    expect(rejected.main).toContain('Enter a full email address');
  });
});
