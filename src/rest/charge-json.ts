import { Type } from 'typebox';
import type { ChargeWithRefunds } from '../domain/payments/charge/read-charge.ts';
import { toChargeView } from '../domain/payments/charge/to-charge-view.ts';
import { getQrCodeUrls } from '../domain/payments/customer-page/checkout-url.ts';
import type { Service } from '../domain/platform/service.ts';
import { customerSchema } from './customer-json.ts';
import { metadataSchema } from './metadata.ts';
import { refundOfChargeSchema, toRefundJson } from './refund-json.ts';
import { timestampSchema, toTimestamp } from './timestamp.ts';

export const orderSchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({ description: 'Your own ID of the order or item. It does not have to be unique.' }),
    ),
    name: Type.Optional(Type.String({ description: 'The name of the item.' })),
    quantity: Type.Optional(Type.Integer({ description: 'The number of items.' })),
    amount: Type.Optional(
      Type.Number({ description: 'The price of the item, in the currency in which you charge.' }),
    ),
  },
  { title: 'Order', description: 'An order line that the customer pays for.' },
);

export const chargeSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the charge, `ch_…`.' }),
    customer: customerSchema,
    merchantAmount: Type.Number({ description: 'The amount that you charge, in `merchantCurrency`.' }),
    merchantCurrency: Type.String({ description: 'The ISO 4217 code of the currency of `merchantAmount`.' }),
    method: Type.String({
      description: 'The code of the payment method that the customer uses, such as `fps`.',
    }),
    customerAmount: Type.Number({
      description:
        'The amount that the customer pays, in `customerCurrency`. It can exceed the converted amount by an offset that makes it unique, so the customer must pay exactly this amount.',
    }),
    customerCurrency: Type.String({
      description: 'The ISO 4217 code of the currency in which the customer pays.',
    }),
    status: Type.String({
      description: 'The status of the charge: `pending`, `completed`, `expired` or `cancelled`.',
    }),
    amountReceived: Type.Number({
      description:
        'The amount that has arrived so far, in `customerCurrency`. Zero if a sandbox charge was completed manually.',
    }),
    destination: Type.Object(
      {
        qrCode: Type.String({
          description:
            'The content of the QR code that a payment app scans. Empty if the method has no QR code.',
        }),
        account: Type.String({
          description: 'The account number, phone number or other identifier that the customer pays to.',
        }),
        nonce: Type.String({
          description:
            'The payment reference that the customer must enter in the transfer. It identifies the charge that the transfer pays.',
        }),
        accountName: Type.String({ description: 'The name of the account holder.' }),
        bank: Type.String({ description: 'The name of the bank or wallet, as the customer’s app shows it.' }),
      },
      {
        title: 'Destination',
        description: 'The payment instructions for the customer. Show them unchanged.',
      },
    ),
    qrPngUrl: Type.Optional(
      Type.String({
        description:
          'The URL of the QR code as a PNG, for an email or your own page. Omitted if the method has no QR code, if the charge has ended, and in the charges of a subscription.',
      }),
    ),
    qrSvgUrl: Type.Optional(
      Type.String({ description: 'The URL of the QR code as an SVG. Omitted if `qrPngUrl` is.' }),
    ),
    refunds: Type.Array(refundOfChargeSchema, { description: 'The refunds of the charge.' }),
    orders: Type.Array(orderSchema, { description: 'The order lines that the customer pays for.' }),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'Your reference for the charge, which its notifications include. Omitted if there is none.',
      }),
    ),
    metadata: Type.Optional(metadataSchema),
    notifyUrl: Type.Optional(
      Type.String({
        description:
          'The callback URL of the session that the charge belongs to. It is notified when the charge completes. Omitted if there is none, and for charges without a session, even if they have a callback URL.',
      }),
    ),
    sessionId: Type.Optional(
      Type.String({
        description: 'The ID of the session that the charge belongs to, `ses_…`. Omitted if there is none.',
      }),
    ),
    subscriptionId: Type.Optional(
      Type.String({
        description:
          'The ID of the subscription that the charge pays for, `sub_…`. Omitted if there is none.',
      }),
    ),
    expiresAt: timestampSchema('The time until which the charge can be paid.'),
    createdAt: timestampSchema('The time at which the charge was created.'),
    updatedAt: timestampSchema('The time at which the charge was last updated.'),
    isDuplicate: Type.Optional(
      Type.Boolean({
        description:
          'Whether the charge is an equal charge that was already pending. If true, no new charge was created. Returned only when the charge is created.',
      }),
    ),
    cancelToken: Type.Optional(
      Type.String({
        description:
          'The token with which your page in the customer’s browser can cancel the charge without an API key, sent as the header `Cancel-Token`. Returned only when the charge is created.',
      }),
    ),
  },
  { title: 'Charge', description: 'A request for payment, which one customer pays with one payment method.' },
);

/** Returns the documented JSON of a charge, with timestamps in the requested format. */
export function toChargeJson(
  service: Pick<Service, 'settings' | 'secrets'>,
  charge: ChargeWithRefunds,
  options: { usesEpochTimestamps: boolean },
) {
  const json = { ...toChargeView(charge), ...getQrCodeUrls(service, charge) };
  if (!options.usesEpochTimestamps) return json;
  const timestamp = (time: Date) => toTimestamp(time, options);
  return {
    ...json,
    refunds: charge.refunds.map((refund) => toRefundJson({ refund, charge }, options)),
    expiresAt: timestamp(charge.expiresAt),
    createdAt: timestamp(charge.createdAt),
    updatedAt: timestamp(charge.updatedAt),
  };
}
