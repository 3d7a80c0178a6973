import { describe, expect, onTestFinished } from 'vitest';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { graphqlTest as test } from '../setup/app-fixtures.ts';
import { type GraphqlApp, type Json, subscribeOverSse, subscribeOverWebSocket } from '../setup/graphql.ts';
import { seedCharge, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';

const follow = `subscription ($after: String, $filter: EventFilter) {
  eventAdded(after: $after, filter: $filter) { cursor node { type objectId } }
}`;

const relay = (service: Service) => relayEvents(service, { now: new Date() });

async function completeCharge({ service, merchant }: { service: Service; merchant: Json }) {
  const charge = await seedCompletedCharge(service, merchant, { now: new Date() });
  await relay(service);
  return charge;
}

describe('eventAdded', () => {
  test.for([
    ['a WebSocket', subscribeOverWebSocket],
    ['server-sent events', subscribeOverSse],
  ] as const)(
    'over %s sends the events after a cursor, then each new one',
    async ([, open], { app, service }) => {
      const merchant = await seedMerchant(service);
      const old = await completeCharge({ service, merchant });
      const variables = { after: '1' };
      const stream = open(onTestFinished, app.url, merchant.keys.sandbox, follow, variables);
      const next = async () => (await stream.next()).data.eventAdded;
      expect(await next()).toEqual({ cursor: '2', node: { type: 'CHARGE_COMPLETE', objectId: old.id } });
      const charge = await completeCharge({ service, merchant });
      expect(await next()).toEqual({ cursor: '3', node: { type: 'charge_created', objectId: charge.id } });
      expect(await next()).toEqual({ cursor: '4', node: { type: 'CHARGE_COMPLETE', objectId: charge.id } });
      await stream.close();
      // While the client was away, more has happened.
      const missed = await completeCharge({ service, merchant });
      const resumed = open(onTestFinished, app.url, merchant.keys.sandbox, follow, { after: '4' });
      expect((await resumed.next()).data.eventAdded).toEqual({
        cursor: '5',
        node: { type: 'charge_created', objectId: missed.id },
      });
      await resumed.close();
    },
  );

  test('sends more events than fit on a page, in order and each once', async ({ app, service }) => {
    const merchant = await seedMerchant(service);
    for (let i = 0; i < 60; i++) {
      const input = { email: `${i}@example.com` };
      await seedCharge(service, merchant, { mode: 'sandbox', input, now: new Date() });
    }
    await relay(service);
    const stream = subscribeOverWebSocket(onTestFinished, app.url, merchant.keys.sandbox, follow, {
      after: '0',
    });
    const cursors: number[] = [];
    while (cursors.length < 60) cursors.push(Number((await stream.next()).data.eventAdded.cursor));
    expect(cursors).toEqual(cursors.map((_, i) => i + 1));
    await stream.close();
  });

  test('sends only events that match the filter, and none of another merchant', async ({ app, service }) => {
    const merchant = await seedMerchant(service);
    const filter = { types: ['CHARGE_COMPLETE'] };
    const variables = { after: '0', filter };
    const stream = subscribeOverWebSocket(onTestFinished, app.url, merchant.keys.sandbox, follow, variables);
    await completeCharge({ service, merchant: app.otherMerchant });
    const charge = await completeCharge({ service, merchant });
    expect((await stream.next()).data.eventAdded).toEqual({
      cursor: '2',
      node: { type: 'CHARGE_COMPLETE', objectId: charge.id },
    });
    await stream.close();
  });

  test('rejects a cursor beyond the end of the log', async ({ app }) => {
    const variables = { after: '999999' };
    const stream = subscribeOverWebSocket(
      onTestFinished,
      app.url,
      app.merchant.keys.sandbox,
      follow,
      variables,
    );
    expect((await stream.next()).errors[0].extensions.code).toBe('event_cursor_expired');
    await stream.close();
  });
});

describe('An event', () => {
  const query = `query ($filter: EventFilter) { events(filter: $filter, first: 50) { totalCount nodes {
    type objectId
    payload { __typename
      ... on ChargeEventPayload { chargeId merchantAmount amountReceived method orders { orderId amount } }
      ... on RefundEventPayload { refundId chargeId customerAmount refundStatus notifyPayload }
      ... on TransferEventPayload { transferId bankReference transferStatus reason }
    } } } }`;

  const ask = async (app: GraphqlApp, merchant: Json, filter: object) =>
    (await app.ask(query, { variables: { filter }, as: merchant.keys.sandbox })).data.events;

  test('has a typed payload, and is found by type, object and time', async ({ app, service }) => {
    const merchant = await seedMerchant(service);
    const input = { orders: [{ id: 'o-1', amount: 128.5 }], notifyPayload: 'order 1' };
    const charge = await seedCompletedCharge(service, merchant, { input, now: new Date() });
    const { refund } = await createRefund(service, {
      merchantId: merchant.merchant.id,
      mode: 'sandbox',
      actor: 'key:test',
      input: { chargeId: charge.id, customerAmount: 20.5 },
      now: new Date(),
    });
    await relay(service);
    expect(await ask(app, merchant, { types: ['CHARGE_COMPLETE'] })).toEqual({
      totalCount: 1,
      nodes: [
        {
          type: 'CHARGE_COMPLETE',
          objectId: charge.id,
          payload: {
            __typename: 'ChargeEventPayload',
            chargeId: charge.id,
            merchantAmount: '128.50',
            amountReceived: '0.00',
            method: 'fps',
            orders: [{ orderId: 'o-1', amount: '128.5' }],
          },
        },
      ],
    });
    expect((await ask(app, merchant, { objectId: refund.id })).nodes[0].payload).toEqual({
      __typename: 'RefundEventPayload',
      refundId: refund.id,
      chargeId: charge.id,
      customerAmount: '20.50',
      refundStatus: 'initiated',
      notifyPayload: 'order 1',
    });
    const { simulateTransfer } = (
      await app.ask(
        `mutation ($chargeId: ID!) { simulateTransfer(input: { chargeId: $chargeId, kind: missing_reference }) {
          ... on SimulateTransferSuccess { transfers { id bankReference } } } }`,
        { variables: { chargeId: charge.id }, as: merchant.keys.sandbox },
      )
    ).data;
    const [{ id, bankReference }] = simulateTransfer.transfers;
    await relay(service);
    expect((await ask(app, merchant, { objectId: id })).nodes[0].payload).toEqual({
      __typename: 'TransferEventPayload',
      transferId: id,
      bankReference,
      transferStatus: 'exception',
      reason: 'missing_reference',
    });
    expect(await ask(app, merchant, { createdTo: '2020-01-01T00:00:00Z' })).toEqual({
      totalCount: 0,
      nodes: [],
    });
  });
});
