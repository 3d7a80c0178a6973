import type { InvoiceStatus as InvoiceState } from '../../prisma/client/client.ts';
import type { SubscriptionPhase } from '../../src/domain/billing/subscription/subscription-state.ts';
import type { OrderLine } from '../../src/domain/platform/order-line.ts';
import { type EventType, eventTypes } from '../../src/event/catalog.ts';
import { decimalToMinor } from '../../src/kit/money.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { InvoiceStatus } from '../billing/invoice.ts';
import { SubscriptionPhaseEnum, SubscriptionStatus } from '../billing/subscription.ts';
import { builder } from '../kit/builder.ts';
import { TransferExceptionReason, TransferStatus } from '../money-in/transfer.ts';
import { ChargeStatus } from '../payments/charge.ts';
import { MetadataEntryType, toMetadataEntries } from '../payments/metadata.ts';
import { OrderType } from '../payments/order.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { RefundStatus } from '../payments/refund.ts';
import { SessionStatus } from '../payments/session-status.ts';
import { toDecimalScalar } from '../scalars.ts';

type PayloadKind = (typeof eventTypes)[EventType]['object'];
/** The stored JSON of an event. */
type Payload = { kind: PayloadKind; json: Record<string, unknown> };

export function parsePayload({ type, payload }: { type: string; payload: string }): Payload {
  return { kind: eventTypes[type as EventType].object, json: JSON.parse(payload) };
}

type ObjectFieldBuilder = PothosSchemaTypes.ObjectFieldBuilder<
  (typeof builder)['$inferSchemaTypes'],
  Payload
>;

const read = <Value>({ json }: Payload, name: string) => (json[name] ?? null) as Value | null;

function readAmount(payload: Payload, name: string, currencyName: string): string | null {
  const amount = read<number>(payload, name);
  const currency = read<string>(payload, currencyName);
  if (amount === null || currency === null) return null;
  const minor = decimalToMinor(String(amount), currency);
  return minor === undefined ? null : toDecimalScalar(minor, currency);
}

function createMetadataField(t: ObjectFieldBuilder) {
  return t.field({
    type: [MetadataEntryType],
    nullable: true,
    description: 'Your own data, by key. Null if there is none.',
    resolve: (payload) => toMetadataEntries(read(payload, 'metadata')),
  });
}

const describeState = (object: string) =>
  `The state of ${object} at the time of an event. Events that earlier versions of Causeway recorded can lack fields, which are then null.`;

/** The fields of the members that several payloads have. Every field is nullable, as old events may lack members. */
function createFields(t: ObjectFieldBuilder) {
  return {
    id: (name: string, description: string) =>
      t.id({ nullable: true, description, resolve: (payload) => read<string>(payload, name) }),
    text: (name: string, description: string) =>
      t.string({ nullable: true, description, resolve: (payload) => read<string>(payload, name) }),
    time: (name: string, description: string) =>
      t.field({
        type: 'DateTime',
        nullable: true,
        description,
        resolve: (payload) => {
          const time = read<string>(payload, name);
          return time === null ? null : new Date(time);
        },
      }),
    amount: (name: string, currencyName: string, description: string) =>
      t.field({
        type: 'Decimal',
        nullable: true,
        description: `${description}, in \`${currencyName}\`.`,
        resolve: (payload) => readAmount(payload, name, currencyName),
      }),
    currency: (name: string, description: string) =>
      t.field({
        type: 'CurrencyCode',
        nullable: true,
        description,
        resolve: (payload) => read<string>(payload, name),
      }),
    method: (name: string) =>
      t.field({
        type: PaymentMethodCode,
        nullable: true,
        description: 'The payment method of the customer.',
        resolve: (payload) => read<MethodCode>(payload, name),
      }),
    orders: () =>
      t.field({
        type: [OrderType],
        nullable: true,
        description: 'The order lines that the customer pays for.',
        resolve: (payload) =>
          read<(Omit<OrderLine, 'amount'> & { amount?: number })[]>(payload, 'orders')?.map((order) => ({
            ...order,
            amount: order.amount === undefined ? undefined : String(order.amount),
          })) as OrderLine[] | null,
      }),
    metadata: () => createMetadataField(t),
    notifyPayload: () =>
      t.string({
        nullable: true,
        description: 'The `notifyPayload` that you provided. Null if there is none.',
        resolve: (payload) => read<string>(payload, 'notifyPayload'),
      }),
  };
}

