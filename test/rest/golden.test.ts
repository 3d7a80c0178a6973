import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest as test } from '../setup/app-fixtures.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge } from '../setup/seed.ts';
import { seedActiveSubscription, seedPlan, seedSubscription } from '../setup/subscriptions.ts';

/**
 * Compares every object of the interface, with all of its members and with few, with a golden file of names and types.
 * A type that ends in `?` is an optional member; `null` is listed where it is allowed.
 */

type Shape = string | { [member: string]: Shape } | [Shape];

const golden = (name: string): Shape =>
  JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8'));

/** The differences between the value and the shape; `seenPaths` collects the paths of existing members. */
function findErrors(shape: Shape, value: unknown, path: string, seenPaths: Set<string>): string[] {
  if (typeof shape === 'string') {
    const types = shape.replace(/\?$/, '').split(' | ');
    return types.some((type) => hasType(type, value))
      ? []
      : [`${path} is ${JSON.stringify(value)}, not ${shape}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((item) => findErrors(shape[0], item, `${path}[]`, seenPaths));
  }
  if (typeof value !== 'object' || value === null) return [`${path} is no object`];
  const members = value as Record<string, unknown>;
  const memberShapes = new Map(
    Object.entries(shape).map(([name, inner]) => [name.replace(/\?$/, ''), { name, inner }]),
  );
  const unknown = Object.keys(members).filter((name) => !memberShapes.has(name));
  return [
    ...unknown.map((name) => `${path}.${name} is not of the interface`),
    ...[...memberShapes].flatMap(([name, { name: written, inner }]) => {
      if (!(name in members)) return written.endsWith('?') ? [] : [`${path}.${name} is missing`];
      seenPaths.add(`${path}.${name}`);
      return findErrors(inner, members[name], `${path}.${name}`, seenPaths);
    }),
  ];
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'time')
    return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
  if (type.startsWith('"')) return JSON.stringify(value) === type;
  return typeof value === type;
}

/** The paths of all members of the shape. */
function listPaths(shape: Shape, path: string): string[] {
  if (typeof shape === 'string') return [];
  if (Array.isArray(shape)) return listPaths(shape[0], `${path}[]`);
  return Object.entries(shape).flatMap(([name, inner]) => {
    const memberPath = `${path}.${name.replace(/\?$/, '')}`;
    return [memberPath, ...listPaths(inner, memberPath)];
  });
}

const call = (app: TestApp, merchant: NewMerchant, method: 'GET' | 'POST', url: string, body?: unknown) =>
  callApi(app.app, { method, url, keys: merchant.keys.sandbox, body });
const post = async (app: TestApp, merchant: NewMerchant, url: string, body: unknown) =>
  (await call(app, merchant, 'POST', url, body)).json;
const get = async (app: TestApp, merchant: NewMerchant, url: string) =>
  (await call(app, merchant, 'GET', url)).json;

const customer = {
  email: 'ada@example.com',
  phone: { code: '+852', phone: '51234567' },
  firstName: 'Ada',
  lastName: 'Wong',
};
const orders = [{ id: 'a', name: 'Tea', quantity: 1, amount: 5 }];
const extras = { orders, notifyPayload: 'cA==', notifyUrl: 'https://shop.example/n' };

/** Creates a completed charge of a session with a refund, as the customer’s browser does. */
async function createSessionCharge(app: TestApp, merchant: NewMerchant): Promise<string> {
  const { service } = app.context;
  const session = await post(app, merchant, '/sessions', { amount: 5, currency: 'HKD', ...extras, customer });
  const { merchant: seller } = merchant;
  const browser = { browserToken: 'browser', now: noon };
  const claim = await claimSession(service, { ...browser, id: session.id, canTakeOver: false });
  const { id } = await chargeSession(service, {
    ...{ ...browser, merchant: seller, session: claim.session, method: 'fps' },
    customer: { ...customer, phone: '+85251234567' },
  });
  const owner = { merchantId: seller.id, mode: 'sandbox' } as const;
  await completeSandboxCharge(service, { ...owner, id, actor: 'user:test', now: noon });
  await post(app, merchant, '/refunds', { chargeId: id, customerAmount: 1 });
  return id;
}

/** Each object with as few members and with as many members as possible. */
const objects: Record<string, (app: TestApp, merchant: NewMerchant) => Promise<unknown[]>> = {
  charge: async (app, merchant) => [
    await get(app, merchant, `/charges/${(await seedCompletedCharge(app.context.service, merchant)).id}`),
    await get(app, merchant, `/charges/${await createSessionCharge(app, merchant)}`),
  ],
  'charge-created': async (app, merchant) => {
    const terms = { email: 'a@b.example', merchantCurrency: 'HKD', method: 'fps' };
    return [
      await post(app, merchant, '/charges', { ...terms, merchantAmount: 5 }),
      await post(app, merchant, '/charges', { ...terms, merchantAmount: 6, ...extras }),
    ];
  },
  'charge-list': async (app, merchant) => {
    await createSessionCharge(app, merchant);
    return [await get(app, merchant, '/charges?limit=50')];
  },
  refund: async (app, merchant) => {
    const charge = await seedCompletedCharge(app.context.service, merchant);
    const refund = await post(app, merchant, '/refunds', { chargeId: charge.id, customerAmount: 1 });
    return [refund, (await get(app, merchant, `/refunds?chargeId=${charge.id}`)).refunds[0]];
  },
  'refund-list': async (app, merchant) => {
    await createSessionCharge(app, merchant);
    return [await get(app, merchant, '/refunds?limit=50')];
  },
  session: async (app, merchant) => [
    await post(app, merchant, '/sessions', { amount: 5, currency: 'HKD' }),
    await post(app, merchant, '/sessions', {
      amount: 5,
      currency: 'HKD',
      ...extras,
      customer,
      redirectUrl: 'https://shop.example/',
      cancelUrl: 'https://shop.example/cart',
    }),
  ],
  'checkout-link': async (app, merchant) => [
    await post(app, merchant, '/checkout-link', {
      amount: 5,
      currency: 'HKD',
      apiKey: merchant.keys.sandbox.publishableKey,
    }),
  ],
  methods: async (app, merchant) => [await get(app, merchant, '/methods')],
  currencies: async (app, merchant) => [await get(app, merchant, '/currencies')],
  forex: async (app, merchant) => [
    await get(app, merchant, '/forex?sourceCurrency=USD&sourceAmount=10&destinationCurrency=HKD'),
  ],
  transfers: async (app, merchant) => {
    const { receivingAccountId, paymentReference: reference } = await seedCharge(
      app.context.service,
      merchant,
      {
        mode: 'sandbox',
      },
    );
    const money = { amount: 128.5, currency: 'HKD', reference, paidAt: noon.toISOString() };
    return [
      await post(app, merchant, '/transfers', {
        transfers: [{ id: 'x' }, { id: 'bank-1', receivingAccountId, ...money }],
      }),
    ];
  },
  'subscription-plan': async (app, merchant) => {
    const bare = await seedPlan(app.context.service, merchant, { mode: 'sandbox' });
    const full = await seedPlan(app.context.service, merchant, {
      mode: 'sandbox',
      input: {
        numPayments: 12,
        initialPayment: { amount: 1, period: 'days', count: 14 },
        orders: [{ id: 'a', name: 'Tea', quantity: 2, amount: 5 }],
        methods: ['fps'],
      },
    });
    return [
      await get(app, merchant, `/subscription-plans/${bare.id}`),
      await get(app, merchant, `/subscription-plans/${full.id}`),
    ];
  },
  'subscription-plan-list': async (app, merchant) => {
    await objects['subscription-plan']!(app, merchant);
    return [await get(app, merchant, '/subscription-plans')];
  },
  subscription: async (app, merchant) => {
    const { service } = app.context;
    const plan = await seedPlan(service, merchant, { mode: 'sandbox', input: { invoiceNotice: 2 } });
    const enrolled = await seedSubscription(service, merchant, { plan });
    const { id } = await seedActiveSubscription(service, merchant, { plan });
    await renewSubscriptions(service, { now: minutesAfter(noon, 30 * 24 * 60) });
    return [
      await get(app, merchant, `/subscriptions/${enrolled.subscription.id}`),
      await get(app, merchant, `/subscriptions/${id}`),
    ];
  },
  'subscription-list': async (app, merchant) => {
    await objects.subscription!(app, merchant);
    return [await get(app, merchant, '/subscriptions')];
  },
  'subscription-link': async (app, merchant) => {
    const plan = await seedPlan(app.context.service, merchant, { mode: 'sandbox' });
    return [await post(app, merchant, '/subscription-link', { subscriptionPlanId: plan.id })];
  },
  'phone-verification': async (app, merchant) => [
    await post(app, merchant, '/customers/phone/verification', { phone: customer.phone }),
  ],
  'charge-hash': async (app, merchant) => [
    (await call(app, merchant, 'POST', '/charges/hash', { merchantAmount: 5, merchantCurrency: 'HKD' })).text,
  ],
  problem: async (app, merchant) => [
    await get(app, merchant, '/charges/ch_none'),
    await post(app, merchant, '/charges', {}),
  ],
};

describe('Members of each object', () => {
  test.for(Object.entries(objects))(
    'of type %s match the golden file',
    async ([name, create], { app, merchant }) => {
      const shape = golden(name);
      const seenPaths = new Set<string>();
      const errors = (await create(app, merchant)).flatMap((object) =>
        findErrors(shape, object, name, seenPaths),
      );
      expect(errors).toEqual([]);
      // Each member occurs in one of them.
      expect(listPaths(shape, name).filter((path) => !seenPaths.has(path))).toEqual([]);
    },
  );
});
