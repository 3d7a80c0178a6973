import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { newId } from '../../src/kit/id.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest as test } from '../setup/fixtures.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { seedActiveSubscription, seedPlan, seedSubscription } from '../setup/subscriptions.ts';

const call = (
  app: TestApp,
  merchant: NewMerchant,
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
  keys = merchant.keys.live,
) => callApi(app.app, { method, url, keys, body });

describe('POST /subscription-link', () => {
  test('returns the URL where customers enrol', async ({ app, service, merchant }) => {
    const plan = await seedPlan(service, merchant);
    const body = {
      subscriptionPlanId: plan.id,
      apiKey: merchant.keys.live.publishableKey,
      customer: { first_name: 'Ada', last_name: 'L', email: 'ada@example.com' },
      paymentMethods: { HK: ['fps'] },
      notifyPayload: 'n',
      redirectUrl: 'https://shop.example',
    };
    const { status, json } = await call(app, merchant, 'POST', '/subscription-link', body);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['subscriptionLink']);
    const page = await app.app.inject({ url: new URL(json.subscriptionLink).pathname });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('ada@example.com');
  });

  test('returns a URL with isSandbox=true in the sandbox', async ({ app, service, merchant }) => {
    const plan = await seedPlan(service, merchant, { mode: 'sandbox' });
    const body = { subscriptionPlanId: plan.id };
    const { json } = await call(app, merchant, 'POST', '/subscription-link', body, merchant.keys.sandbox);
    expect(json.subscriptionLink).toMatch(/\/pay\/enrol\/slk_[^?]+\?isSandbox=true$/);
  });

  test.for([
    [404, 'subscription_plan_not_found', { subscriptionPlanId: 'pl_none' }],
    [400, 'invalid_request', {}],
    [400, 'invalid_request', { apiKey: 'pk_live_other' }],
    [400, 'invalid_request', { paymentMethods: { HK: ['paynow'] } }],
    [400, 'invalid_request', { subscriptionPlan: 'x' }],
  ] as const)('returns %i %s for %o', async ([status, code, invalidInput], { app, service, merchant }) => {
    const plan = await seedPlan(service, merchant);
    const planInput = Object.keys(invalidInput).length === 0 ? {} : { subscriptionPlanId: plan.id };
    const response = await call(app, merchant, 'POST', '/subscription-link', {
      ...planInput,
      ...invalidInput,
    });
    expect([response.status, response.json.code]).toEqual([status, code]);
  });

  test('returns 409 for a plan that accepts no new subscriptions', async ({ app, service, merchant }) => {
    const plan = await seedPlan(service, merchant);
    const change = { merchant: merchant.merchant, mode: 'live' as const, id: plan.id, now: noon };
    await updateSubscriptionPlan(service, { ...change, input: { status: 'inactive' } });
    const { status, json } = await call(app, merchant, 'POST', '/subscription-link', {
      subscriptionPlanId: plan.id,
    });
    expect([status, json.code]).toEqual([409, 'subscription_plan_inactive']);
  });
});

