import { beforeAll, expect, test } from 'vitest';
import { callApi } from '../setup/api.ts';
import { auditEntriesOf } from '../setup/audit-entries.ts';
import { type GraphqlApp, graphqlApp, type Json } from '../setup/graphql.ts';
import { makeCharge } from '../setup/makers.ts';
import { type SignedIn, signedInAs } from '../setup/sign-in.ts';
import { makePlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

/** What keys change over REST stands in the audit trail, as what users change does. */

let app: GraphqlApp;
let owner: SignedIn;

beforeAll(async () => {
  app = await graphqlApp();
  owner = await signedInAs('owner', app, app.merchant);
});

const entriesOf = (change: () => Promise<unknown>) => auditEntriesOf(app.context.service, change);

const call = (method: 'POST' | 'PATCH', url: string, body?: object, headers = {}) =>
  callApi(app.app, { method, url, keys: app.merchant.keys.live, ...(body && { body }), headers });

const pending = (email: string) =>
  makeCharge(app.context.service, app.merchant, { input: { email }, now: app.context.clock.now() });

async function paid(): Promise<string> {
  const { service, clock } = app.context;
  const charge = await pending(`${crypto.randomUUID()}@example.com`);
  await payCharge(service, app.merchant, charge, { now: clock.now() });
  return charge.id;
}

test('what a key changes is written down with the key and its address, once for an idempotency key', async () => {
  const chargeId = await paid();
  const asked = () =>
    call('POST', '/refunds', { chargeId, customerAmount: 1 }, { 'idempotency-key': 'audit refund' });
  const entries = await entriesOf(async () => {
    expect([(await asked()).status, (await asked()).status]).toEqual([201, 201]);
  });
  expect(entries).toMatchObject([
    {
      action: 'refund.created',
      actor: expect.stringMatching(/^key:key_/),
      ipAddress: '127.0.0.1',
      mode: 'live',
    },
  ]);
});

test('links, sessions, transfers and cancellations too', async () => {
  const { id, receivingAccountId } = await pending('rest@example.com');
  const { publishableKey: apiKey } = app.merchant.keys.live;
  const plan = await makePlan(app.context.service, app.merchant, { now: app.context.clock.now() });
  const paidAt = app.context.clock.now().toISOString();
  const transfer = {
    id: 'audit-1',
    receivingAccountId,
    amount: 1,
    currency: 'HKD',
    reference: 'none',
    paidAt,
  };
  const entries = await entriesOf(async () => {
    const answers = [
      await call('POST', '/sessions', { amount: 5, currency: 'HKD' }),
      await call('POST', '/checkout-link', { amount: 5, currency: 'HKD', apiKey }),
      await call('POST', '/subscription-link', { subscriptionPlanId: plan.id }),
      await call('POST', '/transfers', { transfers: [transfer] }),
      await call('PATCH', `/charges/${id}/cancel`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  });
  expect(entries.map(({ action }) => action)).toEqual([
    'session.created',
    'checkout_link.created',
    'subscription_link.created',
    'transfer.recorded',
    'charge.cancelled',
  ]);
  expect(entries.at(-1)?.objectId).toBe(id);
});

test('A charge that a key creates has an audit entry and an event with the key and its address', async () => {
  const body = { email: 'many@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
  let id = '';
  const entries = await entriesOf(async () => {
    id = ((await call('POST', '/charges', body)).json as Json).id;
  });
  const [entry] = entries;
  expect(entries).toMatchObject([
    {
      action: 'charge.created',
      objectId: id,
      actor: expect.stringMatching(/^key:key_/),
      ipAddress: '127.0.0.1',
    },
  ]);
  const event = await app.context.service.prisma.event.findFirstOrThrow({ where: { objectId: id } });
  expect(event).toMatchObject({
    type: 'charge_created',
    actor: entry!.actor,
    ipAddress: '127.0.0.1',
  });
  // Over GraphQL too.
  const { data } =
    await app.ask(`mutation { createCharge(input: { email: "many@example.com", merchantAmount: "6",
    merchantCurrency: "HKD", method: fps }) { ... on CreateChargeSuccess { charge { id } } } }`);
  const byGraphql = await app.context.service.prisma.event.findFirstOrThrow({
    where: { objectId: data.createCharge.charge.id },
  });
  expect(byGraphql).toMatchObject({ actor: event.actor, ipAddress: '127.0.0.1' });
  // It is told to those who may read the audit trail.
  const ask = `{ event(id: "${event.id}") { actor ipAddress } }`;
  expect((await owner.ask(ask)).data.event).toEqual({ actor: event.actor, ipAddress: '127.0.0.1' });
  const support = await signedInAs('support', app, app.merchant);
  const told = await support.ask(ask);
  expect(told.data.event).toEqual({ actor: event.actor, ipAddress: null });
  expect(told.errors[0].extensions.code).toBe('permission_denied');
});

test('what is refused leaves nothing', async () => {
  const entries = await entriesOf(async () => {
    expect((await call('POST', '/refunds', { chargeId: await paid(), customerAmount: 999 })).status).toBe(
      422,
    );
  });
  expect(entries).toEqual([]);
});
