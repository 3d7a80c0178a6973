import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { makeCharge, makeCompletedCharge, makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { makeActiveSubscription, makePlan, makeSubscription } from '../setup/subscriptions.ts';

/**
 * Every object of the interface, with all its members and with as few as it can have, held against a file that gives the
 * name and type of each member. A type ending in `?` is a member that may be left out; `null` is told where it may stand.
 */

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp({ clock: testClock(noon) });
  merchant = await makeMerchant(app.context.service);
});

type Shape = string | { [member: string]: Shape } | [Shape];

const golden = (name: string): Shape =>
  JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8'));

/** What of the value is not as the shape says; `seen` collects the paths of members that were there. */
function faults(shape: Shape, value: unknown, path: string, seen: Set<string>): string[] {
  if (typeof shape === 'string') {
    const types = shape.replace(/\?$/, '').split(' | ');
    return types.some((type) => isOf(type, value))
      ? []
      : [`${path} is ${JSON.stringify(value)}, not ${shape}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((item) => faults(shape[0], item, `${path}[]`, seen));
  }
  if (typeof value !== 'object' || value === null) return [`${path} is no object`];
  const members = value as Record<string, unknown>;
  const known = new Map(
    Object.entries(shape).map(([name, inner]) => [name.replace(/\?$/, ''), { name, inner }]),
  );
  const unknown = Object.keys(members).filter((name) => !known.has(name));
  return [
    ...unknown.map((name) => `${path}.${name} is not of the interface`),
    ...[...known].flatMap(([name, { name: written, inner }]) => {
      if (!(name in members)) return written.endsWith('?') ? [] : [`${path}.${name} is missing`];
      seen.add(`${path}.${name}`);
      return faults(inner, members[name], `${path}.${name}`, seen);
    }),
  ];
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'time')
    return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
  if (type.startsWith('"')) return JSON.stringify(value) === type;
  return typeof value === type;
}

/** All members the shape names, by path. */
function paths(shape: Shape, path: string): string[] {
  if (typeof shape === 'string') return [];
  if (Array.isArray(shape)) return paths(shape[0], `${path}[]`);
  return Object.entries(shape).flatMap(([name, inner]) => {
    const at = `${path}.${name.replace(/\?$/, '')}`;
    return [at, ...paths(inner, at)];
  });
}

const call = (method: 'GET' | 'POST', url: string, body?: unknown) =>
  callApi(app.app, { method, url, keys: merchant.keys.sandbox, body });
const post = async (url: string, body: unknown) => (await call('POST', url, body)).json;
const get = async (url: string) => (await call('GET', url)).json;

const customer = {
  email: 'ada@example.com',
  phone: { code: '+852', phone: '51234567' },
  firstName: 'Ada',
  lastName: 'Wong',
};
const orders = [{ id: 'a', name: 'Tea', quantity: 1, amount: 5 }];
const extras = { orders, notifyPayload: 'cA==', notifyUrl: 'https://shop.example/n' };

/** What the customer's browser makes of a session, completed, with a refund. */
async function sessionCharge(): Promise<string> {
  const { service } = app.context;
  const session = await post('/sessions', { amount: 5, currency: 'HKD', ...extras, customer });
  const { merchant: seller } = merchant;
  const browser = { browserToken: 'browser', now: noon };
  const claim = await claimSession(service, { ...browser, id: session.id, takeOver: false });
  const { id } = await chargeSession(service, {
    ...{ ...browser, merchant: seller, session: claim.session, method: 'fps' },
    customer: { ...customer, phone: '+85251234567' },
  });
  const owner = { merchantId: seller.id, mode: 'sandbox' } as const;
  await completeSandboxCharge(service, { ...owner, id, actor: 'user:test', now: noon });
  await post('/refunds', { chargeId: id, customerAmount: 1 });
  return id;
}

/** Each object as few and as full as it can be. */
const objects: Record<string, () => Promise<unknown[]>> = {
  charge: async () => [
    await get(`/charges/${(await makeCompletedCharge(app.context.service, merchant)).id}`),
    await get(`/charges/${await sessionCharge()}`),
  ],
  'charge-created': async () => {
    const terms = { email: 'a@b.example', merchantCurrency: 'HKD', method: 'fps' };
    return [
      await post('/charges', { ...terms, merchantAmount: 5 }),
      await post('/charges', { ...terms, merchantAmount: 6, ...extras }),
    ];
  },
  'charge-list': async () => {
    await sessionCharge();
    return [await get('/charges?limit=50')];
  },
  refund: async () => {
    const charge = await makeCompletedCharge(app.context.service, merchant);
    const refund = await post('/refunds', { chargeId: charge.id, customerAmount: 1 });
    return [refund, (await get(`/refunds?chargeId=${charge.id}`)).refunds[0]];
  },
  'refund-list': async () => {
    await sessionCharge();
    return [await get('/refunds?limit=50')];
  },
  session: async () => [
    await post('/sessions', { amount: 5, currency: 'HKD' }),
    await post('/sessions', {
      amount: 5,
      currency: 'HKD',
      ...extras,
      customer,
      redirectUrl: 'https://shop.example/',
    }),
  ],
  'checkout-link': async () => [
    await post('/checkout-link', {
      amount: 5,
      currency: 'HKD',
      apiKey: merchant.keys.sandbox.publishableKey,
    }),
  ],
  methods: async () => [await get('/methods')],
  currencies: async () => [await get('/currencies')],
  forex: async () => [await get('/forex?sourceCurrency=USD&sourceAmount=10&destinationCurrency=HKD')],
  transfers: async () => {
    const { receivingAccountId, paymentReference: reference } = await makeCharge(
      app.context.service,
      merchant,
      {
        mode: 'sandbox',
      },
    );
    const money = { amount: 128.5, currency: 'HKD', reference, paidAt: noon.toISOString() };
    return [
      await post('/transfers', { transfers: [{ id: 'x' }, { id: 'bank-1', receivingAccountId, ...money }] }),
    ];
  },
  'subscription-plan': async () => {
    const bare = await makePlan(app.context.service, merchant, { mode: 'sandbox' });
    const full = await makePlan(app.context.service, merchant, {
      mode: 'sandbox',
      input: {
        numPayments: 12,
        initialPayment: { amount: 1, period: 'days', count: 14 },
        orders: [{ id: 'a', name: 'Tea', quantity: 2, amount: 5 }],
        methods: ['fps'],
      },
    });
    return [await get(`/subscription-plans/${bare.id}`), await get(`/subscription-plans/${full.id}`)];
  },
  'subscription-plan-list': async () => {
    await objects['subscription-plan']!();
    return [await get('/subscription-plans')];
  },
  subscription: async () => {
    const { service } = app.context;
    const plan = await makePlan(service, merchant, { mode: 'sandbox', input: { invoiceNotice: 2 } });
    const enrolled = await makeSubscription(service, merchant, { plan });
    const { id } = await makeActiveSubscription(service, merchant, { plan });
    await renewSubscriptions(service, { now: minutesAfter(noon, 30 * 24 * 60) });
    return [await get(`/subscriptions/${enrolled.subscription.id}`), await get(`/subscriptions/${id}`)];
  },
  'subscription-list': async () => {
    await objects.subscription!();
    return [await get('/subscriptions')];
  },
  'subscription-link': async () => {
    const plan = await makePlan(app.context.service, merchant, { mode: 'sandbox' });
    return [await post('/subscription-link', { subscriptionPlanId: plan.id })];
  },
  'phone-verification': async () => [await post('/customers/phone/verification', { phone: customer.phone })],
  'charge-hash': async () => [
    (await call('POST', '/charges/hash', { merchantAmount: 5, merchantCurrency: 'HKD' })).text,
  ],
  problem: async () => [await get('/charges/ch_none'), await post('/charges', {})],
};

describe('the members of each object', () => {
  test.each(Object.entries(objects))('%s', async (name, make) => {
    const shape = golden(name);
    const seen = new Set<string>();
    const found = (await make()).flatMap((object) => faults(shape, object, name, seen));
    expect(found).toEqual([]);
    // Every member was looked at in one of them.
    expect(paths(shape, name).filter((path) => !seen.has(path))).toEqual([]);
  });
});