const ChargePayload = builder.objectRef<Payload>('ChargeEventPayload').implement({
  description: describeState('a charge'),
  fields: (t) => {
    const { id, amount, currency, method, orders, notifyPayload, metadata } = createFields(t);
    return {
      chargeId: id('chargeId', 'The ID of the charge.'),
      chargeStatus: t.field({
        type: ChargeStatus,
        nullable: true,
        description: 'The status of the charge.',
        resolve: (payload) => read<'pending'>(payload, 'status'),
      }),
      method: method('paymentMethod'),
      merchantAmount: amount('merchantAmount', 'merchantCurrency', 'The amount that you charge'),
      merchantCurrency: currency('merchantCurrency', 'The currency of `merchantAmount`.'),
      customerAmount: amount('customerAmount', 'customerCurrency', 'The amount that the customer has to pay'),
      amountReceived: amount('amountReceived', 'customerCurrency', 'The amount that had arrived'),
      customerCurrency: currency('customerCurrency', 'The currency in which the customer pays.'),
      orders: orders(),
      sessionId: id('sessionId', 'The ID of the session of the charge. Null if there is none.'),
      subscriptionId: id(
        'subscriptionId',
        'The ID of the subscription of the charge. Null if there is none.',
      ),
      notifyPayload: notifyPayload(),
      metadata: metadata(),
    };
  },
});

const SessionPayload = builder.objectRef<Payload>('SessionEventPayload').implement({
  description: describeState('a session'),
  fields: (t) => {
    const { id, amount, currency, orders, notifyPayload, metadata } = createFields(t);
    return {
      sessionId: id('sessionId', 'The ID of the session.'),
      sessionStatus: t.field({
        type: SessionStatus,
        nullable: true,
        description: 'The status of the session.',
        resolve: (payload) => read<'created'>(payload, 'status'),
      }),
      amount: amount('amount', 'currency', 'The amount to charge'),
      currency: currency('currency', 'The currency of `amount`.'),
      orders: orders(),
      notifyPayload: notifyPayload(),
      metadata: metadata(),
    };
  },
});

const RefundPayload = builder.objectRef<Payload>('RefundEventPayload').implement({
  description: describeState('a refund'),
  fields: (t) => {
    const { id, amount, currency, method, notifyPayload, metadata } = createFields(t);
    return {
      refundId: id('id', 'The ID of the refund.'),
      chargeId: id('chargeId', 'The ID of the charge that is refunded.'),
      refundStatus: t.field({
        type: RefundStatus,
        nullable: true,
        description: 'The status of the refund.',
        resolve: (payload) => read<'initiated'>(payload, 'status'),
      }),
      method: method('method'),
      customerAmount: amount('customerAmount', 'customerCurrency', 'The amount to refund'),
      customerCurrency: currency('customerCurrency', 'The currency of `customerAmount`.'),
      notifyPayload: notifyPayload(),
      metadata: metadata(),
    };
  },
});

const SubscriptionPayload = builder.objectRef<Payload>('SubscriptionEventPayload').implement({
  description: describeState('a subscription'),
  fields: (t) => {
    const { id, time, notifyPayload, metadata } = createFields(t);
    return {
      subscriptionId: id('id', 'The ID of the subscription.'),
      subscriptionPlanId: id('subscriptionPlanId', 'The ID of the plan.'),
      subscriptionStatus: t.field({
        type: SubscriptionStatus,
        nullable: true,
        description: 'The status of the subscription.',
        resolve: (payload) => read<'active'>(payload, 'status'),
      }),
      phase: t.field({
        type: SubscriptionPhaseEnum,
        nullable: true,
        description: 'The status of the subscription in more detail.',
        resolve: (payload) => read<SubscriptionPhase>(payload, 'phase'),
      }),
      nextPaymentAt: time('nextPayment', 'The time of the next payment. Null if no payment is due.'),
      activeUntil: time(
        'activeUntil',
        'The end of the current period, which was paid for, skipped or free. Null if the subscription has not started.',
      ),
      numPaymentsComplete: t.int({
        nullable: true,
        description: 'The number of payments completed so far.',
        resolve: (payload) => read<number>(payload, 'numPaymentsComplete'),
      }),
      chargeId: id(
        'chargeId',
        'The ID of the charge that was paid. Null if the event is not about a payment.',
      ),
      notifyPayload: notifyPayload(),
      metadata: metadata(),
    };
  },
});

