import { beforeAll, expect, test } from 'vitest';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { methodCodes } from '../../src/method/catalogue.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, setupGraphqlApp, subscribeOverWebSocket } from '../setup/graphql.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { noon, seedMerchant } from '../setup/seed.ts';
import {
  completeCharge,
  readCharges,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

let api: GraphqlApp;

beforeAll(async () => {
  api = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
});

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

/** As GraphQL writes them. */
const wordsOf = (methods: readonly string[]) => methods.map((method) => method.replaceAll('-', '_'));

async function run(query: string, input: object, as = api.merchant.keys.live) {
  const { data, errors } = await api.ask(query, { variables: { input }, as });
  expect(errors).toBeUndefined();
  return Object.values(data)[0] as Json;
}

test('a plan is made with its defaults, and refused where its terms make no sense', async () => {
  expect(await run(createPlan, monthly)).toMatchObject({
    subscriptionPlan: {
      status: 'active',
      numPayments: null,
      sendEmail: true,
      invoiceNoticeDays: 2,
      gracePeriodDays: 1,
      methods: wordsOf(methodCodes),
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
  expect(await run(createPlan, { ...monthly, ...rare })).toMatchObject({ subscriptionPlan: rare });
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
    expect(await run(createPlan, { ...monthly, ...terms })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path }],
    });
  }
});

test('the terms of a plan in use are fixed; name, status and orders are not', async () => {
  const plan = await seedPlan(api.context.service, api.merchant);
  await seedActiveSubscription(api.context.service, api.merchant, { plan, email: 'fixed@example.com' });
  const update = `mutation ($input: UpdateSubscriptionPlanInput!) { updateSubscriptionPlan(input: $input) {
    ... on UpdateSubscriptionPlanSuccess { subscriptionPlan { name status gracePeriodDays orders { name } } }
    ... on UserError { code } } }`;
  for (const terms of [
    { gracePeriodDays: 5 },
    { sendEmail: true },
    { numPayments: 3 },
    { methods: ['fps'] },
  ]) {
    expect(await run(update, { id: plan.id, ...terms })).toEqual({ code: 'plan_terms_fixed' });
  }
  const texts = { name: 'More tea', status: 'inactive', orders: [{ name: 'Oolong' }], gracePeriodDays: 1 };
  expect(await run(update, { id: plan.id, ...texts })).toEqual({
    subscriptionPlan: {
      name: 'More tea',
      status: 'inactive',
      gracePeriodDays: 1,
      orders: [{ name: 'Oolong' }],
    },
  });
  expect(await run(update, { id: plan.id, status: 'active' })).toMatchObject({
    subscriptionPlan: { name: 'More tea', status: 'active' },
  });
});

test('a plan offers the methods available of those named, and keeps the names through a change', async () => {
  const { service } = api.context;
  const own = await seedMerchant(service);
  const plan = await seedPlan(service, own, { input: { methods: ['paynow', 'fps'] } });
  await seedActiveSubscription(service, own, { plan });
  const retired = { merchantId: own.merchant.id, mode: 'live', method: 'paynow' } as const;
  await retireAccounts(service, retired, noon);
  const update = `mutation ($input: UpdateSubscriptionPlanInput!) { updateSubscriptionPlan(input: $input) {
    ... on UpdateSubscriptionPlanSuccess { subscriptionPlan { name methods selectedMethods } } ... on UserError { code } } }`;
  const input = { id: plan.id, name: 'More tea', methods: ['paynow', 'fps'] };
  expect(await run(update, input, own.keys.live)).toEqual({
    subscriptionPlan: { name: 'More tea', methods: ['fps'], selectedMethods: ['paynow', 'fps'] },
  });
  expect(await run(update, { ...input, methods: ['fps'] }, own.keys.live)).toEqual({
    code: 'plan_terms_fixed',
  });
});

test('a link for enrolment offers only the methods named for it', async () => {
  const { service } = api.context;
  const plan = await seedPlan(service, api.merchant, {
    input: { methods: ['fps', 'hk-bank-transfer', 'paynow'] },
  });
  const create = `mutation ($input: CreateSubscriptionLinkInput!) { createSubscriptionLink(input: $input) {
    ... on CreateSubscriptionLinkSuccess { url } ... on UserError { code } } }`;
  const offeredBy = async (paymentMethods?: string[] | null) => {
    const { url: subscriptionLink } = await run(create, {
      subscriptionPlanId: plan.id,
      methods: paymentMethods,
    });
    const { body } = await api.app.inject(new URL(subscriptionLink).pathname);
    return [...body.matchAll(/name="method" value="([^"]+)"/g)].map(([, method]) => method).sort();
  };
  expect(await offeredBy(['hk_bank_transfer', 'paynow', 'duit_now'])).toEqual(['hk-bank-transfer', 'paynow']);
  for (const all of [undefined, null, []]) {
    expect(await offeredBy(all)).toEqual(['fps', 'hk-bank-transfer', 'paynow']);
  }
  expect(await run(create, { subscriptionPlanId: plan.id, methods: ['duit_now'] })).toEqual({
    code: 'method_unavailable',
  });
});

