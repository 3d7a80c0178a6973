import { describe, expect, test } from 'vitest';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { newId } from '../../src/kit/id.ts';
import { methodCodes } from '../../src/method/catalogue.ts';
import { callApi } from '../setup/api.ts';
import { testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { makeActiveSubscription, makePlan, makeSubscription } from '../setup/subscriptions.ts';

const clock = testClock(noon);
const { app, context } = await testApp({ clock });
const { service } = context;
const merchant = await makeMerchant(service);
const call = (method: 'GET' | 'POST', url: string, body?: unknown, keys = merchant.keys.live) =>
  callApi(app, { method, url, keys, body });

describe('GET /subscription-plans/{id}', () => {
  test('answers the documented plan, with its defaults', async () => {
    const plan = await makePlan(service, merchant, { input: { sendEmail: undefined } });
    const { status, json } = await call('GET', `/subscription-plans/${plan.id}`);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: plan.id,
      name: 'Tea of the month',
      currency: 'HKD',
      recurringPayment: { amount: 100, period: 'months', count: 1 },
      sendEmail: true,
      invoiceNotice: 2,
      gracePeriod: 1,
      orders: [],
      methods: [...methodCodes],
      status: 'active',
      createdAt: noon.toISOString(),
      updatedAt: noon.toISOString(),
    });
  });

  test('shows initial terms and the number of payments where there are some', async () => {
    const plan = await makePlan(service, merchant, {
      input: {
        numPayments: 12,
        initialPayment: { amount: 0, period: 'days', count: 14 },
        orders: [{ name: 'Tea', quantity: 2 }],
        methods: ['fps'],
      },
    });
    const { json } = await call('GET', `/subscription-plans/${plan.id}`);
    expect(json).toMatchObject({
      numPayments: 12,
      initialPayment: { amount: 0, period: 'days', count: 14 },
      orders: [{ name: 'Tea', quantity: 2 }],
      methods: ['fps'],
    });
  });

  test('lists the methods that are available, of the ones that were named', async () => {
    const own = await makeMerchant(service);
    const named = await makePlan(service, own, { input: { methods: ['paynow', 'fps'] } });
    const any = await makePlan(service, own, { now: minutesAfter(noon, 1) });
    await retireAccounts(service, { merchantId: own.merchant.id, mode: 'live', method: 'paynow' }, noon);
    const methodsOf = async (id: string) =>
      (await call('GET', `/subscription-plans/${id}`, undefined, own.keys.live)).json.methods;
    expect(await methodsOf(named.id)).toEqual(['fps']);
    expect(await methodsOf(any.id)).toEqual(methodCodes.filter((code) => code !== 'paynow'));
    const { json } = await call('GET', '/subscription-plans', undefined, own.keys.live);
    expect(json.subscriptionPlans.map(({ methods }: { methods: string[] }) => methods)).toEqual([
      methodCodes.filter((code) => code !== 'paynow'),
      ['fps'],
    ]);
    await retireAccounts(service, { merchantId: own.merchant.id, mode: 'live', method: 'fps' }, noon);
    expect(await methodsOf(named.id)).toEqual([]);
  });

  test('404 for none, another merchant’s and the other mode’s', async () => {
    const plan = await makePlan(service, merchant);
    const other = await makeMerchant(service);
    for (const keys of [other.keys.live, merchant.keys.sandbox]) {
      const { status, json } = await call('GET', `/subscription-plans/${plan.id}`, undefined, keys);
      expect([status, json.code]).toEqual([404, 'subscription_plan_not_found']);
    }
    expect((await call('GET', '/subscription-plans/pl_none')).status).toBe(404);
  });
});

test('GET /subscription-plans lists newest first, by status, currency and time', async () => {
  const own = await makeMerchant(service);
  const times = ['2026-03-01', '2026-03-02', '2026-03-03'].map((day) => new Date(`${day}T00:00:00.500Z`));
  const plans = [];
  for (const now of times) plans.push(await makePlan(service, own, { now }));
  const [first, second, third] = plans.map(({ id }) => id);
  await updateSubscriptionPlan(service, {
    ...{ merchant: own.merchant, mode: 'live', id: second!, now: noon },
    input: { status: 'inactive' },
  });
  const list = async (query: string) => {
    const { json } = await call('GET', `/subscription-plans?${query}`, undefined, own.keys.live);
    return json.subscriptionPlans.map(({ id }: { id: string }) => id);
  };
  expect(await list('')).toEqual([third, second, first]);
  expect(await list('status=inactive')).toEqual([second]);
  expect(await list('currency=SGD')).toEqual([]);
  expect(await list('startDate=2026-03-02T00:00:00&endDate=2026-03-02T00:00:00')).toEqual([second]);
  const paged = await call('GET', '/subscription-plans?limit=2&page=2', undefined, own.keys.live);
  expect(paged.json.pagination).toEqual({ totalPages: 2, total: 3, currentPage: 2 });
  expect((await call('GET', '/subscription-plans?limit=51')).status).toBe(400);
});

