import fc from 'fast-check';
import { describe, expect, onTestFinished } from 'vitest';
import type { SubscriptionPlan } from '../../prisma/client/client.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { newId } from '../../src/kit/id.ts';
import { methodCodes } from '../../src/method/catalog.ts';
import { fakeTimeGraphqlTest as test } from '../setup/app-fixtures.ts';
import { type ApiAuth, type GraphqlApp, type Json, subscribeOverWebSocket } from '../setup/graphql.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import {
  completeCharge,
  readCharges,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../setup/subscriptions.ts';

describe('Subscriptions', () => {
  const createPlan = `mutation ($input: CreateSubscriptionPlanInput!) { createSubscriptionPlan(input: $input) {
  __typename ... on CreateSubscriptionPlanSuccess { subscriptionPlan {
    id status currency numPayments sendEmail invoiceNoticeDays gracePeriodDays methods selectedMethods
    recurringPayment { amount period count } initialPayment { amount period count } } }
  ... on UserError { code message } ... on InvalidRequestError { errors { path } } } }`;

  const monthly = {
    name: 'Tea',
    currency: 'HKD',
    recurringPayment: { amount: '100', period: 'months', count: 1 },
  };

  /** The codes of the payment methods in GraphQL. */
  const toGraphqlCodes = (methods: readonly string[]) => methods.map((method) => method.replaceAll('-', '_'));

  async function run(app: GraphqlApp, query: string, input: object, as = app.merchant.keys.live) {
    const { data, errors } = await app.ask(query, { variables: { input }, as });
    expect(errors).toBeUndefined();
    return Object.values(data)[0] as Json;
  }

  test('a plan is created with its defaults, and rejected with invalid terms', async ({ app }) => {
    expect(await run(app, createPlan, monthly)).toMatchObject({
      subscriptionPlan: {
        status: 'active',
        numPayments: null,
        sendEmail: true,
        invoiceNoticeDays: 2,
        gracePeriodDays: 1,
        methods: toGraphqlCodes(methodCodes),
        selectedMethods: [],
        recurringPayment: { amount: '100.00', period: 'months', count: 1 },
        initialPayment: null,
      },
    });
    const longest = { period: 'years', count: 400 };
    const rare = {
      ...{ recurringPayment: { amount: '100.00', ...longest }, initialPayment: longest },
      ...{ invoiceNoticeDays: 400, gracePeriodDays: 400 },
    };
    expect(await run(app, createPlan, { ...monthly, ...rare })).toMatchObject({ subscriptionPlan: rare });
    const { recurringPayment } = monthly;
    const wrong: [object, string][] = [
      [{ recurringPayment: { ...recurringPayment, count: 401 } }, '/recurringPayment/count'],
      [{ recurringPayment: { ...recurringPayment, count: 0 } }, '/recurringPayment/count'],
      [{ recurringPayment: { ...recurringPayment, amount: '0' } }, '/recurringPayment/amount'],
      [{ initialPayment: { amount: '-1' } }, '/initialPayment/amount'],
      [{ initialPayment: { period: 'days' } }, '/initialPayment'],
      [{ initialPayment: { count: 14 } }, '/initialPayment'],
      [{ initialPayment: { period: 'days', count: 401 } }, '/initialPayment/count'],
      [{ numPayments: 0 }, '/numPayments'],
      [{ invoiceNoticeDays: -1 }, '/invoiceNoticeDays'],
      [{ gracePeriodDays: 401 }, '/gracePeriodDays'],
      [{ name: ' ' }, '/name'],
    ];
    for (const [terms, path] of wrong) {
      expect(await run(app, createPlan, { ...monthly, ...terms })).toMatchObject({
        code: 'invalid_request',
        errors: [{ path }],
      });
    }
  });

  test('the terms of a plan in use are fixed, but not its name, status and orders', async ({ app }) => {
    const plan = await seedPlan(app.context.service, app.merchant);
    await seedActiveSubscription(app.context.service, app.merchant, { plan, email: 'fixed@example.com' });
    const update = `mutation ($input: UpdateSubscriptionPlanInput!) { updateSubscriptionPlan(input: $input) {
    ... on UpdateSubscriptionPlanSuccess { subscriptionPlan { name status gracePeriodDays orders { name } } }
    ... on UserError { code } } }`;
    for (const terms of [
      { gracePeriodDays: 5 },
      { sendEmail: true },
      { numPayments: 3 },
      { methods: ['fps'] },
    ]) {
      expect(await run(app, update, { id: plan.id, ...terms })).toEqual({ code: 'plan_terms_fixed' });
    }
    const texts = { name: 'More tea', status: 'inactive', orders: [{ name: 'Oolong' }], gracePeriodDays: 1 };
    expect(await run(app, update, { id: plan.id, ...texts })).toEqual({
      subscriptionPlan: {
        name: 'More tea',
        status: 'inactive',
        gracePeriodDays: 1,
        orders: [{ name: 'Oolong' }],
      },
    });
    expect(await run(app, update, { id: plan.id, status: 'active' })).toMatchObject({
      subscriptionPlan: { name: 'More tea', status: 'active' },
    });
  });

  test('a plan offers the available methods of its selection, which a change keeps', async ({ app }) => {
    const { service } = app.context;
    const newMerchant = await seedMerchant(service);
    const plan = await seedPlan(service, newMerchant, { input: { methods: ['paynow', 'fps'] } });
    await seedActiveSubscription(service, newMerchant, { plan });
    const retired = { merchantId: newMerchant.merchant.id, mode: 'live', method: 'paynow' } as const;
    await retireAccounts(service, retired, noon);
    const update = `mutation ($input: UpdateSubscriptionPlanInput!) { updateSubscriptionPlan(input: $input) {
    ... on UpdateSubscriptionPlanSuccess { subscriptionPlan { name methods selectedMethods } } ... on UserError { code } } }`;
    const input = { id: plan.id, name: 'More tea', methods: ['paynow', 'fps'] };
    expect(await run(app, update, input, newMerchant.keys.live)).toEqual({
      subscriptionPlan: { name: 'More tea', methods: ['fps'], selectedMethods: ['paynow', 'fps'] },
    });
    expect(await run(app, update, { ...input, methods: ['fps'] }, newMerchant.keys.live)).toEqual({
      code: 'plan_terms_fixed',
    });
  });

  test('a link for enrolment offers only the methods named for it', async ({ app }) => {
    const { service } = app.context;
    const plan = await seedPlan(service, app.merchant, {
      input: { methods: ['fps', 'hk-bank-transfer', 'paynow'] },
    });
    const create = `mutation ($input: CreateSubscriptionLinkInput!) { createSubscriptionLink(input: $input) {
    ... on CreateSubscriptionLinkSuccess { url } ... on UserError { code } } }`;
    const offeredBy = async (paymentMethods?: string[] | null) => {
      const { url: subscriptionLink } = await run(app, create, {
        subscriptionPlanId: plan.id,
        methods: paymentMethods,
      });
      const { body } = await app.app.inject(new URL(subscriptionLink).pathname);
      return [...body.matchAll(/name="method" value="([^"]+)"/g)].map(([, method]) => method).sort();
    };
    expect(await offeredBy(['hk_bank_transfer', 'paynow', 'duit_now'])).toEqual([
      'hk-bank-transfer',
      'paynow',
    ]);
    for (const all of [undefined, null, []]) {
      expect(await offeredBy(all)).toEqual(['fps', 'hk-bank-transfer', 'paynow']);
    }
    expect(await run(app, create, { subscriptionPlanId: plan.id, methods: ['duit_now'] })).toEqual({
      code: 'method_unavailable',
    });
  });

  test('a customer enrols, pays an invoice by another method, changes the method and cancels', async ({
    app,
  }) => {
    const { service } = app.context;
    const plan = await seedPlan(service, app.merchant);
    const enrol = `mutation ($input: EnrolInput!) { enrol(input: $input) { ... on EnrolSuccess {
    subscription { id status } charge { id status subscription { id } } } ... on UserError { code } } }`;
    const input = { subscriptionPlanId: plan.id, method: 'fps', customer: { email: 'eve@example.com' } };
    expect(await run(app, enrol, { ...input, customer: {} })).toEqual({ code: 'invalid_request' });
    const enrolled = await run(app, enrol, input);
    const { id } = enrolled.subscription;
    expect(enrolled).toMatchObject({
      subscription: { status: 'inactive' },
      charge: { status: 'pending', subscription: { id } },
    });
    const [first] = await readCharges(service, id);
    await completeCharge(service, first!, noon);
    await renewSubscriptions(service, { now: new Date('2026-12-15T12:00:00.000Z') });
    const read = `query ($id: ID!) { subscription(id: $id) { status method numPaymentsComplete
    openInvoice { id number status amount charge { method invoice { id } } subscription { id } } } }`;
    const result = await app.ask(read, { variables: { id } });
    const { openInvoice } = result.data.subscription;
    expect(openInvoice).toMatchObject({ status: 'open', amount: '100.00', subscription: { id } });
    const pay = `mutation ($input: PayInvoiceInput!) { payInvoice(input: $input) {
    ... on PayInvoiceSuccess { charge { method status invoice { id } } } ... on UserError { code } } }`;
    expect(await run(app, pay, { id: openInvoice.id, method: 'hk_bank_transfer' })).toEqual({
      charge: { method: 'hk_bank_transfer', status: 'pending', invoice: { id: openInvoice.id } },
    });
    const { charge } = (await app.ask(read, { variables: { id } })).data.subscription.openInvoice;
    expect(charge).toMatchObject({ method: 'hk_bank_transfer', invoice: { id: openInvoice.id } });
    const change = `mutation ($input: ChangeSubscriptionMethodInput!) { changeSubscriptionMethod(input: $input) {
    ... on ChangeSubscriptionMethodSuccess { subscription { method } } ... on UserError { code } } }`;
    expect(await run(app, change, { id, method: 'fps' })).toEqual({ subscription: { method: 'fps' } });
    const cancel = `mutation ($input: CancelSubscriptionInput!) { cancelSubscription(input: $input) {
    ... on CancelSubscriptionSuccess { subscription { status nextPaymentAt } } ... on UserError { code } } }`;
    expect(await run(app, cancel, { id }, app.otherMerchant.keys.live)).toEqual({
      code: 'subscription_not_found',
    });
    expect(await run(app, cancel, { id })).toEqual({
      subscription: { status: 'cancelled', nextPaymentAt: null },
    });
    expect(await run(app, cancel, { id })).toEqual({ code: 'subscription_ended' });
    expect(await run(app, pay, { id: openInvoice.id })).toEqual({ code: 'invoice_not_open' });
  });

  test('the test clock can be advanced in the sandbox, and is null in live mode', async ({ app }) => {
    const query = '{ testClock { id now isAdvancing advancingTo } }';
    expect((await app.ask(query)).data.testClock).toBeNull();
    const as = app.merchant.keys.sandbox;
    const before = (await app.ask(query, { as })).data.testClock;
    expect(before).toMatchObject({ now: noon.toISOString(), isAdvancing: false, advancingTo: null });
    const advance = `mutation ($input: AdvanceTestClockInput!) { advanceTestClock(input: $input) {
    ... on AdvanceTestClockSuccess { testClock { now } } ... on UserError { code } } }`;
    const to = '2027-01-01T00:00:00.000Z';
    expect(await run(app, advance, { advanceTo: to })).toEqual({ code: 'sandbox_only' });
    expect(await run(app, advance, { advanceTo: to }, as)).toEqual({ testClock: { now: to } });
    const node = 'query ($id: ID!) { node(id: $id) { __typename ... on TestClock { now } } }';
    expect((await app.ask(node, { variables: { id: before.id }, as })).data.node).toEqual({
      __typename: 'TestClock',
      now: to,
    });
  });

  test('subscriptionUpdated sends each change, including those of the invoice', async ({ app }) => {
    const { service } = app.context;
    const subscription = await seedActiveSubscription(service, app.merchant, { email: 'live@example.com' });
    const query =
      'subscription ($id: ID!) { subscriptionUpdated(id: $id) { status openInvoice { status } } }';
    const stream = subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.live, query, {
      id: subscription.id,
    });
    const next = async () => (await stream.next()).data.subscriptionUpdated;
    expect(await next()).toEqual({ status: 'active', openInvoice: null });
    await renewSubscriptions(service, { now: new Date('2026-12-15T12:00:00.000Z') });
    expect(await next()).toEqual({ status: 'active', openInvoice: { status: 'open' } });
    const charges = await readCharges(service, subscription.id);
    await completeCharge(service, charges.at(-1)!, new Date('2026-12-16T12:00:00.000Z'));
    expect(await next()).toEqual({ status: 'active', openInvoice: null });
    await stream.close();
  });

  test('subscriptionsUpdated sends each subscription that is created or changes', async ({ app }) => {
    const { service } = app.context;
    const newMerchant = await seedMerchant(service);
    const query = 'subscription { subscriptionsUpdated { id status } }';
    const stream = subscribeOverWebSocket(onTestFinished, app.url, newMerchant.keys.live, query);
    const next = async () => (await stream.next()).data.subscriptionsUpdated;
    const first = next();
    const { subscription, charge } = await seedSubscription(service, newMerchant);
    expect(await first).toEqual({ id: subscription.id, status: 'inactive' });
    await completeCharge(service, charge!, noon);
    let update = await next();
    while (update.status === 'inactive') update = await next();
    expect(update).toEqual({ id: subscription.id, status: 'active' });
    await stream.close();
  });

  test('the language of a subscription is that of the input, else that of the country of the method', async ({
    app,
  }) => {
    const plan = await seedPlan(app.context.service, app.merchant);
    const enrol = async (input: object) => {
      const { data } = await app.ask(
        `mutation ($input: EnrolInput!) { enrol(input: $input) { ... on EnrolSuccess { subscription { locale } } } }`,
        { variables: { input: { subscriptionPlanId: plan.id, ...input } } },
      );
      return data.enrol;
    };
    const customer = (name: string) => ({ customer: { email: `${name}@example.com` } });
    expect(await enrol({ ...customer('zh'), method: 'fps' })).toEqual({
      subscription: { locale: 'zh_Hant' },
    });
    expect(await enrol({ ...customer('th'), method: 'fps', locale: 'th' })).toEqual({
      subscription: { locale: 'th' },
    });
    const unknown = { subscriptionPlanId: plan.id, ...customer('xx'), method: 'fps', locale: 'xx' };
    const { errors } = await app.ask(
      'mutation ($input: EnrolInput!) { enrol(input: $input) { __typename } }',
      {
        variables: { input: unknown },
      },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'invalid_request' } }]);
  });
});

