import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { methodCodes } from '../../src/method/catalogue.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest as test } from '../setup/fixtures.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { seedPlan } from '../setup/subscriptions.ts';

const call = (
  app: TestApp,
  merchant: NewMerchant,
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
  keys = merchant.keys.live,
) => callApi(app.app, { method, url, keys, body });

describe('GET /subscription-plans/{id}', () => {
  test('returns the documented plan with its defaults', async ({ app, service, merchant }) => {
    const plan = await seedPlan(service, merchant, { input: { sendEmail: undefined } });
    const { status, json } = await call(app, merchant, 'GET', `/subscription-plans/${plan.id}`);
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

  test('returns initial terms and the number of payments', async ({ app, service, merchant }) => {
    const plan = await seedPlan(service, merchant, {
      input: {
        numPayments: 12,
        initialPayment: { amount: 0, period: 'days', count: 14 },
        orders: [{ name: 'Tea', quantity: 2 }],
        methods: ['fps'],
      },
    });
    const { json } = await call(app, merchant, 'GET', `/subscription-plans/${plan.id}`);
    expect(json).toMatchObject({
      numPayments: 12,
      initialPayment: { amount: 0, period: 'days', count: 14 },
      orders: [{ name: 'Tea', quantity: 2 }],
      methods: ['fps'],
    });
  });

  test('lists the available ones of the plan’s methods', async ({ app, service, merchant }) => {
    const ownMerchant = await seedMerchant(service);
    const named = await seedPlan(service, ownMerchant, { input: { methods: ['paynow', 'fps'] } });
    const any = await seedPlan(service, ownMerchant, { now: minutesAfter(noon, 1) });
    await retireAccounts(
      service,
      { merchantId: ownMerchant.merchant.id, mode: 'live', method: 'paynow' },
      noon,
    );
    const readMethods = async (id: string) =>
      (await call(app, merchant, 'GET', `/subscription-plans/${id}`, undefined, ownMerchant.keys.live)).json
        .methods;
    expect(await readMethods(named.id)).toEqual(['fps']);
    expect(await readMethods(any.id)).toEqual(methodCodes.filter((code) => code !== 'paynow'));
    const { json } = await call(
      app,
      merchant,
      'GET',
      '/subscription-plans',
      undefined,
      ownMerchant.keys.live,
    );
    expect(json.subscriptionPlans.map(({ methods }: { methods: string[] }) => methods)).toEqual([
      methodCodes.filter((code) => code !== 'paynow'),
      ['fps'],
    ]);
    await retireAccounts(service, { merchantId: ownMerchant.merchant.id, mode: 'live', method: 'fps' }, noon);
    expect(await readMethods(named.id)).toEqual([]);
  });

  test('returns 404 for an unknown plan, another merchant’s and the other mode’s', async ({
    app,
    service,
    merchant,
  }) => {
    const plan = await seedPlan(service, merchant);
    const other = await seedMerchant(service);
    for (const keys of [other.keys.live, merchant.keys.sandbox]) {
      const { status, json } = await call(
        app,
        merchant,
        'GET',
        `/subscription-plans/${plan.id}`,
        undefined,
        keys,
      );
      expect([status, json.code]).toEqual([404, 'subscription_plan_not_found']);
    }
    expect((await call(app, merchant, 'GET', '/subscription-plans/pl_none')).status).toBe(404);
  });
});

test('GET /subscription-plans lists plans newest first, and filters by status, currency and time', async ({
  app,
  service,
  merchant,
}) => {
  const ownMerchant = await seedMerchant(service);
  const times = ['2026-03-01', '2026-03-02', '2026-03-03'].map((day) => new Date(`${day}T00:00:00.500Z`));
  const plans = [];
  for (const now of times) plans.push(await seedPlan(service, ownMerchant, { now }));
  const [first, second, third] = plans.map(({ id }) => id);
  await updateSubscriptionPlan(service, {
    ...{ merchant: ownMerchant.merchant, mode: 'live', id: second!, now: noon },
    input: { status: 'inactive' },
  });
  const list = async (query: string) => {
    const { json } = await call(
      app,
      merchant,
      'GET',
      `/subscription-plans?${query}`,
      undefined,
      ownMerchant.keys.live,
    );
    return json.subscriptionPlans.map(({ id }: { id: string }) => id);
  };
  expect(await list('')).toEqual([third, second, first]);
  expect(await list('status=inactive')).toEqual([second]);
  expect(await list('currency=SGD')).toEqual([]);
  expect(await list('startDate=2026-03-02T00:00:00&endDate=2026-03-02T00:00:00')).toEqual([second]);
  const paged = await call(
    app,
    merchant,
    'GET',
    '/subscription-plans?limit=2&page=2',
    undefined,
    ownMerchant.keys.live,
  );
  expect(paged.json.pagination).toEqual({ totalPages: 2, total: 3, currentPage: 2 });
  expect((await call(app, merchant, 'GET', '/subscription-plans?limit=51')).status).toBe(400);
});