test('enrol, pay an invoice another way, change the method, cancel', async () => {
  const { service } = api.context;
  const plan = await seedPlan(service, api.merchant);
  const enrol = `mutation ($input: EnrolInput!) { enrol(input: $input) { ... on EnrolSuccess {
    subscription { id status } charge { id status subscription { id } } } ... on UserError { code } } }`;
  const input = { subscriptionPlanId: plan.id, method: 'fps', customer: { email: 'eve@example.com' } };
  expect(await run(enrol, { ...input, customer: {} })).toEqual({ code: 'invalid_request' });
  const enrolled = await run(enrol, input);
  const { id } = enrolled.subscription;
  expect(enrolled).toMatchObject({
    subscription: { status: 'inactive' },
    charge: { status: 'pending', subscription: { id } },
  });
  const [first] = await readCharges(service, id);
  await completeCharge(service, first!, noon);
  await renewSubscriptions(service, { now: new Date('2026-12-15T12:00:00.000Z') });
  const read = `query ($id: ID!) { subscription(id: $id) { status method numPaymentsComplete
    openInvoice { id number status amount chargeId subscription { id } } } }`;
  const found = await api.ask(read, { variables: { id } });
  const { openInvoice } = found.data.subscription;
  expect(openInvoice).toMatchObject({ status: 'open', amount: '100.00', subscription: { id } });
  const pay = `mutation ($input: PayInvoiceInput!) { payInvoice(input: $input) {
    ... on PayInvoiceSuccess { charge { method status invoice { id } } } ... on UserError { code } } }`;
  expect(await run(pay, { id: openInvoice.id, method: 'hk_bank_transfer' })).toEqual({
    charge: { method: 'hk_bank_transfer', status: 'pending', invoice: { id: openInvoice.id } },
  });
  const change = `mutation ($input: ChangeSubscriptionMethodInput!) { changeSubscriptionMethod(input: $input) {
    ... on ChangeSubscriptionMethodSuccess { subscription { method } } ... on UserError { code } } }`;
  expect(await run(change, { id, method: 'fps' })).toEqual({ subscription: { method: 'fps' } });
  const cancel = `mutation ($input: CancelSubscriptionInput!) { cancelSubscription(input: $input) {
    ... on CancelSubscriptionSuccess { subscription { status nextPaymentAt } } ... on UserError { code } } }`;
  expect(await run(cancel, { id }, api.otherMerchant.keys.live)).toEqual({ code: 'subscription_not_found' });
  expect(await run(cancel, { id })).toEqual({ subscription: { status: 'cancelled', nextPaymentAt: null } });
  expect(await run(cancel, { id })).toEqual({ code: 'subscription_ended' });
  expect(await run(pay, { id: openInvoice.id })).toEqual({ code: 'invoice_not_open' });
});

test('the test clock: moved in the sandbox, null in live', async () => {
  const query = '{ testClock { id now isAdvancing advancingTo } }';
  expect((await api.ask(query)).data.testClock).toBeNull();
  const as = api.merchant.keys.sandbox;
  const before = (await api.ask(query, { as })).data.testClock;
  expect(before).toMatchObject({ now: noon.toISOString(), isAdvancing: false, advancingTo: null });
  const advance = `mutation ($input: AdvanceTestClockInput!) { advanceTestClock(input: $input) {
    ... on AdvanceTestClockSuccess { testClock { now } } ... on UserError { code } } }`;
  const to = '2027-01-01T00:00:00.000Z';
  expect(await run(advance, { advanceTo: to })).toEqual({ code: 'sandbox_only' });
  expect(await run(advance, { advanceTo: to }, as)).toEqual({ testClock: { now: to } });
  const node = 'query ($id: ID!) { node(id: $id) { __typename ... on TestClock { now } } }';
  expect((await api.ask(node, { variables: { id: before.id }, as })).data.node).toEqual({
    __typename: 'TestClock',
    now: to,
  });
});

test('subscriptionUpdated tells of each change, the invoice included', async () => {
  const { service } = api.context;
  const subscription = await seedActiveSubscription(service, api.merchant, { email: 'live@example.com' });
  const query = 'subscription ($id: ID!) { subscriptionUpdated(id: $id) { status openInvoice { status } } }';
  const stream = subscribeOverWebSocket(onCleanup, api.url, api.merchant.keys.live, query, {
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

test('subscriptionsUpdated tells of each subscription that is made or changes', async () => {
  const { service } = api.context;
  const own = await seedMerchant(service);
  const query = 'subscription { subscriptionsUpdated { id status } }';
  const stream = subscribeOverWebSocket(onCleanup, api.url, own.keys.live, query);
  const next = async () => (await stream.next()).data.subscriptionsUpdated;
  const first = next();
  const { subscription, charge } = await seedSubscription(service, own);
  expect(await first).toEqual({ id: subscription.id, status: 'inactive' });
  await completeCharge(service, charge!, noon);
  let told = await next();
  while (told.status === 'inactive') told = await next();
  expect(told).toEqual({ id: subscription.id, status: 'active' });
  await stream.close();
});

test('who enrols over the API is written to in the language given, else in that of the method’s country', async () => {
  const plan = await seedPlan(api.context.service, api.merchant);
  const enrol = async (input: object) => {
    const { data } = await api.ask(
      `mutation ($input: EnrolInput!) { enrol(input: $input) { ... on EnrolSuccess { subscription { locale } } } }`,
      { variables: { input: { subscriptionPlanId: plan.id, ...input } } },
    );
    return data.enrol;
  };
  const customer = (name: string) => ({ customer: { email: `${name}@example.com` } });
  expect(await enrol({ ...customer('zh'), method: 'fps' })).toEqual({ subscription: { locale: 'zh' } });
  expect(await enrol({ ...customer('th'), method: 'fps', locale: 'th' })).toEqual({
    subscription: { locale: 'th' },
  });
  const unknown = { subscriptionPlanId: plan.id, ...customer('xx'), method: 'fps', locale: 'xx' };
  const { errors } = await api.ask('mutation ($input: EnrolInput!) { enrol(input: $input) { __typename } }', {
    variables: { input: unknown },
  });
  expect(errors).toMatchObject([{ extensions: { code: 'invalid_request' } }]);
});