describe('Subscription totals', () => {
  const dayMinutes = 24 * 60;

  async function readMetrics(app: GraphqlApp, as: ApiAuth) {
    const { data } = await app.ask(
      '{ subscriptionSummary { activeCount pausedCount dueSoonCount monthlyRecurringRevenue { currency amount } } }',
      { as },
    );
    return data.subscriptionSummary;
  }

  const recurring = (
    amount: number,
    period: 'days' | 'months' | 'years',
    count: number,
    currency = 'HKD',
  ) => ({
    currency,
    recurringPayment: { amount, period, count },
  });

  test('subscriptionSummary counts subscriptions and sums the monthly revenue by currency; a plan counts its own', async ({
    app,
    clock,
  }) => {
    const { service } = app.context;
    const merchant = await seedMerchant(service);
    expect(await readMetrics(app, merchant.keys.live)).toEqual({
      activeCount: 0,
      pausedCount: 0,
      dueSoonCount: 0,
      monthlyRecurringRevenue: [],
    });
    const plans = await Promise.all(
      [
        recurring(100, 'months', 1),
        recurring(300, 'months', 3),
        recurring(120, 'years', 1, 'SGD'),
        recurring(7, 'days', 7, 'SGD'),
        { ...recurring(50, 'months', 1), numPayments: 2 },
      ].map((input) => seedPlan(service, merchant, { input })),
    );
    const [monthly, , , , twice] = plans as SubscriptionPlan[];
    let customers = 0;
    const add = (plan: SubscriptionPlan, now = noon) =>
      seedActiveSubscription(service, merchant, { plan, email: `c${customers++}@example.com`, now });
    for (const plan of plans) await add(plan);
    const cancelled = await add(monthly!);
    const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test' } as const;
    await cancelSubscription(service, { ...owner, id: cancelled.id, now: noon });
    const paused = await add(monthly!, minutesAfter(noon, -40 * dayMinutes));
    await renewSubscriptions(service, { now: noon });
    await seedSubscription(service, merchant, { plan: monthly!, email: 'unpaid@example.com' });
    const completed = await add(twice!);
    // Its charge is completed again as the last of its two payments, so that the subscription is complete.
    const [charge] = await service.prisma.charge.findMany({ where: { subscriptionId: completed.id } });
    await service.prisma.charge.update({ where: { id: charge!.id }, data: { status: 'pending' } });
    await completeCharge(service, charge!, noon);

    // The weekly plan is due in exactly a week, which is not within a week yet.
    expect(await readMetrics(app, merchant.keys.live)).toEqual({
      activeCount: 5,
      pausedCount: 1,
      dueSoonCount: 0,
      // 100 + 300 / 3 + 50; 120 / 12 + 7 / 7 × 30.436875.
      monthlyRecurringRevenue: [
        { currency: 'HKD', amount: '250.00' },
        { currency: 'SGD', amount: '40.44' },
      ],
    });
    clock.set(minutesAfter(noon, 1));
    expect(await readMetrics(app, merchant.keys.live)).toMatchObject({ dueSoonCount: 1 });
    expect(await readMetrics(app, merchant.keys.sandbox)).toMatchObject({ activeCount: 0, pausedCount: 0 });

    const { data } = await app.ask(
      'query ($id: ID!) { subscriptionPlan(id: $id) { subscriptionCount activeSubscriptionCount } }',
      { variables: { id: monthly!.id }, as: merchant.keys.live },
    );
    expect(data.subscriptionPlan).toEqual({ subscriptionCount: 4, activeSubscriptionCount: 1 });
    const result = await app.ask(
      'query ($id: ID!) { subscription(id: $id) { email locale events { type actor { kind objectId name } } recentInvoices { pdfUrl } } }',
      { variables: { id: paused.id }, as: merchant.keys.live },
    );
    expect(result.data.subscription).toMatchObject({
      email: 'c6@example.com',
      locale: 'en',
      events: [
        { type: 'subscription_created', actor: { kind: 'customer', objectId: null, name: null } },
        { type: 'subscription_paid', actor: { kind: 'api_key', objectId: 'feed', name: null } },
        { type: 'subscription_paused', actor: { kind: 'job', objectId: null, name: 'renew-subscriptions' } },
      ],
      recentInvoices: [{ pdfUrl: expect.stringMatching(/\/pay\/invoice\/in_\w+\.[\w-]+\/pdf$/) }],
    });
  });

  test('the monthly revenue is exact to the minor unit for all plans', async ({ app }) => {
    const { service } = app.context;
    const newMerchant = await seedMerchant(service);
    const plan = await seedPlan(service, newMerchant);
    const first = await seedActiveSubscription(service, newMerchant, { plan });
    await service.prisma.subscription.update({
      where: { id: first.id },
      data: { status: 'cancelled', nextPayment: null, dueAt: null },
    });
    const terms = fc.record({
      amount: fc.bigInt({ min: 1n, max: 10n ** 13n }),
      period: fc.constantFrom('days', 'months', 'years'),
      count: fc.integer({ min: 1, max: 400 }),
      copies: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(terms, { minLength: 1, maxLength: 4 }), async (all) => {
        const planIds: string[] = [];
        for (const { copies, ...term } of all) {
          const id = newId('plan', noon);
          planIds.push(id);
          await service.prisma.subscriptionPlan.create({ data: { ...plan, orders: [], ...term, id } });
          const { metadata: _, ...columns } = first;
          const row = {
            ...columns,
            planId: id,
            amount: term.amount,
            status: 'active' as const,
            nextPayment: noon,
          };
          const rows = Array.from({ length: copies }, () => ({ ...row, id: newId('subscription', noon) }));
          await service.prisma.subscription.createMany({ data: rows });
        }
        const [revenue] = (await readMetrics(app, newMerchant.keys.live)).monthlyRecurringRevenue;
        await service.prisma.subscription.deleteMany({ where: { planId: { in: planIds } } });
        await service.prisma.subscriptionPlan.deleteMany({ where: { id: { in: planIds } } });
        // All shares over one denominator, rounded half up once.
        const shares = all.map(({ amount, period, count, copies }) => {
          const [up, down] = { days: [146_097n, 4_800n], months: [1n, 1n], years: [1n, 12n] }[period]!;
          return { up: amount * BigInt(copies) * up!, down: BigInt(count) * down! };
        });
        const down = shares.reduce((product, share) => product * share.down, 1n);
        const up = shares.reduce((sum, share) => sum + (share.up * down) / share.down, 0n);
        const minor = (2n * up + down) / (2n * down);
        expect(revenue.amount.replace('.', '')).toBe(String(minor).padStart(3, '0'));
      }),
      { numRuns: 25 },
    );
  });
});
