import { Type } from 'typebox';
import type { ChargeWithRefunds } from '../domain/payments/charge/read-charge.ts';
import { toChargeView } from '../domain/payments/charge/to-charge-view.ts';
import { customerSchema } from './customer-json.ts';
import { refundOfChargeSchema, toRefundJson } from './refund-json.ts';
import { timestampSchema, toTimestamp } from './timestamp.ts';

export const orderSchema = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  quantity: Type.Optional(Type.Integer()),
  amount: Type.Optional(Type.Number()),
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
      qrCode: Type.String({
        description:
          'The content of the QR code that a payment app scans. Empty if the method has no QR code.',
      }),
      account: Type.String(),
      nonce: Type.String({
        description:
          'The payment reference that the customer must enter in the transfer. It identifies the charge that the transfer pays.',
      }),
      accountName: Type.String(),
      bank: Type.String(),
    }),
    refunds: Type.Array(refundOfChargeSchema),
    orders: Type.Array(orderSchema),
    notifyPayload: Type.Optional(Type.String()),
    notifyUrl: Type.Optional(Type.String()),
    sessionId: Type.Optional(Type.String()),
    subscriptionId: Type.Optional(Type.String()),
    expiresAt: timestampSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    isDuplicate: Type.Optional(
      Type.Boolean({
        description:
          'Whether the charge is an equal charge that was already pending. If true, no new charge was created. Returned only when the charge is created.',
      }),
    ),
    cancelToken: Type.Optional(
      Type.String({
        description:
          'The token with which your page in the customer’s browser can cancel the charge without an API key, sent as `?cancelToken=`. Returned only when the charge is created.',
      }),
    ),
  },
  { title: 'Charge' },
);

/** Returns the documented JSON of a charge, with timestamps in the requested format. */
export function toChargeJson(charge: ChargeWithRefunds, options: { epoch: boolean }) {
  const json = toChargeView(charge);
  if (!options.epoch) return json;
  const timestamp = (time: Date) => toTimestamp(time, options);
  return {
    ...json,
    refunds: charge.refunds.map((refund) => toRefundJson({ refund, charge }, options)),
    expiresAt: timestamp(charge.expiresAt),
    createdAt: timestamp(charge.createdAt),
    updatedAt: timestamp(charge.updatedAt),
  };
}