describe('GET /subscriptions/{id}', () => {
  test('returns the documented subscription before its first payment and with an open invoice', async ({
    app,
    service,
    merchant,
  }) => {
    const ownMerchant = await seedMerchant(service);
    const { subscription, charge } = await seedSubscription(service, ownMerchant);
    const fresh = await call(
      app,
      merchant,
      'GET',
      `/subscriptions/${subscription.id}`,
      undefined,
      ownMerchant.keys.live,
    );
    expect(fresh.json).toMatchObject({
      id: subscription.id,
      subscriptionPlanId: subscription.planId,
      status: 'inactive',
      nextPayment: null,
      activeUntil: null,
      numPaymentsComplete: 0,
      invoices: [],
      charges: [{ id: charge!.id, subscriptionId: subscription.id, status: 'pending' }],
    });
    const { id } = await seedActiveSubscription(service, ownMerchant, { email: 'b@example.com' });
    await renewSubscriptions(service, { now: new Date('2026-12-15T12:00:00.000Z') });
    const { json } = await call(
      app,
      merchant,
      'GET',
      `/subscriptions/${id}`,
      undefined,
      ownMerchant.keys.live,
    );
    expect(json).toMatchObject({
      status: 'active',
      activeUntil: '2026-12-17T12:00:00.000Z',
      nextPayment: '2026-12-17T12:00:00.000Z',
      numPaymentsComplete: 1,
    });
    expect(json.charges.map(({ status }: { status: string }) => status)).toEqual(['pending', 'completed']);
    expect(json.invoices).toEqual([
      {
        id: expect.stringMatching(/^in_/),
        subscriptionId: id,
        customer: json.customer,
        chargeId: json.charges[0].id,
        checkoutLink: expect.stringContaining('/pay/invoice/in_'),
        invoiceDueOn: '2026-12-17T12:00:00.000Z',
      },
    ]);
    const ofCharge = await call(
      app,
      merchant,
      'GET',
      `/charges/${json.charges[0].id}`,
      undefined,
      ownMerchant.keys.live,
    );
    expect(ofCharge.json).toEqual(json.charges[0]);
  });

  test('returns the newest 50 charges, newest first', async ({ app, service, merchant }) => {
    const ownMerchant = await seedMerchant(service);
    const { subscription, charge } = await seedSubscription(service, ownMerchant);
    const { destination, orders, ...row } = charge!;
    const ids = Array.from({ length: 51 }, (_, i) => newId('charge', minutesAfter(noon, i + 1)));
    await service.prisma.charge.createMany({
      data: ids.map((id, i) => ({
        ...row,
        ...{ id, destination: destination as object, orders: orders as object[], status: 'cancelled' },
        paymentReference: `OTHER${2222 + i}`,
      })),
    });
    const { json } = await call(
      app,
      merchant,
      'GET',
      `/subscriptions/${subscription.id}`,
      undefined,
      ownMerchant.keys.live,
    );
    expect(json.charges.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1).reverse());
  });

  test('returns 404 for an unknown subscription and another merchant’s', async ({
    app,
    service,
    merchant,
  }) => {
    const { subscription } = await seedSubscription(service, merchant, { email: 'x@example.com' });
    const other = await seedMerchant(service);
    const foreign = await call(
      app,
      merchant,
      'GET',
      `/subscriptions/${subscription.id}`,
      undefined,
      other.keys.live,
    );
    expect([foreign.status, foreign.json.code]).toEqual([404, 'subscription_not_found']);
    expect((await call(app, merchant, 'GET', '/subscriptions/sub_none')).status).toBe(404);
  });
});

test('GET /subscriptions lists subscriptions newest first, and filters as documented', async ({
  app,
  service,
  merchant,
}) => {
  const ownMerchant = await seedMerchant(service);
  const plan = await seedPlan(service, ownMerchant);
  const days = ['2026-11-18', '2026-11-19'].map((day) => new Date(`${day}T08:00:00.250Z`));
  const a = await seedSubscription(service, ownMerchant, { plan, email: 'Ann@example.com', now: days[0]! });
  const b = await seedSubscription(service, ownMerchant, {
    email: 'bob@example.com',
    method: 'paynow',
    now: days[1]!,
  });
  const list = async (query: string) => {
    const { json } = await call(
      app,
      merchant,
      'GET',
      `/subscriptions?${query}`,
      undefined,
      ownMerchant.keys.live,
    );
    return json.subscriptions.map(({ id }: { id: string }) => id);
  };
  expect(await list('')).toEqual([b.subscription.id, a.subscription.id]);
  expect(await list('limit=1&page=2')).toEqual([a.subscription.id]);
  expect(await list(`subscriptionPlanId=${plan.id}`)).toEqual([a.subscription.id]);
  expect(await list('customerEmail=ann@EXAMPLE.com')).toEqual([a.subscription.id]);
  expect(await list('customerCurrency=SGD')).toEqual([b.subscription.id]);
  expect(await list('customerPhone=85251234567')).toEqual([]);
  const { id } = a.subscription;
  await service.prisma.subscription.update({ where: { id }, data: { phone: '+85251234567' } });
  expect(await list('customerPhone=85251234567')).toEqual([id]);
  expect(await list('customerPhone=85251234567&customerEmail=bob@example.com')).toEqual([b.subscription.id]);
  expect(await list('startDate=2026-11-19T08:00:00')).toEqual([b.subscription.id]);
  expect(await list('endDate=2026-11-18T08:00:00')).toEqual([a.subscription.id]);
  const none = await call(
    app,
    merchant,
    'GET',
    '/subscriptions?customerEmail=no@example.com',
    undefined,
    ownMerchant.keys.live,
  );
  expect(none.json).toEqual({ subscriptions: [], pagination: { totalPages: 0, total: 0, currentPage: 1 } });
  expect((await call(app, merchant, 'GET', '/subscriptions?startDate=yesterday')).status).toBe(400);
});
