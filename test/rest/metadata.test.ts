import { describe, expect } from 'vitest';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../../src/domain/operations/customer-data/export-customer.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { type MerchantTime, systemClock } from '../../src/kit/clock.ts';
import { callApi } from '../setup/api.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { checkNotification } from '../setup/check-notification.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { createAndReadExport } from '../setup/exports.ts';
import type { Json } from '../setup/graphql.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { startReceiver } from '../setup/receiver.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { seedPlan } from '../setup/subscriptions.ts';

const metadata = { order: '4711', 'shop.region': 'Kowloon "東"' };
const entries = [
  { key: 'order', value: '4711' },
  { key: 'shop.region', value: 'Kowloon "東"' },
];

const test = appTest.extend('call', async ({ app, service }) => {
  const merchant = await seedMerchant(service);
  const rest = async (method: 'GET' | 'POST', url: string, body?: object): Promise<Json> =>
    (await callApi(app.app, { method, url, keys: merchant.keys.sandbox, body })).json;
  const graphql = async (query: string, variables: object = {}): Promise<Json> => {
    const { data, errors } = await rest('POST', '/graphql', { query, variables });
    expect(errors).toBeUndefined();
    return data;
  };
  const createCharge = (more: object) =>
    rest('POST', '/charges', {
      ...{ email: 'ada@example.com', merchantAmount: 96, merchantCurrency: 'HKD', method: 'fps' },
      ...more,
    });
  return { merchant, rest, graphql, createCharge };
});

