import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { beforeAll, expect, test } from 'vitest';
import { signWebhook } from '../../../packages/client/src/index.ts';
import { readUntil } from '../../causeway.ts';
import { checkOptions } from '../src/options.ts';
import { createCustomer, type Json, readOrder } from './customer.ts';
import { prepareShop } from './prepare-shop.ts';
import { seedShop } from './seed-shop.ts';

/** Medusa runs on the embedded PostgreSQL, with a running Causeway. Each test begins with the shop as it was seeded. */
const { causeway, webhook, webhookUrl, run } = await prepareShop();

run(({ getContainer, api }) => {
  const container = () => getContainer() as MedusaContainer;
  let shop: Awaited<ReturnType<typeof seedShop>>;
  beforeAll(async () => {
    shop = await seedShop(container());
  });
  const customer = createCustomer({ api, shop: () => shop, choosePayment: causeway.choosePayment });
  const order = (id: string) => readOrder(container(), id);
  const waitForOrder = (id: string, outcome: string) =>
    readUntil(
      () => order(id),
      ({ metadata }) => metadata?.causeway?.outcome === outcome,
    );
  const pay = causeway.pay;
  const reconcile = () =>
    container().resolve(Modules.WORKFLOW_ENGINE).run('job-reconcile-causeway', { input: {} });
  const readReserved = async () => {
    const { inventoryItemId, locationId } = shop;
    const inventory = container().resolve(Modules.INVENTORY);
    return Number(await inventory.retrieveReservedQuantity(inventoryItemId, [locationId]));
  };
  const readPaymentSession = async (id: string) => {
    const [session] = await container()
      .resolve(Modules.PAYMENT)
      .listPaymentSessions({ id: [id] });
    return session;
  };

  test('an order is placed before it is paid, captured when the transfer arrives, and refunded in part', async () => {
    const { orderId, session } = await customer.order();
    expect(await order(orderId)).toMatchObject({ status: 'pending', total: 128.5, captured: [] });
    expect(await readPaymentSession(session.id)).toMatchObject({ status: 'pending_authorization' });
    expect((await fetch(session.data.checkout_url)).status).toBe(200);

    const chargeId = await customer.choosePayment(session);
    await pay(chargeId);
    const paid = await waitForOrder(orderId, 'paid');
    expect(paid).toMatchObject({ status: 'pending', captured: [128.5], transactions: [128.5] });
    expect(paid.metadata.causeway).toMatchObject({ charge_id: chargeId, amount_received: '128.50' });

    const [payment] = await container()
      .resolve(Modules.PAYMENT)
      .listPayments({ payment_session_id: session.id });
    await customer.asAdmin(container(), `/admin/payments/${payment!.id}/refund`, { amount: 20.5 });
    const { refunds } = await causeway.client.charges.get(chargeId);
    expect(refunds).toMatchObject([{ customerAmount: 20.5, status: 'initiated' }]);
    await causeway.mutate('completeRefund', { id: refunds[0]!.id }, 'refund { id }');
    const refunded = await readUntil(
      () => order(orderId),
      ({ metadata }) => metadata.causeway.refunds?.[refunds[0]!.id]?.status === 'completed',
    );
    expect(refunded.transactions).toEqual([128.5, -20.5]);
  });

  test('a part payment keeps the order open, and an overpayment is captured only up to its total', async () => {
    const { orderId, session } = await customer.order();
    const chargeId = await customer.choosePayment(session);
    await pay(chargeId, 'underpaid', '100.00');
    const open = await waitForOrder(orderId, 'part_paid');
    expect(open).toMatchObject({ status: 'pending', captured: [] });
    expect(open.metadata.causeway).toMatchObject({ amount_received: '100.00', amount_expected: '128.50' });
    await pay(chargeId, 'overpaid', '40.00');
    const paid = await waitForOrder(orderId, 'overpaid');
    expect(paid).toMatchObject({ captured: [128.5], transactions: [128.5] });
    expect(paid.metadata.causeway).toMatchObject({ amount_received: '140.00' });
  });

  test('a payment that arrives twice is captured once, and the second transfer needs review', async () => {
    const { orderId, session } = await customer.order();
    const chargeId = await customer.choosePayment(session);
    expect(await pay(chargeId, 'duplicate_payment')).toMatchObject([{}, { reason: 'charge_completed' }]);
    const paid = await waitForOrder(orderId, 'paid');
    await reconcile();
    expect(paid).toMatchObject({ captured: [128.5], transactions: [128.5] });
    expect(await order(orderId)).toEqual(paid);
  });

  test('an order that is not paid is cancelled when the payment expires, and a late payment is recorded', async () => {
    const { orderId, session } = await customer.order();
    const chargeId = await customer.choosePayment(session);
    expect(await readReserved()).toBe(1);
    // The payment window of FPS has ended, but the customer can start again while the session is valid.
    await causeway.advanceClock(0.6);
    await waitForOrder(orderId, 'awaiting_payment');
    await causeway.advanceClock(24);
    await reconcile();
    const ended = await waitForOrder(orderId, 'not_paid');
    expect(ended).toMatchObject({ status: 'canceled', captured: [] });
    expect(await readReserved()).toBe(0);

    const [transfer] = await pay(chargeId, 'late');
    expect(transfer).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    expect((await order(orderId)).metadata).toEqual(ended.metadata);
    await causeway.mutate('assignTransfer', { id: transfer!.id, chargeId }, 'transfer { id }');
    const late = await waitForOrder(orderId, 'paid_after_cancellation');
    expect(late).toMatchObject({ status: 'canceled', captured: [128.5] });
  });

  test('an order that is paid in part is cancelled when the payment expires, and a fulfilled order is kept', async () => {
    const partPaid = await customer.order();
    const [part] = await pay(await customer.choosePayment(partPaid.session), 'underpaid', '100.00');
    const fulfilled = await customer.order();
    const { items } = await container()
      .resolve(Modules.ORDER)
      .retrieveOrder(fulfilled.orderId, { relations: ['items'] });
    await customer.asAdmin(container(), `/admin/orders/${fulfilled.orderId}/fulfillments`, {
      items: [{ id: items![0]!.id, quantity: 1 }],
      location_id: shop.locationId,
    });
    await causeway.advanceClock(25);
    await reconcile();
    const ended = await waitForOrder(partPaid.orderId, 'not_paid');
    expect(ended).toMatchObject({ status: 'canceled', captured: [] });
    expect(ended.metadata.causeway).toMatchObject({ amount_received: '0.00' });
    const { transfer } = await causeway.client.graphql<{ transfer: object }>(
      'query Transfer($id: ID!) { transfer(id: $id) { status } }',
      { id: part!.id },
    );
    expect(transfer).toEqual({ status: 'exception' });
    const kept = await waitForOrder(fulfilled.orderId, 'not_paid_order_kept');
    expect(kept).toMatchObject({ status: 'pending', captured: [] });
  });

  test('a paid order is neither cancelled nor refunded when another payment of it expires', async () => {
    const { orderId, session } = await customer.order();
    const chargeId = await customer.choosePayment(session);
    await pay(chargeId);
    await waitForOrder(orderId, 'paid');
    await customer.startAdditionalPayment(container(), orderId);
    expect(await order(orderId)).toMatchObject({ total: 247, captured: [128.5] });
    await causeway.advanceClock(25);
    await reconcile();
    const kept = await waitForOrder(orderId, 'not_paid_order_kept');
    expect(kept).toMatchObject({ status: 'pending', total: 247, captured: [128.5], transactions: [128.5] });
    expect(await causeway.client.charges.get(chargeId)).toMatchObject({ refunds: [] });
  });

  test('an order whose payment the bank reversed before the capture is cancelled', async () => {
    const notified = await customer.order();
    await pay(await customer.choosePayment(notified.session), 'reversed');
    const cancelled = { status: 'canceled', captured: [] };
    expect(await waitForOrder(notified.orderId, 'not_paid')).toMatchObject(cancelled);

    await causeway.setWebhookEnabled(webhook.id, false);
    const partlyReversed = await customer.order();
    const chargeId = await customer.choosePayment(partlyReversed.session);
    await pay(chargeId, 'underpaid', '60.00');
    await pay(chargeId, 'reversed');
    const short = await customer.order();
    const shortId = await customer.choosePayment(short.session);
    await pay(shortId, 'underpaid', '100.00');
    await causeway.mutate('acceptShortfall', { id: shortId }, 'charge { id }');
    await reconcile();
    await causeway.setWebhookEnabled(webhook.id, true);
    expect(await waitForOrder(partlyReversed.orderId, 'not_paid')).toMatchObject(cancelled);
    expect(await waitForOrder(short.orderId, 'paid')).toMatchObject({ captured: [128.5] });
  });

  test('a customer who pays without completing the cart gets the order, also if the notification was lost', async () => {
    const withNotification = await customer.startPayment();
    await pay(await customer.choosePayment(withNotification.session));
    const findOrder = (cartId: string) => customer.findOrder(container(), cartId);
    const orderId = await readUntil(
      () => findOrder(withNotification.cartId),
      (id) => id !== undefined,
    );
    // The order exists before its payment is recorded.
    const paid = await readUntil(
      () => order(orderId!),
      ({ transactions }) => transactions.length > 0,
    );
    expect(paid).toMatchObject({ captured: [128.5], transactions: [128.5] });

    await causeway.setWebhookEnabled(webhook.id, false);
    const withoutNotification = await customer.startPayment();
    await pay(await customer.choosePayment(withoutNotification.session));
    expect(await findOrder(withoutNotification.cartId)).toBeUndefined();
    await reconcile();
    await causeway.setWebhookEnabled(webhook.id, true);
    const foundId = await findOrder(withoutNotification.cartId);
    expect(await order(foundId!)).toMatchObject({ captured: [128.5], transactions: [128.5] });
    // The customer returns later.
    expect(await customer.complete(withoutNotification.cartId)).toMatchObject({ order: { id: foundId } });
  });

  test('another cart total replaces the session, and a cart that is paid can only be completed', async () => {
    const { cartId, session } = await customer.startPayment();
    const chargeId = await customer.choosePayment(session);
    await customer.addTea(cartId);
    expect(await causeway.client.charges.get(chargeId)).toMatchObject({ status: 'cancelled' });
    const replacement = await customer.createSession(cartId);
    expect(await causeway.client.sessions.get(replacement.data.causeway_session_id)).toMatchObject({
      amount: 247,
    });
    await causeway.setWebhookEnabled(webhook.id, false);
    await pay(await customer.choosePayment(replacement));
    await causeway.setWebhookEnabled(webhook.id, true);
    await expect(customer.addTea(cartId)).rejects.toThrow('500');
    const { order: placed } = await customer.complete(cartId);
    expect(await order(placed.id)).toMatchObject({ total: 247, captured: [247], transactions: [247] });
  });

  test('an order that you cancel before it is paid can no longer be paid', async () => {
    const { orderId, session } = await customer.order();
    const chargeId = await customer.choosePayment(session);
    await customer.asAdmin(container(), `/admin/orders/${orderId}/cancel`, {});
    await waitForOrder(orderId, 'not_paid');
    expect(await causeway.client.charges.get(chargeId)).toMatchObject({ status: 'cancelled' });

    const second = await customer.order();
    await customer.asAdmin(container(), `/admin/orders/${second.orderId}/cancel`, {});
    await waitForOrder(second.orderId, 'not_paid');
    const { status } = await causeway.client.sessions.get(second.session.data.causeway_session_id);
    expect(status).toBe('cancelled');

    const third = await customer.order();
    const expiredId = await customer.choosePayment(third.session);
    await causeway.advanceClock(0.6);
    await readUntil(
      () => causeway.client.charges.get(expiredId),
      (charge) => charge.status === 'expired',
    );
    await customer.asAdmin(container(), `/admin/orders/${third.orderId}/cancel`, {});
    await waitForOrder(third.orderId, 'not_paid');
    const ended = await causeway.client.sessions.get(third.session.data.causeway_session_id);
    expect(ended).toMatchObject({ status: 'cancelled' });
  });

  test('an order that you cancel after it is paid is refunded', async () => {
    const { orderId, session } = await customer.order();
    const chargeId = await customer.choosePayment(session);
    await pay(chargeId);
    await waitForOrder(orderId, 'paid');
    await customer.asAdmin(container(), `/admin/orders/${orderId}/cancel`, {});
    const cancelled = await readUntil(
      () => order(orderId),
      ({ metadata }) => Object.keys(metadata.causeway.refunds ?? {}).length > 0,
    );
    expect(cancelled).toMatchObject({ status: 'canceled', transactions: [128.5, -128.5] });
    expect(cancelled.metadata.causeway.outcome).toBe('paid');
    const { refunds } = await causeway.client.charges.get(chargeId);
    expect(refunds).toMatchObject([{ customerAmount: 128.5, status: 'initiated' }]);
  });

  test('a forged notification, and one of another charge with the ID of the session, capture nothing', async () => {
    const { orderId, session } = await customer.order();
    const payload = { chargeId: 'ch_other', merchantAmount: 128.5, notifyPayload: session.id };
    const message = 'CHARGE_COMPLETE';
    const secrets = [`whsec_${btoa('a guessed secret')}`, webhook.secret];
    for (const secret of secrets) {
      const { body, headers } = await signWebhook({ message, payload, secret });
      expect((await fetch(webhookUrl, { method: 'POST', body, headers })).status).toBe(200);
    }
    const verify = async (secret: string) => {
      const { body, headers } = await signWebhook({ message, payload, secret });
      const webhookPayload = { data: JSON.parse(body), rawData: body, headers };
      return container()
        .resolve(Modules.PAYMENT)
        .getWebhookActionAndData({ provider: 'causeway_causeway', payload: webhookPayload });
    };
    await expect(verify(secrets[0]!)).rejects.toThrow('The signature is invalid');
    expect(await verify(webhook.secret)).toMatchObject({ action: 'captured' });
    await reconcile();
    expect(await order(orderId)).toMatchObject({ status: 'pending', captured: [] });
    expect((await waitForOrder(orderId, 'awaiting_payment')).captured).toEqual([]);
  });

  test('wrong settings and a return URL of another site are rejected', async () => {
    expect(() => checkOptions({ url: 'https://pay.example.com' })).toThrow(/needs apiKey, apiSecret/);
    const { cartId } = await customer.startPayment();
    const elsewhere = customer.createSession(cartId, { return_url: 'https://elsewhere.example/' });
    await expect(elsewhere).rejects.toThrow('400');
    const { data } = await customer.createSession(cartId, {
      return_url: `http://localhost:8000/order?cart=${cartId}`,
      locale: 'zh-Hant',
    });
    const { redirectUrl } = await causeway.client.sessions.get(data.causeway_session_id);
    expect(redirectUrl).toBe(`http://localhost:8000/order?cart=${cartId}`);
    const query = container().resolve(ContainerRegistrationKeys.QUERY);
    const { data: sessions }: Json = await query.graph({ entity: 'payment_session', fields: ['id'] });
    expect(sessions).toHaveLength(1);
  });
});
