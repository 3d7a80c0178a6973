import type { MedusaContainer, PaymentSessionDTO } from '@medusajs/framework/types';
import {
  ContainerRegistrationKeys,
  Modules,
  OrderStatus,
  PaymentActions,
  PaymentSessionStatus,
} from '@medusajs/framework/utils';
import { cancelOrderWorkflow, processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import { createClients } from './options.ts';
import { hasReceivedMoney, readSession, type SessionState } from './payment-state.ts';

/** The state of the payment in the metadata of the order, under `causeway`. */
export type PaymentNote = {
  session_id: string;
  charge_id?: string;
  outcome:
    | 'awaiting_payment'
    | 'part_paid'
    | 'paid'
    | 'overpaid'
    /** The order was cancelled before the money arrived. Refund it, or create another order. */
    | 'paid_after_cancellation'
    | 'not_paid'
    /** The payment has ended, but the order has another payment, or Medusa cannot cancel it, such as once fulfilled. */
    | 'not_paid_order_kept';
  /** The amount received, in the currency in which the customer pays. */
  amount_received?: string;
  amount_expected?: string;
  currency?: string;
  refunds?: Record<string, { status: string; amount: string }>;
};

type Order = {
  id: string;
  status: string;
  canceled_at: Date | string | null;
  metadata: Record<string, unknown> | null;
  payment_collections: { payments?: { id: string; canceled_at: Date | string | null }[] }[];
};

const lockSeconds = 120;

/**
 * Synchronizes one payment session with Causeway: captures the payment if it has arrived in full, and cancels the order
 * if the customer can no longer pay. Reads the state from Causeway, because notifications can be lost, repeated or
 * late. With `canCapture: false`, a payment that has arrived is left to Medusa.
 */
export async function settlePaymentSession(
  container: MedusaContainer,
  id: string,
  { canCapture = true } = {},
): Promise<void> {
  const work = () => settle(container, id, canCapture);
  await container.resolve(Modules.LOCKING).execute(`causeway:${id}`, work, { timeout: lockSeconds });
}

async function settle(container: MedusaContainer, id: string, canCapture: boolean): Promise<void> {
  const session = await findPaymentSession(container, id);
  const causeway = session && createClients(container).get(session.provider_id);
  const causewaySessionId = session?.data?.causeway_session_id;
  // The customer has changed the cart or selected another payment method since the payment session was created.
  if (!session || !causeway || !causewaySessionId) return;
  const state = await readSession(causeway, String(causewaySessionId));
  if (!state) return;
  const isCaptured = Boolean(session.payment?.captured_at);
  if (state.outcome === 'paid' && !isCaptured) {
    if (!canCapture) return;
    await capture(container, session);
  }
  const hasEnded = state.outcome === 'ended' && !isCaptured;
  if (hasEnded) await endPaymentSession(container, session);
  const order = await findOrder(container, session);
  if (!order) return;
  const isKept =
    hasEnded &&
    order.status !== OrderStatus.CANCELED &&
    (hasOtherPayment(order, session) || !(await cancelOrder(container, order)));
  const isLate = order.status === OrderStatus.CANCELED && !wasCapturedBefore(session, order);
  await writeNote(container, order, toNote(String(causewaySessionId), state, { isLate, isKept }));
}

async function findPaymentSession(
  container: MedusaContainer,
  id: string,
): Promise<PaymentSessionDTO | undefined> {
  const [session] = await container
    .resolve(Modules.PAYMENT)
    .listPaymentSessions({ id: [id] }, { relations: ['payment'] });
  return session;
}

async function findOrder(container: MedusaContainer, session: PaymentSessionDTO): Promise<Order | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({
    entity: 'order_payment_collection',
    fields: [
      'order.id',
      'order.status',
      'order.canceled_at',
      'order.metadata',
      'order.payment_collections.payments.id',
      'order.payment_collections.payments.canceled_at',
    ],
    filters: { payment_collection_id: session.payment_collection_id },
  });
  return (data[0] as { order?: Order } | undefined)?.order;
}

/** Also creates the order if the customer paid without completing the cart. */
async function capture(container: MedusaContainer, { id, amount }: PaymentSessionDTO): Promise<void> {
  const data = { session_id: id, amount };
  await processPaymentWorkflow(container).run({ input: { action: PaymentActions.SUCCESSFUL, data } });
}

/** Cancels the payment session, so that the cart needs another one. */
async function endPaymentSession(container: MedusaContainer, session: PaymentSessionDTO): Promise<void> {
  if (session.status === PaymentSessionStatus.CANCELED) return;
  const payment = container.resolve(Modules.PAYMENT);
  // Medusa stores the status that the provider reports, and throws because the payment is not authorized.
  await payment.authorizePaymentSession(session.id, {}).catch(async (error: Error) => {
    const { status } = await payment.retrievePaymentSession(session.id);
    if (status !== PaymentSessionStatus.CANCELED) throw error;
  });
}

/** Returns whether the order has another payment, which Medusa would refund when it cancels the order. */
function hasOtherPayment(
  { payment_collections: collections }: Order,
  { payment }: PaymentSessionDTO,
): boolean {
  const payments = collections.flatMap((collection) => collection.payments ?? []);
  return payments.some(({ id, canceled_at }) => id !== payment?.id && !canceled_at);
}

/** Cancels the order, which releases its reserved stock. Returns false if Medusa rejects the cancellation. */
async function cancelOrder(container: MedusaContainer, { id }: Order): Promise<boolean> {
  try {
    await cancelOrderWorkflow(container).run({ input: { order_id: id } });
    return true;
  } catch (error) {
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`The order ${id} was not paid and cannot be cancelled: ${(error as Error).message}`);
    return false;
  }
}

/** Returns whether the payment was captured before the order was cancelled. Medusa has refunded it then. */
function wasCapturedBefore({ payment }: PaymentSessionDTO, order: Order): boolean {
  if (!payment?.captured_at || !order.canceled_at) return false;
  return new Date(payment.captured_at) < new Date(order.canceled_at);
}

type Circumstances = { isLate: boolean; isKept: boolean };

function toNote(sessionId: string, state: SessionState, circumstances: Circumstances): PaymentNote {
  const { charge } = state;
  const outcome = toOutcome(state, circumstances);
  if (!charge) return { session_id: sessionId, outcome };
  const refunds = charge.refunds.map(({ id, status, customerAmount }) => [
    id,
    { status, amount: customerAmount },
  ]);
  return {
    session_id: sessionId,
    charge_id: charge.id,
    outcome,
    amount_received: charge.amountReceived,
    amount_expected: charge.customerAmount,
    currency: charge.customerCurrency,
    ...(refunds.length > 0 && { refunds: Object.fromEntries(refunds) }),
  };
}

function toOutcome(state: SessionState, { isLate, isKept }: Circumstances): PaymentNote['outcome'] {
  if (state.outcome === 'paid') {
    if (isLate) return 'paid_after_cancellation';
    return state.charge?.paymentState === 'over' ? 'overpaid' : 'paid';
  }
  if (isKept) return 'not_paid_order_kept';
  if (state.outcome === 'ended') return 'not_paid';
  return hasReceivedMoney(state) ? 'part_paid' : 'awaiting_payment';
}

async function writeNote(container: MedusaContainer, order: Order, note: PaymentNote): Promise<void> {
  if (JSON.stringify(order.metadata?.causeway) === JSON.stringify(note)) return;
  const metadata = { ...order.metadata, causeway: note };
  await container.resolve(Modules.ORDER).updateOrders(order.id, { metadata });
}
