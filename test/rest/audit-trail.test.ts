import { expect } from 'vitest';
import { callApi } from '../setup/api.ts';
import { collectAuditEntries } from '../setup/database-state.ts';
import { graphqlTest } from '../setup/fixtures.ts';
import type { GraphqlApp, Json } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const test = graphqlTest.extend('owner', ({ app }) => signInAs('owner', app, app.merchant));

/** Changes by API keys over REST are audited, like those by users. */

const readEntries = (app: GraphqlApp, change: () => Promise<unknown>) =>
  collectAuditEntries(app.context.service, change);

const call = (app: GraphqlApp, method: 'POST' | 'PATCH', url: string, body?: object, headers = {}) =>
  callApi(app.app, { method, url, keys: app.merchant.keys.live, ...(body && { body }), headers });

const pending = (app: GraphqlApp, email: string) =>
  seedCharge(app.context.service, app.merchant, { input: { email }, now: app.context.clock.now() });

async function seedPaidCharge(app: GraphqlApp): Promise<string> {
  const { service, clock } = app.context;
  const charge = await pending(app, `${crypto.randomUUID()}@example.com`);
  await payCharge(service, app.merchant, charge, { now: clock.now() });
  return charge.id;
}

test('A change by an API key is recorded with the key and its address, once for each idempotency key', async ({
  app,
}) => {
  const chargeId = await seedPaidCharge(app);
  const createRefund = () =>
    call(app, 'POST', '/refunds', { chargeId, customerAmount: 1 }, { 'idempotency-key': 'audit refund' });
  const entries = await readEntries(app, async () => {
    expect([(await createRefund()).status, (await createRefund()).status]).toEqual([201, 201]);
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

test('Links, sessions, transfers and cancellations by API keys are recorded', async ({ app }) => {
  const { id, receivingAccountId } = await pending(app, 'rest@example.com');
  const { publishableKey: apiKey } = app.merchant.keys.live;
  const plan = await seedPlan(app.context.service, app.merchant, { now: app.context.clock.now() });
  const paidAt = app.context.clock.now().toISOString();
  const transfer = {
    id: 'audit-1',
    receivingAccountId,
    amount: 1,
    currency: 'HKD',
    reference: 'none',
    paidAt,
  };
  const entries = await readEntries(app, async () => {
    const responses = [
      await call(app, 'POST', '/sessions', { amount: 5, currency: 'HKD' }),
      await call(app, 'POST', '/checkout-link', { amount: 5, currency: 'HKD', apiKey }),
      await call(app, 'POST', '/subscription-link', { subscriptionPlanId: plan.id }),
      await call(app, 'POST', '/transfers', { transfers: [transfer] }),
      await call(app, 'PATCH', `/charges/${id}/cancel`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
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

test('A charge that a key creates has an audit entry and an event with the key and its address', async ({
  app,
  owner,
}) => {
  const body = { email: 'many@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
  let id = '';
  const entries = await readEntries(app, async () => {
    id = ((await call(app, 'POST', '/charges', body)).json as Json).id;
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
  // The same over GraphQL.
  const { data } =
    await app.ask(`mutation { createCharge(input: { email: "many@example.com", merchantAmount: "6",
    merchantCurrency: "HKD", method: fps }) { ... on CreateChargeSuccess { charge { id } } } }`);
  const byGraphql = await app.context.service.prisma.event.findFirstOrThrow({
    where: { objectId: data.createCharge.charge.id },
  });
  expect(byGraphql).toMatchObject({ actor: event.actor, ipAddress: '127.0.0.1' });
  // Only users who may read the audit trail see it.
  const eventQuery = `{ event(id: "${event.id}") { actor ipAddress } }`;
  expect((await owner.ask(eventQuery)).data.event).toEqual({ actor: event.actor, ipAddress: '127.0.0.1' });
  const support = await signInAs('support', app, app.merchant);
  const result = await support.ask(eventQuery);
  expect(result.data.event).toEqual({ actor: event.actor, ipAddress: null });
  expect(result.errors[0].extensions.code).toBe('permission_denied');
});

test('A rejected request leaves no audit entry', async ({ app }) => {
  const entries = await readEntries(app, async () => {
    expect(
      (await call(app, 'POST', '/refunds', { chargeId: await seedPaidCharge(app), customerAmount: 999 }))
        .status,
    ).toBe(422);
  });
  expect(entries).toEqual([]);
});
