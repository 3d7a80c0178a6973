import { describe, expect } from 'vitest';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { newId } from '../../src/kit/id.ts';
import { type MethodCode, methodCodes } from '../../src/method/catalog.ts';
import { callAsMerchant } from '../setup/api.ts';
import { appTest, systemTimeAppTest } from '../setup/app-fixtures.ts';
import { getList, type ListFilter, listFilters, testListFilters } from '../setup/list-filters.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { seedActiveSubscription, seedPlan, seedSubscription } from '../setup/subscriptions.ts';

/** Compares `GET /subscriptions` with a list in memory: each filter alone, and every pair of filters. */

type Shown = {
  id: string;
  subscriptionPlanId: string;
  createdAt: string;
  customer: { email?: string; phone?: string };
};

/** A listed subscription with its currency, which `GET /subscriptions` does not return. */
type Row = Shown & { customerCurrency: string };

/** A time within a second, because an endDate must include its whole second. */
const start = new Date(noon.getTime() + 750);

const people = [
  { email: 'ada@example.com', phone: '+85251234567' },
  { email: 'Bob@Example.com', phone: '+6581234567' },
  { email: 'cyd@example.com', phone: null },
];

const methods: [MethodCode, string][] = [
  ['fps', 'HKD'],
  ['paynow', 'SGD'],
];

const toTime = (minutes: number) => minutesAfter(noon, minutes).toISOString().slice(0, 19);

const from = (minutes: number) => (row: Row) => row.createdAt >= minutesAfter(noon, minutes).toISOString();

function toFilters(rows: Row[]): ListFilter<Row>[] {
  const { subscriptionPlanId } = rows[0]!;
  return listFilters<Row>({
    subscriptionPlanId: [
      [`subscriptionPlanId=${subscriptionPlanId}`, (row) => row.subscriptionPlanId === subscriptionPlanId],
    ],
    startDate: [[`startDate=${toTime(4)}`, from(4)]],
    endDate: [[`endDate=${toTime(7)}`, (row) => !from(8)(row)]],
    customerCurrency: methods.map(([, currency]) => [
      `customerCurrency=${currency}`,
      (row) => row.customerCurrency === currency,
    ]),
    customerEmail: [
      ['customerEmail=ada%40example.com', (row) => row.customer.email === 'ada@example.com'],
      ['customerEmail=bob%40example.com', (row) => row.customer.email === 'Bob@Example.com'],
    ],
    customerPhone: [
      ['customerPhone=85251234567', (row) => row.customer.phone === '+85251234567'],
      ['customerPhone=6581234567', (row) => row.customer.phone === '+6581234567'],
    ],
  });
}

const subscriptionFilterTest = systemTimeAppTest.extend(
  'filtered',
  { scope: 'file' },
  async ({ app, service }) => {
    const merchant = await seedMerchant(service);
    const plans = [await seedPlan(service, merchant), await seedPlan(service, merchant)];
    const currencies = new Map<string, string>();
    let count = 0;
    for (const plan of plans)
      for (const [method, currency] of methods)
        for (const { email, phone } of people) {
          const now = minutesAfter(start, (5 * count++) % 12);
          const { subscription } = await seedSubscription(service, merchant, { plan, method, email, now });
          await service.prisma.subscription.update({ where: { id: subscription.id }, data: { phone } });
          currencies.set(subscription.id, currency);
        }
    const list = { app, path: 'subscriptions', keys: merchant.keys.live };
    const { rows: listed } = await getList<Shown>(list, 'limit=50');
    const rows = listed.map((row) => ({ ...row, customerCurrency: currencies.get(row.id)! }));
    expect(rows).toHaveLength(plans.length * methods.length * people.length);
    return { list, rows, filters: toFilters(rows) };
  },
);

