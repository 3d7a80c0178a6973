import { Type } from 'typebox';
import type { ChargeWithRefunds } from '../domain/charge/get-charge.ts';
import { type Order, orderJson } from '../domain/order.ts';
import { toJsonNumber } from '../kit/money.ts';
import type { Destination } from '../method/destination.ts';
import { refundSchema, toRefundJson } from './refund-json.ts';
import { toTimestamp } from './timestamp.ts';

export const customerSchema = Type.Object({
  id: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
});

export const orderSchema = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  quantity: Type.Optional(Type.Integer()),
  amount: Type.Optional(Type.Number()),
});

export const timestampSchema = Type.Union([Type.String(), Type.Integer()], {
  description: 'ISO 8601 UTC with milliseconds; epoch milliseconds with ?timestamps=epoch',
});

export const chargeSchema = Type.Object(
  {
    id: Type.String(),
    customer: customerSchema,
    merchantAmount: Type.Number(),
    merchantCurrency: Type.String(),
    method: Type.String(),
    customerAmount: Type.Number(),
    customerCurrency: Type.String(),
    status: Type.String(),
    destination: Type.Object({
      qrCode: Type.String({ description: 'What a payment app scans; empty where the method has no code' }),
      account: Type.String(),
      nonce: Type.String({ description: 'The word the customer attaches to the payment' }),
      accountName: Type.String(),
      bank: Type.String(),
    }),
    refunds: Type.Array(refundSchema),
    orders: Type.Array(orderSchema),
    notifyPayload: Type.Optional(Type.String()),
    notifyUrl: Type.Optional(Type.String()),
    sessionId: Type.Optional(Type.String()),
    subscriptionId: Type.Optional(Type.String()),
    expiresAt: timestampSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    isDuplicate: Type.Optional(Type.Boolean({ description: 'In the answer of a creation' })),
    cancelToken: Type.Optional(Type.String({ description: 'In the answer of a creation' })),
  },
  { title: 'Charge' },
);

/** The charge as the interface documents it; members without a value are left out. */
export function toChargeJson(charge: ChargeWithRefunds, options: { epoch: boolean }) {
  const { qrCode, account, nonce, accountName, bank } = charge.destination as Destination;
  const timestamp = (at: Date) => toTimestamp(at, options);
  const customer = toCustomerJson(charge);
  return {
    id: charge.id,
    customer,
    merchantAmount: toJsonNumber({ minor: charge.merchantAmount, currency: charge.merchantCurrency }),
    merchantCurrency: charge.merchantCurrency,
    method: charge.method,
    customerAmount: toJsonNumber({ minor: charge.customerAmount, currency: charge.customerCurrency }),
    customerCurrency: charge.customerCurrency,
    status: charge.status,
    destination: { qrCode, account, nonce, accountName, bank },
    refunds: charge.refunds.map((refund) =>
      toRefundJson(refund, { customer, method: charge.method, ...options }),
    ),
    orders: (charge.orders as Order[]).map(orderJson),
    ...(charge.notifyPayload !== null && { notifyPayload: charge.notifyPayload }),
    ...(charge.sessionId !== null && charge.notifyUrl !== null && { notifyUrl: charge.notifyUrl }),
    ...(charge.sessionId !== null && { sessionId: charge.sessionId }),
    ...(charge.subscriptionId !== null && { subscriptionId: charge.subscriptionId }),
    expiresAt: timestamp(charge.expiresAt),
    createdAt: timestamp(charge.createdAt),
    updatedAt: timestamp(charge.updatedAt),
  };
}

function toCustomerJson(charge: ChargeWithRefunds) {
  return {
    id: charge.customerId,
    ...(charge.email !== null && { email: charge.email }),
    ...(charge.phone !== null && { phone: charge.phone }),
    ...(charge.firstName !== null && { firstName: charge.firstName }),
    ...(charge.lastName !== null && { lastName: charge.lastName }),
  };
}
