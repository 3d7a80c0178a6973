import { beforeAll, expect, test } from 'vitest';
import { completeSandboxCharge } from '../../src/domain/charge/complete-sandbox-charge.ts';
import { testClock } from '../setup/app.ts';
import { payCharge } from '../setup/checkout.ts';
import { type GraphqlApp, graphqlApp } from '../setup/graphql.ts';
import { makeCharge, minutesAfter, noon } from '../setup/makers.ts';

/** What completed charges brought, as the dashboard's first page shows it. */

let api: GraphqlApp;

beforeAll(async () => {
  api = await graphqlApp({ clock: testClock(noon) });
});

async function paid(minutes: number, input: object, options: { minor?: bigint } = {}): Promise<void> {
  const { service } = api.context;
  const now = minutesAfter(noon, minutes);
  const charge = await makeCharge(service, api.merchant, { now, input });
  await payCharge(service, api.merchant, charge, { now, ...options });
}

async function collected(variables: object, as = api.merchant.keys.live) {
  const query =
    'query ($from: DateTime!, $to: DateTime) { collected(from: $from, to: $to) { currency amount charges } }';
  return (await api.ask(query, { variables, as })).data.collected;
}

test('sums what was received by currency, within the span, for the mode', async () => {
  const { service } = api.context;
  await paid(0, { email: 'a@example.com' });
  await paid(1, { email: 'b@example.com' }, { minor: 13_000n });
  await paid(1, { email: 'c@example.com', method: 'paynow', merchantCurrency: 'SGD', merchantAmount: 45.2 });
  await paid(5, { email: 'd@example.com' });
  await makeCharge(service, api.merchant, { now: noon, input: { email: 'open@example.com' } });
  const sandbox = await makeCharge(service, api.merchant, { mode: 'sandbox', now: noon });
  await completeSandboxCharge(service, {
    merchantId: api.merchant.merchant.id,
    mode: 'sandbox',
    id: sandbox.id,
    actor: 'test',
    now: noon,
  });

  expect(await collected({ from: noon })).toEqual([
    { currency: 'HKD', amount: '387.00', charges: 3 },
    { currency: 'SGD', amount: '45.20', charges: 1 },
  ]);
  const to = minutesAfter(noon, 1);
  expect(await collected({ from: noon, to })).toEqual([{ currency: 'HKD', amount: '128.50', charges: 1 }]);
  expect(await collected({ from: minutesAfter(noon, 6) })).toEqual([]);
  expect(await collected({ from: noon }, api.merchant.keys.sandbox)).toEqual([
    { currency: 'HKD', amount: '128.50', charges: 1 },
  ]);
  expect(await collected({ from: noon }, api.stranger.keys.live)).toEqual([]);
});

test('a closed link stays closed, and another merchant’s is not found', async () => {
  const create =
    'mutation { createCheckoutLink(input: { amount: "5", currency: "HKD" }) { ... on CreateCheckoutLinkSuccess { checkoutLink { id closedAt } } } }';
  const { id, closedAt } = (await api.ask(create)).data.createCheckoutLink.checkoutLink;
  expect(closedAt).toBeNull();
  const close =
    'mutation ($id: ID!) { closeCheckoutLink(input: { id: $id }) { ... on CloseCheckoutLinkSuccess { checkoutLink { closedAt } } ... on Error { code } } }';
  const variables = { id };
  for (const as of [api.stranger.keys.live, api.merchant.keys.sandbox]) {
    const { data } = await api.ask(close, { variables, as });
    expect(data.closeCheckoutLink).toEqual({ code: 'checkout_link_not_found' });
  }
  for (let i = 0; i < 2; i++) {
    const { data } = await api.ask(close, { variables });
    expect(data.closeCheckoutLink.checkoutLink.closedAt).toBe('2026-11-17T12:00:00.000Z');
  }
});