describe('Subscription', () => {
  const test = appTest;

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
      const { status, json } = await callAsMerchant(app, merchant, 'POST', '/subscription-link', body);
      expect(status).toBe(200);
      expect(Object.keys(json)).toEqual(['subscriptionLink']);
      const page = await app.app.inject({ url: new URL(json.subscriptionLink).pathname });
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain('ada@example.com');
    });

    test('returns a URL with isSandbox=true in the sandbox', async ({ app, service, merchant }) => {
      const plan = await seedPlan(service, merchant, { mode: 'sandbox' });
      const body = { subscriptionPlanId: plan.id };
      const { json } = await callAsMerchant(
        app,
        merchant,
        'POST',
        '/subscription-link',
        body,
        merchant.keys.sandbox,
      );
      expect(json.subscriptionLink).toMatch(/\/pay\/enrol\/slk_[^?]+\?isSandbox=true$/);
    });

    test.for([
      [404, 'subscription_plan_not_found', { subscriptionPlanId: 'pl_none' }],
      [400, 'invalid_request', {}],
      [400, 'invalid_request', { apiKey: 'pk_live_other' }],
      [400, 'invalid_request', { paymentMethods: { HK: ['paynow'] } }],
      [400, 'invalid_request', { subscriptionPlan: 'x' }],
    ] as const)(
      'returns %i %s for %o',
      async ([status, code, invalidInputError], { app, service, merchant }) => {
        const plan = await seedPlan(service, merchant);
        const planInput = Object.keys(invalidInputError).length === 0 ? {} : { subscriptionPlanId: plan.id };
        const response = await callAsMerchant(app, merchant, 'POST', '/subscription-link', {
          ...planInput,
          ...invalidInputError,
        });
        expect([response.status, response.json.code]).toEqual([status, code]);
      },
    );

    test('returns 409 for a plan that accepts no new subscriptions', async ({ app, service, merchant }) => {
      const plan = await seedPlan(service, merchant);
      const change = { merchant: merchant.merchant, mode: 'live' as const, id: plan.id, now: noon };
      await updateSubscriptionPlan(service, { ...change, input: { status: 'inactive' } });
      const { status, json } = await callAsMerchant(app, merchant, 'POST', '/subscription-link', {
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
      const fresh = await callAsMerchant(
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
        phase: 'awaiting_first_payment',
        nextPayment: null,
        activeUntil: null,
        numPaymentsComplete: 0,
        invoices: [],
        charges: [{ id: charge!.id, subscriptionId: subscription.id, status: 'pending' }],
      });
      const { id } = await seedActiveSubscription(service, ownMerchant, { email: 'b@example.com' });
      await renewSubscriptions(service, { now: new Date('2026-12-15T12:00:00.000Z') });
      const { json } = await callAsMerchant(
        app,
        merchant,
        'GET',
        `/subscriptions/${id}`,
        undefined,
        ownMerchant.keys.live,
      );
      expect(json).toMatchObject({
        status: 'active',
        phase: 'active',
        activeUntil: '2026-12-17T12:00:00.000Z',
        nextPayment: '2026-12-17T12:00:00.000Z',
        numPaymentsComplete: 1,
      });
      expect(json.charges.map(({ status }: { status: string }) => status)).toEqual(['pending', 'completed']);
      expect(json.invoices).toEqual([
        {
          id: expect.stringMatching(/^in_/),
          subscriptionId: id,
          number: 1,
          status: 'open',
          amount: 100,
          currency: 'HKD',
          customer: json.customer,
          chargeId: json.charges[0].id,
          checkoutLink: expect.stringContaining('/pay/invoice/in_'),
          pdfUrl: `${json.invoices[0].checkoutLink}/pdf`,
          invoiceDueOn: '2026-12-17T12:00:00.000Z',
        },
      ]);
      const ofCharge = await callAsMerchant(
        app,
        merchant,
        'GET',
        `/charges/${json.charges[0].id}`,
        undefined,
        ownMerchant.keys.live,
      );
      // Except for the URLs of the QR code.
      expect(ofCharge.json).toMatchObject(json.charges[0]);
    });

    test('returns the newest 50 charges, newest first', async ({ app, service, merchant }) => {
      const ownMerchant = await seedMerchant(service);
      const { subscription, charge } = await seedSubscription(service, ownMerchant);
      const { destination, orders, metadata: _, ...row } = charge!;
      const ids = Array.from({ length: 51 }, (_, i) => newId('charge', minutesAfter(noon, i + 1)));
      await service.prisma.charge.createMany({
        data: ids.map((id, i) => ({
          ...row,
          ...{ id, destination: destination as object, orders: orders as object[], status: 'cancelled' },
          paymentReference: `OTHER${2222 + i}`,
        })),
      });
      const { json } = await callAsMerchant(
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
      const foreign = await callAsMerchant(
        app,
        merchant,
        'GET',
        `/subscriptions/${subscription.id}`,
        undefined,
        other.keys.live,
      );
      expect([foreign.status, foreign.json.code]).toEqual([404, 'subscription_not_found']);
      expect((await callAsMerchant(app, merchant, 'GET', '/subscriptions/sub_none')).status).toBe(404);
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
      const { json } = await callAsMerchant(
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
    expect(await list('customerPhone=85251234567&customerEmail=bob@example.com')).toEqual([
      b.subscription.id,
    ]);
    expect(await list('startDate=2026-11-19T08:00:00')).toEqual([b.subscription.id]);
    expect(await list('endDate=2026-11-18T08:00:00')).toEqual([a.subscription.id]);
    const none = await callAsMerchant(
      app,
      merchant,
      'GET',
      '/subscriptions?customerEmail=no@example.com',
      undefined,
      ownMerchant.keys.live,
    );
    expect(none.json).toEqual({ subscriptions: [], pagination: { totalPages: 0, total: 0, currentPage: 1 } });
    expect((await callAsMerchant(app, merchant, 'GET', '/subscriptions?startDate=yesterday')).status).toBe(
      400,
    );
  });
});

describe('GET /subscriptions', () => {
  testListFilters(subscriptionFilterTest, 'subscriptions');
});

describe('Subscription plan', () => {
  const test = appTest;

  describe('GET /subscription-plans/{id}', () => {
    test('returns the documented plan with its defaults', async ({ app, service, merchant }) => {
      const plan = await seedPlan(service, merchant, { input: { sendEmail: undefined } });
      const { status, json } = await callAsMerchant(app, merchant, 'GET', `/subscription-plans/${plan.id}`);
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
      const { json } = await callAsMerchant(app, merchant, 'GET', `/subscription-plans/${plan.id}`);
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
        (
          await callAsMerchant(
            app,
            merchant,
            'GET',
            `/subscription-plans/${id}`,
            undefined,
            ownMerchant.keys.live,
          )
        ).json.methods;
      expect(await readMethods(named.id)).toEqual(['fps']);
      expect(await readMethods(any.id)).toEqual(methodCodes.filter((code) => code !== 'paynow'));
      const { json } = await callAsMerchant(
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
      await retireAccounts(
        service,
        { merchantId: ownMerchant.merchant.id, mode: 'live', method: 'fps' },
        noon,
      );
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
        const { status, json } = await callAsMerchant(
          app,
          merchant,
          'GET',
          `/subscription-plans/${plan.id}`,
          undefined,
          keys,
        );
        expect([status, json.code]).toEqual([404, 'subscription_plan_not_found']);
      }
      expect((await callAsMerchant(app, merchant, 'GET', '/subscription-plans/pl_none')).status).toBe(404);
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
      const { json } = await callAsMerchant(
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
    const paged = await callAsMerchant(
      app,
      merchant,
      'GET',
      '/subscription-plans?limit=2&page=2',
      undefined,
      ownMerchant.keys.live,
    );
    expect(paged.json.pagination).toEqual({ totalPages: 2, total: 3, currentPage: 2 });
    expect((await callAsMerchant(app, merchant, 'GET', '/subscription-plans?limit=51')).status).toBe(400);
  });
});