describe('Metadata', () => {
  test('of a charge is returned, found and distinguishes it from an identical charge', async ({ call }) => {
    const charge = await call.createCharge({ metadata, notifyPayload: 'order-4711' });
    expect(charge.metadata).toEqual(metadata);
    const same = await call.createCharge({
      metadata: Object.fromEntries(Object.entries(metadata).reverse()),
      notifyPayload: 'order-4711',
    });
    expect(same).toMatchObject({ id: charge.id, isDuplicate: true });
    const other = await call.createCharge({ metadata: { order: '4712' }, notifyPayload: 'order-4711' });
    expect(other.isDuplicate).toBe(false);
    const bare = await call.createCharge({ metadata: {} });
    expect(bare).not.toHaveProperty('metadata');

    const list = async (query: string) =>
      (await call.rest('GET', `/charges?${query}`)).charges.map(({ id }: { id: string }) => id);
    expect(await list('metadata=order:4711')).toEqual([charge.id]);
    expect(await list(`metadata=${encodeURIComponent('shop.region:Kowloon "東"')}`)).toEqual([charge.id]);
    expect(await list('metadata=order:471')).toEqual([]);
    expect(await list('metadata=region:4711')).toEqual([]);
    expect(new Set(await list('notifyPayload=order-4711'))).toEqual(new Set([other.id, charge.id]));
    expect(await list('notifyPayload=order-4711&metadata=order:4712&status=pending')).toEqual([other.id]);
    expect((await call.rest('GET', '/charges?metadata=order')).errors).toMatchObject([{ path: '/metadata' }]);

    const search = `query ($filter: ChargeFilter) { charges(filter: $filter) { totalCount nodes { id metadata { key value } } } }`;
    const find = async (filter: object) => (await call.graphql(search, { filter })).charges;
    expect(await find({ search: 'Kowloon "東"' })).toEqual({
      totalCount: 1,
      nodes: [{ id: charge.id, metadata: entries }],
    });
    expect((await find({ search: 'order-4711' })).totalCount).toBe(2);
    expect((await find({ metadata: { key: 'order', value: '4712' } })).nodes).toMatchObject([
      { id: other.id },
    ]);
    expect((await find({ notifyPayload: 'order-4711' })).totalCount).toBe(2);
  });

  test('of a refund is its own, and the refund is found by the reference of its charge', async ({ call }) => {
    const charge = await call.createCharge({ metadata, notifyPayload: 'order-4711' });
    await call.rest('POST', `/charges/${charge.id}/complete`);
    const body = { chargeId: charge.id, customerAmount: 1 };
    const refund = await call.rest('POST', '/refunds', { ...body, metadata: { reason: 'damaged' } });
    expect(refund.metadata).toEqual({ reason: 'damaged' });
    const bare = await call.rest('POST', '/refunds', body);
    expect(bare).not.toHaveProperty('metadata');
    const list = async (query: string) =>
      (await call.rest('GET', `/refunds?${query}`)).refunds.map(({ id }: { id: string }) => id);
    expect(await list('metadata=reason:damaged')).toEqual([refund.id]);
    expect(new Set(await list('notifyPayload=order-4711'))).toEqual(new Set([bare.id, refund.id]));
    const query = `{ refunds(filter: { metadata: { key: "reason", value: "damaged" }, notifyPayload: "order-4711" }) { nodes { id metadata { key value } } } }`;
    expect((await call.graphql(query)).refunds.nodes).toEqual([
      { id: refund.id, metadata: [{ key: 'reason', value: 'damaged' }] },
    ]);
  });

  test('of a session is copied to its charge', async ({ call, service }) => {
    const body = { amount: 96, currency: 'HKD', metadata, notifyPayload: 'cart-1' };
    const { id, metadata: created } = await call.rest('POST', '/sessions', body);
    expect([created, (await call.rest('GET', `/sessions/${id}`)).metadata]).toEqual([metadata, metadata]);
    const query = `{ sessions(filter: { notifyPayload: "cart-1", metadata: { key: "order", value: "4711" } }) { totalCount nodes { id metadata { key value } } } }`;
    expect((await call.graphql(query)).sessions).toEqual({
      totalCount: 1,
      nodes: [{ id, metadata: entries }],
    });
    const { merchant } = call.merchant;
    const browser = { browserToken: 'b'.repeat(43), now: noon as MerchantTime };
    const claim = await claimSession(service, { ...browser, id, canTakeOver: false });
    await chargeSession(service, {
      ...{ ...browser, merchant, session: claim.session, method: 'fps' },
      customer: { email: 'ada@example.com' },
    });
    expect((await call.rest('GET', `/sessions/${id}/charge`)).metadata).toEqual(metadata);
  });

  test('of links and enrolments is copied to subscriptions and charges', async ({ call, service }) => {
    const plan = await seedPlan(service, call.merchant, { mode: 'sandbox' });
    await call.rest('POST', '/subscription-link', { subscriptionPlanId: plan.id, metadata });
    await call.rest('POST', '/checkout-link', {
      ...{ amount: 96, currency: 'HKD', apiKey: call.merchant.keys.sandbox.publishableKey, metadata },
    });
    const links = await call.graphql('{ checkoutLinks { nodes { metadata { key value } } } }');
    expect(links.checkoutLinks.nodes).toEqual([{ metadata: entries }]);
    const input = {
      ...{ subscriptionPlanId: plan.id, method: 'fps', customer: { email: 'ada@example.com' } },
      ...{ metadata: entries, notifyPayload: 'user-77' },
    };
    const { enrol } = await call.graphql(
      'mutation ($input: EnrolInput!) { enrol(input: $input) { ... on EnrolSuccess { subscription { id metadata { key value } } charge { metadata { key value } } } } }',
      { input },
    );
    expect(enrol).toMatchObject({ subscription: { metadata: entries }, charge: { metadata: entries } });
    for (const query of ['metadata=order:4711', 'notifyPayload=user-77']) {
      const { subscriptions } = await call.rest('GET', `/subscriptions?${query}`);
      expect(subscriptions).toMatchObject([{ id: enrol.subscription.id, metadata }]);
    }
    expect((await call.rest('GET', '/subscriptions?metadata=order:0')).subscriptions).toEqual([]);
  });

  test('is in webhooks and in the typed payload of events', async ({ call, service, onTestFinished }) => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const options = { url: `${receiver.url}/hooks`, mode: 'sandbox', notificationVersion: '1.0' } as const;
    await seedWebhook(service, call.merchant, options);
    const charge = await call.createCharge({ metadata });
    await call.rest('POST', `/charges/${charge.id}/complete`);
    await call.rest('POST', '/refunds', {
      chargeId: charge.id,
      customerAmount: 1,
      metadata: { reason: 'x' },
    });
    await relayEvents(service, { now: new Date() });
    await deliverNotifications(service, { clock: systemClock });
    for (const { body } of receiver.requests) await checkNotification(body);
    const received = receiver.requests.map(({ body }) => JSON.parse(body));
    expect(received.map(({ message, payload }) => [message, payload.metadata]).sort()).toEqual([
      ['CHARGE_COMPLETE', metadata],
      ['refund_initiated', { reason: 'x' }],
    ]);
    const { events } = await call.graphql(
      '{ events(first: 50) { nodes { type payload { ... on ChargeEventPayload { metadata { key value } } } } } }',
    );
    expect(events.nodes).toContainEqual({ type: 'CHARGE_COMPLETE', payload: { metadata: entries } });
  });

  test('is exported, and erased with the customer', async ({ call, service }) => {
    const charge = await call.createCharge({ metadata });
    await call.rest('POST', `/charges/${charge.id}/complete`);
    await call.rest('POST', '/refunds', {
      chargeId: charge.id,
      customerAmount: 1,
      metadata: { reason: 'x' },
    });
    const live = await seedCharge(service, call.merchant);
    await service.prisma.charge.update({ where: { id: live.id }, data: { metadata: entries } });
    const input = { kind: 'charges', where: { merchantId: live.merchantId, mode: 'live' } } as const;
    const { text } = await createAndReadExport(service, call.merchant, input, minutesAfter(noon, 1));
    expect(text).toContain('"{""order"":""4711""');
    const { customerId: id } = await service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } });
    expect((await exportCustomer(service, { id })).charges).toMatchObject([
      { metadata, refunds: [{ metadata: { reason: 'x' } }] },
    ]);
    await eraseCustomer(service, { id, now: minutesAfter(noon, 2) });
    const after = await call.rest('GET', `/charges/${charge.id}`);
    expect([after, after.refunds[0]].some((object) => 'metadata' in object)).toBe(false);
    const events = await service.prisma.event.findMany({ where: { merchantId: call.merchant.merchant.id } });
    expect(events.filter(({ payload }) => payload.includes('metadata'))).toEqual([]);
  });

  test.for<[string, object, string]>([
    ['21 keys', Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v'])), '/metadata'],
    ['a key with a space', { 'a b': 'v' }, '/metadata'],
    ['a key of 41 characters', { [`${'a'.repeat(41)}`]: 'v' }, '/metadata'],
    ['a value of 501 characters', { a: 'v'.repeat(501) }, '/metadata/a'],
    ['a number as value', { a: 1 }, '/metadata/a'],
  ])('with %s is rejected', async ([, invalid, path], { call }) => {
    const { code, errors } = await call.createCharge({ metadata: invalid });
    expect([code, errors[0].path]).toEqual(['invalid_request', path]);
  });
});