const InvoicePayload = builder.objectRef<Payload>('InvoiceEventPayload').implement({
  description: describeState('an invoice'),
  fields: (t) => {
    const { id, amount, currency, text, time, notifyPayload } = createFields(t);
    return {
      invoiceId: id('id', 'The ID of the invoice.'),
      subscriptionId: id('subscriptionId', 'The ID of the subscription that the invoice renews.'),
      number: t.int({
        nullable: true,
        description: 'The number of the invoice in your series.',
        resolve: (payload) => read<number>(payload, 'number'),
      }),
      invoiceStatus: t.field({
        type: InvoiceStatus,
        nullable: true,
        description: 'The status of the invoice.',
        resolve: (payload) => read<InvoiceState>(payload, 'status'),
      }),
      amount: amount('amount', 'currency', 'The invoiced amount with tax'),
      currency: currency('currency', 'The currency of `amount`.'),
      chargeId: id('chargeId', 'The ID of the charge of the invoice. Null if there is none.'),
      checkoutUrl: text('checkoutLink', 'The URL of the page on which the customer pays the invoice.'),
      pdfUrl: text('pdfUrl', 'The URL of the invoice as a PDF. Anyone with the URL can open it.'),
      dueAt: time('invoiceDueOn', 'The time at which the invoice is due.'),
      notifyPayload: notifyPayload(),
    };
  },
});

const TransferPayload = builder.objectRef<Payload>('TransferEventPayload').implement({
  description: describeState('a transfer'),
  fields: (t) => {
    const { id, amount, currency, text, time } = createFields(t);
    return {
      transferId: id('id', 'The ID of the transfer.'),
      bankReference: text(
        'bankReference',
        'The bank’s own reference of the transfer, such as its transaction ID. Null if the bank gave none.',
      ),
      receivingAccountId: id('receivingAccountId', 'The ID of the receiving account.'),
      amount: amount('amount', 'currency', 'The amount of the transfer'),
      currency: currency('currency', 'The currency of `amount`.'),
      reference: text('reference', 'The text that the payer wrote.'),
      payerName: text('payerName', 'The name of the payer. Null if the source did not report it.'),
      transferStatus: t.field({
        type: TransferStatus,
        nullable: true,
        description: 'The outcome of matching the transfer.',
        resolve: (payload) => read<'exception'>(payload, 'status'),
      }),
      reason: t.field({
        type: TransferExceptionReason,
        nullable: true,
        description: 'The reason why the transfer needs review. Null if it does not need review.',
        resolve: (payload) => read<'reversed'>(payload, 'reason'),
      }),
      paidAt: time('paidAt', 'The time of the payment.'),
    };
  },
});

const payloadTypes = {
  charge: 'ChargeEventPayload',
  session: 'SessionEventPayload',
  refund: 'RefundEventPayload',
  subscription: 'SubscriptionEventPayload',
  invoice: 'InvoiceEventPayload',
  transfer: 'TransferEventPayload',
} as const satisfies Record<PayloadKind, string>;

export const EventPayloadType = builder.unionType('EventPayload', {
  description: 'The state of the object that an event concerns, at the time of the event. It never changes.',
  types: [ChargePayload, SessionPayload, RefundPayload, SubscriptionPayload, InvoicePayload, TransferPayload],
  resolveType: ({ kind }) => payloadTypes[kind],
});
