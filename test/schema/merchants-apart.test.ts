import { beforeAll, describe, expect, test } from 'vitest';
import { relayEvents } from '../../src/event/relay-events.ts';
import { type GraphqlApp, graphqlApp, type Json } from '../setup/graphql.ts';
import { makeCharge } from '../setup/makers.ts';
import { makeWebhook } from '../setup/notifications.ts';
import { makeReceivingAccount } from '../setup/receiving-accounts.ts';
import { payCharge } from '../setup/transfers.ts';

let app: GraphqlApp;
const now = new Date();

beforeAll(async () => {
  app = await graphqlApp();
});

const chargeOf = (email: string) =>
  makeCharge(app.context.service, app.merchant, {
    input: { email },
    now,
  });

describe('another merchant, and the other mode', () => {
  const all = `query ($id: ID!, $session: ID!) {
    charge(id: $id) { id } node(id: $id) { id } nodes(ids: [$id, $session]) { id } session(id: $session) { id }
  }`;

  test('see nothing of a charge or session', async () => {
    const charge = await chargeOf('mine@example.com');
    const created = await app.ask(
      'mutation { createSession(input: { amount: "5", currency: "HKD" }) { ... on CreateSessionSuccess { session { id } } } }',
    );
    const variables = { id: charge.id, session: created.data.createSession.session.id };
    const { data: mine } = await app.ask(all, { variables });
    expect(mine).toEqual({
      charge: { id: charge.id },
      node: { id: charge.id },
      nodes: [{ id: charge.id }, { id: variables.session }],
      session: { id: variables.session },
    });
    for (const as of [app.stranger.keys.live, app.merchant.keys.sandbox]) {
      const { data } = await app.ask(all, { variables, as });
      expect(data).toEqual({ charge: null, node: null, nodes: [null, null], session: null });
    }
  });

  test('find every kind of object to be null by node(id)', async () => {
    await makeWebhook(app.context.service, app.merchant, { version: '1.0' });
    const charge = await chargeOf('nodes@example.com');
    await payCharge(app.context.service, app.merchant, charge, { minor: 100n, now });
    await relayEvents(app.context.service, { now });
    const { data } = await app.ask(
      `{ charge(id: "${charge.id}") { customer { id } receivingAccount { id } transfers { id } allocations { id } } me { id }
        events { nodes { id } } notifications { nodes { id } } webhooks { nodes { id } } }`,
    );
    const ids = [
      data.me.id,
      charge.id,
      data.charge.customer.id,
      data.charge.receivingAccount.id,
      data.charge.transfers[0].id,
      data.charge.allocations[0].id,
      data.events.nodes[0].id,
      data.notifications.nodes[0].id,
      data.webhooks.nodes[0].id,
    ];
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }';
    const { data: mine } = await app.ask(query, { variables: { ids } });
    expect(mine.nodes.map((node: Json) => node.id)).toEqual(ids);
    expect(mine.nodes.map((node: Json) => node.__typename)).toEqual([
      'Merchant',
      'Charge',
      'Customer',
      'ReceivingAccount',
      'Transfer',
      'Allocation',
      'Event',
      'Notification',
      'Webhook',
    ]);
    const { data: foreign } = await app.ask(query, { variables: { ids }, as: app.stranger.keys.live });
    expect(foreign.nodes).toEqual(ids.map(() => null));
    const { data: sandbox } = await app.ask(query, { variables: { ids }, as: app.merchant.keys.sandbox });
    expect(sandbox.nodes).toEqual([
      { id: data.me.id, __typename: 'Merchant' },
      ...ids.slice(1).map(() => null),
    ]);
  });
});

test('me is the calling merchant, in the mode of the credentials', async () => {
  const query =
    '{ me { id name mode restrictedAccess demo secureMode underpaymentTolerance redirectSchemes } }';
  const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
  expect(data.me).toEqual({
    id: app.merchant.merchant.id,
    name: 'Harbour Teas',
    mode: 'sandbox',
    restrictedAccess: 'granted',
    demo: true,
    secureMode: false,
    underpaymentTolerance: '0',
    redirectSchemes: [],
  });
});

test('receivingAccounts are those of the mode', async () => {
  const { service } = app.context;
  const own = { merchantId: app.merchant.merchant.id, mode: 'live' as const };
  const from = await service.prisma.receivingAccount.findFirstOrThrow({ where: { ...own, method: 'fps' } });
  const limits = { minAmount: 100n, maxAmount: 5000n };
  const given = { ...limits, details: from.details, holder: 'Second' };
  const second = await makeReceivingAccount(service, app.merchant, given, new Date());
  const { data } = await app.ask(
    `{ receivingAccounts(first: 1) { totalCount nodes { id holder minAmount maxAmount windowMinutes weight timeZone } }
      receivingAccount(id: "${from.id}") { id minAmount } }`,
  );
  expect(data.receivingAccounts).toEqual({
    totalCount: 14,
    nodes: [
      {
        id: second.id,
        holder: 'Second',
        minAmount: '1.00',
        maxAmount: '50.00',
        windowMinutes: null,
        weight: 1,
        timeZone: 'Asia/Hong_Kong',
      },
    ],
  });
  expect(data.receivingAccount).toEqual({ id: from.id, minAmount: null });
});
