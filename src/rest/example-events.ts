import { type EventType, eventTypes } from '../event/catalog.ts';
import {
  chargeExample,
  invoiceExample,
  refundExample,
  sessionExample,
  subscriptionExample,
} from './example-responses.ts';

const merchantId = 'mer_01k7xexample';
const eventId = 'ev_01k7xexample';
const timestamp = 1795161002.417;
const { id: chargeId, merchantAmount, merchantCurrency, customerAmount, customerCurrency } = chargeExample;
const { notifyPayload, ...session } = sessionExample;

const chargePayload = {
  chargeId,
  merchantId,
  customerAmount,
  customerCurrency,
  amountReceived: 96,
  merchantAmount,
  merchantCurrency,
  status: 'completed',
  paymentMethod: chargeExample.method,
  orders: chargeExample.orders.map((order) => ({ ...order, currency: merchantCurrency })),
};

const objectPayloads: Record<(typeof eventTypes)[EventType]['object'], object> = {
  charge: chargePayload,
  session: { sessionId: session.id, merchantId, ...session },
  refund: refundExample,
  subscription: subscriptionExample,
  invoice: invoiceExample,
  transfer: {
    id: 'tr_01k7xexample',
    merchantId,
    bankReference: 'BANK-2026-11-20-0002',
    receivingAccountId: 'acc_01k7xexample',
    amount: 96,
    currency: 'HKD',
    reference: 'for the tea',
    payerName: 'WONG ADA',
    status: 'exception',
    reason: 'missing_reference',
    paidAt: '2026-11-20T08:30:00.000Z',
  },
};

/** The members that distinguish the example of an event type from that of its object. */
const changes: Partial<Record<EventType, object>> = {
  charge_created: { status: 'pending', amountReceived: 0, subscriptionId: subscriptionExample.id },
  charge_completed: { subscriptionId: subscriptionExample.id },
  charge_expired: { status: 'expired', amountReceived: 0 },
  charge_cancelled: { status: 'cancelled', amountReceived: 0 },
  charge_extended: { status: 'pending', amountReceived: 50 },
  charge_part_paid: { status: 'pending', amountReceived: 50 },
  charge_overpaid: { amountReceived: 100 },
  session_expired: { status: 'expired' },
  session_cancelled: { status: 'cancelled' },
  refund_processing: { status: 'processing' },
  refund_completed: { status: 'completed' },
  refund_cancelled: { status: 'cancelled' },
  subscription_paid: { chargeId },
  subscription_paused: { status: 'inactive', phase: 'paused' },
  subscription_resumed: { status: 'active', phase: 'active' },
  subscription_cancelled: { status: 'cancelled', phase: 'cancelled', nextPayment: null },
  subscription_completed: { status: 'completed', phase: 'completed', nextPayment: null, chargeId },
};

/** Returns an example of the body that a webhook receives. */
export function createExampleEvent(type: EventType) {
  const { object } = eventTypes[type];
  const eventMembers = { mode: 'live', eventId, eventType: type, timestamp };
  return {
    merchantId,
    timestamp,
    eventId,
    notificationVersion: '1.0',
    objectVersion: 2,
    ...(object === 'charge' && { chargeId }),
    message: type,
    payload: {
      ...objectPayloads[object],
      ...changes[type],
      ...eventMembers,
      ...(object !== 'transfer' && { notifyPayload }),
    },
  };
}
