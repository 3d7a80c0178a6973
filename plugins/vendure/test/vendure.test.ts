import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  LanguageCode,
  mergeConfig,
  OrderService,
  RequestContextService,
  TransactionalConnection,
} from '@vendure/core';
import { createTestEnvironment, registerInitializer, SqljsInitializer, testConfig } from '@vendure/testing';
import { CausewayPlugin, SettleService } from 'causeway-vendure';
import { afterAll, expect, test } from 'vitest';
import { signWebhook } from '../../../packages/client/src/index.ts';
import { findFreePort, readUntil, startCauseway } from '../../causeway.ts';
import { closeSession } from '../src/payment-state.ts';
import {
  addSurcharge,
  createCustomer,
  gql,
  type Json,
  readAllocated,
  readOrder,
  seedTea,
  startModification,
} from './customer.ts';

/** Vendure runs on SQLite, and a running Causeway sends it notifications. */
process.env.VENDURE_DISABLE_TELEMETRY = 'true';
const causeway = await startCauseway();
const port = await findFreePort();
const webhookUrl = `http://127.0.0.1:${port}/payments/causeway`;
const { signingSecret, webhook } = await causeway.createWebhook(webhookUrl);
const settings = {
  url: causeway.url,
  apiKey: causeway.apiKey,
  apiSecret: causeway.apiSecret,
  webhookSecret: signingSecret,
  storefrontUrl: 'http://localhost:8000',
};
const folder = mkdtempSync(join(tmpdir(), 'causeway-vendure-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
registerInitializer('sqljs', new SqljsInitializer(folder));
const config = mergeConfig(testConfig, { apiOptions: { port }, plugins: [CausewayPlugin.init(settings)] });
const { server, adminClient: admin, shopClient } = createTestEnvironment(config);
await server.init({
  initialData: {
    defaultLanguage: LanguageCode.en,
    defaultZone: 'Asia',
    countries: [{ name: 'Hong Kong', code: 'HK', zone: 'Asia' }],
    taxRates: [{ name: 'None', percentage: 0 }],
    shippingMethods: [{ name: 'Courier', price: 1_000 }],
    paymentMethods: [{ name: 'causeway', handler: { code: 'causeway', arguments: [] } }],
    collections: [],
  },
  customerCount: 1,
});
afterAll(() => server.destroy());
await admin.asSuperAdmin();
const variantId = await seedTea(admin);
const customer = createCustomer(shopClient, { variantId, causeway });

const order = (id: string) => readOrder(admin, id);
const waitForOrder = (id: string, outcome: string): Promise<Json> =>
  readUntil(
    () => order(id),
    (read) => read.outcome === outcome,
  );
const { pay } = causeway;
const reconcile = () => server.app.get(SettleService).reconcile();
/** Adds another payment of Causeway to a placed order, as a storefront with its own mutation does. */
const addPayment = async (code: string) => {
  const context = await server.app.get(RequestContextService).create({ apiType: 'shop' });
  await server.app.get(TransactionalConnection).withTransaction(context, async (ctx) => {
    const orders = server.app.get(OrderService);
    const placed = await orders.findOneByCode(ctx, code);
    await orders.addPaymentToOrder(ctx, placed!.id, { method: 'causeway', metadata: {} });
  });
};

test('an order is placed before it is paid, settled when the transfer arrives, and refunded in part', async () => {
  const placed = await customer.order();
  expect(await order(placed.id)).toMatchObject({ state: 'PaymentAuthorized', totalWithTax: 12_850 });
  expect((await fetch(placed.checkoutUrl)).status).toBe(200);
  const chargeId = await customer.choosePayment(placed);
  await pay(chargeId);
  const { payment } = await waitForOrder(placed.id, 'paid');
  expect(await order(placed.id)).toMatchObject({
    state: 'PaymentSettled',
    payment: { state: 'Settled' },
    notes: [],
  });

  const refund = gql`mutation ($input: RefundOrderInput!) {
    refundOrder(input: $input) { __typename ... on Refund { state } ... on ErrorResult { message } }
  }`;
  const input = {
    paymentId: payment.id,
    amount: 2_050,
    reason: 'Broken',
    lines: [],
    shipping: 0,
    adjustment: 0,
  };
  expect(await admin.query(refund, { input })).toMatchObject({ refundOrder: { state: 'Pending' } });
  const { refunds } = await causeway.client.charges.get(chargeId);
  expect(refunds).toMatchObject([{ customerAmount: 20.5, status: 'initiated' }]);
  await causeway.mutate('completeRefund', { id: refunds[0]!.id }, 'refund { id }');
  const refunded = await readUntil(
    () => order(placed.id),
    (read) => read.payment.refunds[0].state === 'Settled',
  );
  expect(refunded.payment.refunds).toMatchObject([{ total: 2_050 }]);

  await admin.query(refund, { input: { ...input, amount: 1_000 } });
  const second = (await causeway.client.charges.get(chargeId)).refunds.find(
    ({ customerAmount }) => customerAmount === 10,
  );
  await causeway.mutate('cancelRefund', { id: second!.id }, 'refund { id }');
  await readUntil(
    () => order(placed.id),
    (read) => read.payment.refunds.some(({ state }: Json) => state === 'Failed'),
  );
});

test('a part payment keeps the order open, and an overpayment adds a note', async () => {
  const placed = await customer.order();
  const chargeId = await customer.choosePayment(placed);
  await pay(chargeId, 'underpaid', '100.00');
  const open = await waitForOrder(placed.id, 'part_paid');
  expect(open).toMatchObject({ state: 'PaymentAuthorized', notes: [expect.stringContaining('Only a part')] });
  const settle = gql`mutation ($id: ID!) { settlePayment(id: $id) { __typename } }`;
  const settled: Json = await admin.query(settle, { id: open.payment.id });
  expect(settled.settlePayment.__typename).toBe('SettlePaymentError');
  await pay(chargeId, 'overpaid', '40.00');
  const paid = await waitForOrder(placed.id, 'overpaid');
  expect(paid).toMatchObject({ state: 'PaymentSettled', payment: { amount: 12_850 } });
  expect(paid.payment.metadata.causeway).toMatchObject({ chargeId, amountReceived: '140.00' });
  expect(paid.notes).toHaveLength(2);
});

test('a payment that arrives twice is settled once, and the second transfer needs review', async () => {
  const placed = await customer.order();
  const chargeId = await customer.choosePayment(placed);
  expect(await pay(chargeId, 'duplicate_payment')).toMatchObject([{}, { reason: 'charge_completed' }]);
  const paid = await waitForOrder(placed.id, 'paid');
  await server.app.get(SettleService).settleOrder(placed.code);
  expect(await order(placed.id)).toEqual(paid);
});

test('an order that is not paid is cancelled when the payment expires, and a late payment adds a note', async () => {
  const allocated = await readAllocated(admin, variantId);
  const placed = await customer.order();
  const chargeId = await customer.choosePayment(placed);
  expect(await readAllocated(admin, variantId)).toBe(allocated + 1);
  // The payment window of FPS has ended, but the customer can start again while the session is valid.
  await causeway.advanceClock(0.6);
  expect(await waitForOrder(placed.id, 'awaiting_payment')).toMatchObject({ state: 'PaymentAuthorized' });
  await causeway.advanceClock(24);
  await reconcile();
  const ended = await waitForOrder(placed.id, 'not_paid');
  expect(ended).toMatchObject({ state: 'Cancelled', payment: { state: 'Cancelled' } });
  expect(await readAllocated(admin, variantId)).toBe(allocated);

  const [transfer] = await pay(chargeId, 'late');
  expect(transfer).toMatchObject({ status: 'exception', reason: 'charge_expired' });
  expect(await order(placed.id)).toEqual(ended);
  await causeway.mutate('assignTransfer', { id: transfer!.id, chargeId }, 'transfer { id }');
  const late = await waitForOrder(placed.id, 'paid_after_cancellation');
  expect(late).toMatchObject({ state: 'Cancelled', notes: [expect.stringContaining('after the order')] });
});

test('an order that is paid in part is cancelled when the payment expires', async () => {
  const placed = await customer.order();
  const chargeId = await customer.choosePayment(placed);
  const [part] = await pay(chargeId, 'underpaid', '100.00');
  await waitForOrder(placed.id, 'part_paid');
  await causeway.advanceClock(25);
  // A job of Causeway expires the charge.
  await readUntil(
    () => causeway.client.charges.get(chargeId),
    ({ status }) => status === 'expired',
  );
  await reconcile();
  const ended = await waitForOrder(placed.id, 'not_paid');
  expect(ended).toMatchObject({ state: 'Cancelled', payment: { state: 'Cancelled' } });
  expect(ended.payment.metadata.causeway).toMatchObject({ amountReceived: '0.00' });
  const { transfer } = await causeway.client.graphql<{ transfer: object }>(
    'query Transfer($id: ID!) { transfer(id: $id) { status } }',
    { id: part!.id },
  );
  expect(transfer).toEqual({ status: 'exception' });
});

test('a paid order keeps its state with a note when another payment of it expires', async () => {
  const placed = await customer.order();
  await pay(await customer.choosePayment(placed));
  await waitForOrder(placed.id, 'paid');
  await addSurcharge(admin, placed.id);
  await addPayment(placed.code);
  const allocated = await readAllocated(admin, variantId);
  await causeway.advanceClock(25);
  await reconcile();
  const kept = await order(placed.id);
  expect(kept).toMatchObject({
    state: 'ArrangingAdditionalPayment',
    totalWithTax: 14_850,
    payments: [
      { state: 'Settled', amount: 12_850, metadata: { causeway: { outcome: 'paid' } } },
      { state: 'Cancelled', amount: 2_000, metadata: { causeway: { outcome: 'not_paid_order_kept' } } },
    ],
    notes: [expect.stringContaining('the order was not cancelled')],
  });
  expect(await readAllocated(admin, variantId)).toBe(allocated);
  await server.app.get(SettleService).settleOrder(placed.code);
  expect(await order(placed.id)).toEqual(kept);
});

test('an order with two payments is cancelled without a note when both expire', async () => {
  const placed = await customer.order();
  await addSurcharge(admin, placed.id);
  await addPayment(placed.code);
  await causeway.advanceClock(25);
  await reconcile();
  const ended = { state: 'Cancelled', metadata: { causeway: { outcome: 'not_paid' } } };
  expect(await order(placed.id)).toMatchObject({ state: 'Cancelled', payments: [ended, ended], notes: [] });
});

test('an order that Vendure cannot cancel is kept unchanged with a note when its payment expires', async () => {
  const placed = await customer.order();
  await startModification(admin, placed.id);
  await causeway.advanceClock(25);
  await reconcile();
  expect(await order(placed.id)).toMatchObject({
    state: 'Modifying',
    totalWithTax: 12_850,
    outcome: 'not_paid_order_kept',
    payment: { state: 'Cancelled' },
    notes: [expect.stringContaining('the order was not cancelled')],
  });
});

test('an order whose payment the bank reversed before it was settled is cancelled', async () => {
  await causeway.setWebhookEnabled(webhook.id, false);
  const [reversed, partlyReversed, short, completed] = [
    await customer.order(),
    await customer.order(),
    await customer.order(),
    await customer.order(),
  ];
  await pay(await customer.choosePayment(reversed), 'reversed');
  const chargeId = await customer.choosePayment(partlyReversed);
  await pay(chargeId, 'underpaid', '60.00');
  await pay(chargeId, 'reversed');
  const shortId = await customer.choosePayment(short);
  await pay(shortId, 'underpaid', '100.00');
  await causeway.mutate('acceptShortfall', { id: shortId }, 'charge { id }');
  const completedId = await customer.choosePayment(completed);
  await causeway.mutate('completeSandboxCharge', { id: completedId }, 'charge { id }');
  await reconcile();
  await causeway.setWebhookEnabled(webhook.id, true);
  const cancelled = { state: 'Cancelled', outcome: 'not_paid', payment: { state: 'Cancelled' } };
  const settled = { state: 'PaymentSettled', outcome: 'paid', payment: { state: 'Settled' } };
  expect(await order(reversed.id)).toMatchObject(cancelled);
  expect(await order(partlyReversed.id)).toMatchObject(cancelled);
  expect(await order(short.id)).toMatchObject(settled);
  expect(await order(completed.id)).toMatchObject(settled);
});

test('a payment whose notification was lost is found, and wrong settings are rejected', async () => {
  await causeway.setWebhookEnabled(webhook.id, false);
  const placed = await customer.order();
  await pay(await customer.choosePayment(placed));
  await reconcile();
  await causeway.setWebhookEnabled(webhook.id, true);
  expect(await order(placed.id)).toMatchObject({ state: 'PaymentSettled', outcome: 'paid' });

  expect(() => CausewayPlugin.init({ ...settings, apiKey: '' })).toThrow('CausewayPlugin needs apiKey');
  const failed = await customer.startPayment({ returnUrl: 'https://elsewhere.example/' });
  expect(failed.paymentErrorMessage).toBe('returnUrl must be on the storefront');
});

const cancel = gql`mutation ($id: ID!) {
  cancelOrder(input: { orderId: $id, cancelShipping: true }) { __typename }
}`;

test('an order that you cancel after it is paid stays paid, without a note', async () => {
  const placed = await customer.order();
  await pay(await customer.choosePayment(placed));
  await waitForOrder(placed.id, 'paid');
  await admin.query(cancel, { id: placed.id });
  await server.app.get(SettleService).settleOrder(placed.code);
  expect(await order(placed.id)).toMatchObject({
    state: 'Cancelled',
    outcome: 'paid',
    payment: { state: 'Settled' },
    notes: [],
  });
});

test('an order that you cancel before it is paid can no longer be paid', async () => {
  const placed = await customer.order();
  const chargeId = await customer.choosePayment(placed);
  const unopened = await customer.order();
  const expired = await customer.order();
  const expiredId = await customer.choosePayment(expired);
  for (const { id } of [placed, unopened]) {
    await admin.query(cancel, { id });
    await waitForOrder(id, 'not_paid');
  }
  await causeway.advanceClock(0.6);
  await readUntil(
    () => causeway.client.charges.get(expiredId),
    ({ status }) => status === 'expired',
  );
  await admin.query(cancel, { id: expired.id });
  for (const { id } of [placed, unopened, expired])
    expect(await waitForOrder(id, 'not_paid')).toMatchObject({ payment: { state: 'Cancelled' } });
  expect(await causeway.client.charges.get(chargeId)).toMatchObject({ status: 'cancelled' });
  for (const { sessionId } of [unopened, expired])
    expect(await causeway.client.sessions.get(sessionId)).toMatchObject({ status: 'cancelled' });
});

test('a payment that the customer starts while you cancel the order is cancelled too', async () => {
  const placed = await customer.order();
  let chargeId: string | undefined;
  const graphql = async (document: string, variables: object) => {
    if (document.includes('cancelSession')) chargeId ??= await customer.choosePayment(placed);
    return causeway.client.graphql(document, variables);
  };
  const client = Object.assign(Object.create(causeway.client), { graphql });
  const closed = await closeSession(client, placed.sessionId);
  expect(closed).toMatchObject({ outcome: 'ended', charge: { id: chargeId, status: 'cancelled' } });
});

test('a forged notification, and one of another charge with the code of the order, settle nothing', async () => {
  const { id, code } = await customer.order();
  const payload = { chargeId: 'ch_other', merchantAmount: 128.5, notifyPayload: `vendure:${code}` };
  const send = async (secret: string) => {
    const { body, headers } = await signWebhook({ message: 'CHARGE_COMPLETE', payload, secret });
    return (await fetch(webhookUrl, { method: 'POST', body, headers })).status;
  };
  expect(await send(`whsec_${btoa('a guessed secret')}`)).toBe(401);
  expect(await send(signingSecret)).toBe(204);
  expect(await order(id)).toMatchObject({ state: 'PaymentAuthorized', outcome: 'awaiting_payment' });
});