describe('POST /subscription-link', () => {
  test('answers the address where customers enrol', async () => {
    const plan = await makePlan(service, merchant);
    const body = {
      subscriptionPlanId: plan.id,
      apiKey: merchant.keys.live.publishableKey,
      customer: { first_name: 'Ada', last_name: 'L', email: 'ada@example.com' },
      paymentMethods: { HK: ['fps'] },
      notifyPayload: 'n',
      redirectUrl: 'https://shop.example',
    };
    const { status, json } = await call('POST', '/subscription-link', body);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['subscriptionLink']);
    const page = await app.inject({ url: new URL(json.subscriptionLink).pathname });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('ada@example.com');
  });

  test('says sandbox in the address of a sandbox link', async () => {
    const plan = await makePlan(service, merchant, { mode: 'sandbox' });
    const body = { subscriptionPlanId: plan.id };
    const { json } = await call('POST', '/subscription-link', body, merchant.keys.sandbox);
    expect(json.subscriptionLink).toMatch(/\/pay\/enrol\/slk_[^?]+\?isSandbox=true$/);
  });

  test.each([
    [404, 'subscription_plan_not_found', { subscriptionPlanId: 'pl_none' }],
    [400, 'invalid_request', {}],
    [400, 'invalid_request', { apiKey: 'pk_live_other' }],
    [400, 'invalid_request', { paymentMethods: { HK: ['paynow'] } }],
    [400, 'invalid_request', { subscriptionPlan: 'x' }],
  ])('%i %s for %o', async (status, code, wrong) => {
    const plan = await makePlan(service, merchant);
    const known = Object.keys(wrong).length === 0 ? {} : { subscriptionPlanId: plan.id };
    const answer = await call('POST', '/subscription-link', { ...known, ...wrong });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('409 for a plan that takes no new subscriptions', async () => {
    const plan = await makePlan(service, merchant);
    const change = { merchant: merchant.merchant, mode: 'live' as const, id: plan.id, now: noon };
    await updateSubscriptionPlan(service, { ...change, input: { status: 'inactive' } });
    const { status, json } = await call('POST', '/subscription-link', { subscriptionPlanId: plan.id });
    expect([status, json.code]).toEqual([409, 'subscription_plan_inactive']);
  });
});

describe('GET /subscriptions/{id}', () => {
  test('answers the documented subscription, before the first payment and with an open invoice', async () => {
    const own = await makeMerchant(service);
    const { subscription, charge } = await makeSubscription(service, own);
    const fresh = await call('GET', `/subscriptions/${subscription.id}`, undefined, own.keys.live);
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
    const { id } = await makeActiveSubscription(service, own, { email: 'b@example.com' });
    await renewSubscriptions(service, { now: new Date('2026-12-15T12:00:00.000Z') });
    const { json } = await call('GET', `/subscriptions/${id}`, undefined, own.keys.live);
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
    const ofCharge = await call('GET', `/charges/${json.charges[0].id}`, undefined, own.keys.live);
    expect(ofCharge.json).toEqual(json.charges[0]);
  });

  test('has its newest 50 charges, newest first', async () => {
    const own = await makeMerchant(service);
    const { subscription, charge } = await makeSubscription(service, own);
    const { destination, orders, ...row } = charge!;
    const ids = Array.from({ length: 51 }, (_, i) => newId('charge', minutesAfter(noon, i + 1)));
    await service.prisma.charge.createMany({
      data: ids.map((id, i) => ({
        ...row,
        ...{ id, destination: destination as object, orders: orders as object[], status: 'cancelled' },
        paymentReference: `OTHER${2222 + i}`,
      })),
    });
    const { json } = await call('GET', `/subscriptions/${subscription.id}`, undefined, own.keys.live);
    expect(json.charges.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1).reverse());
  });

  test('404 for none and another merchant’s', async () => {
    const { subscription } = await makeSubscription(service, merchant, { email: 'x@example.com' });
    const other = await makeMerchant(service);
    const foreign = await call('GET', `/subscriptions/${subscription.id}`, undefined, other.keys.live);
    expect([foreign.status, foreign.json.code]).toEqual([404, 'subscription_not_found']);
    expect((await call('GET', '/subscriptions/sub_none')).status).toBe(404);
  });
});

test('GET /subscriptions filters as documented, newest first', async () => {
  const own = await makeMerchant(service);
  const plan = await makePlan(service, own);
  const days = ['2026-11-18', '2026-11-19'].map((day) => new Date(`${day}T08:00:00.250Z`));
  const a = await makeSubscription(service, own, { plan, email: 'Ann@example.com', now: days[0]! });
  const b = await makeSubscription(service, own, {
    email: 'bob@example.com',
    method: 'paynow',
    now: days[1]!,
  });
  const list = async (query: string) => {
    const { json } = await call('GET', `/subscriptions?${query}`, undefined, own.keys.live);
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
  const none = await call('GET', '/subscriptions?customerEmail=no@example.com', undefined, own.keys.live);
  expect(none.json).toEqual({ subscriptions: [], pagination: { totalPages: 0, total: 0, currentPage: 1 } });
  expect((await call('GET', '/subscriptions?startDate=yesterday')).status).toBe(400);
});
