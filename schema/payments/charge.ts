import type { Charge } from '../../prisma/client/client.ts';
import { getAmountPaid, getPaymentState } from '../../src/domain/payments/charge/charge-state.ts';
import { getQrCodeUrls } from '../../src/domain/payments/customer-page/checkout-url.ts';
import { getRefundableAmount } from '../../src/domain/payments/refund/refund-state.ts';
import { hasOrderMismatch, type OrderLine } from '../../src/domain/platform/order-line.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import type { Destination } from '../../src/method/destination.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { toDecimalScalar } from '../scalars.ts';
import { newestFirst } from './charge-rows.ts';
import { DestinationType } from './destination.ts';
import { metadataOutput } from './metadata.ts';
import { OrderType } from './order.ts';
import { OutstandingPaymentType, toOutstandingPayment } from './outstanding-payment.ts';
import { PaymentMethodCode } from './payment-method.ts';

export const ChargeStatus = builder.enumType('ChargeStatus', {
  description: 'Whether a charge is waiting for its payment, or how it ended.',
  values: {
    pending: { description: 'The charge is waiting for the customer’s payment.' },
    completed: { description: 'The charge has been paid.' },
    expired: { description: 'The charge was not paid in time.' },
    cancelled: { description: 'The charge was cancelled before it was paid.' },
  },
});

const PaymentState = builder.enumType('PaymentState', {
  description:
    'A comparison of the amount paid, which includes fees that banks deducted, with `customerAmount`.',
  values: {
    none: { description: 'No money has been received.' },
    partial: { description: 'The amount paid is less than `customerAmount`.' },
    exact: { description: 'The amount paid is `customerAmount`.' },
    over: { description: 'The amount paid is more than `customerAmount`.' },
  },
});

const ChargeExchangeRate = builder.objectRef<Charge>('ChargeExchangeRate').implement({
  description: 'The exchange rate that was fixed when the charge was created.',
  fields: (t) => ({
    rate: t.field({
      type: 'Decimal',
      description: 'The number of units of `customerCurrency` for one unit of `merchantCurrency`.',
      resolve: ({ rate }) => rate.toFixed(),
    }),
    source: t.exposeString('rateSource', {
      description:
        'The source of the rate: the host and path of a feed, `manual`, or `same currency`. If several sources or a markup apply, they are joined with ` + `.',
    }),
    effectiveAt: t.expose('rateAt', {
      type: 'DateTime',
      description: 'The time at which the rate was valid, according to its source.',
    }),
  }),
});

export const ChargeType = builder.prismaNode('Charge', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A request for payment, with the instructions that the customer follows.',
  fields: (t) => ({
    status: t.expose('status', {
      type: ChargeStatus,
      description: 'Whether the charge is waiting for its payment (`pending`) or how it ended.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'The payment method that the customer uses. It determines `customerCurrency`.',
      resolve: (charge) => charge.method as MethodCode,
    }),
    merchantAmount: t.field({
      type: 'Decimal',
      description: 'The amount that you charge, in `merchantCurrency`.',
      resolve: (charge) => toDecimalScalar(charge.merchantAmount, charge.merchantCurrency),
    }),
    merchantCurrency: t.expose('merchantCurrency', {
      type: 'CurrencyCode',
      description: 'The currency of `merchantAmount`, which you chose when you created the charge.',
    }),
    customerAmount: t.field({
      type: 'Decimal',
      description: 'The amount that the customer pays, in `customerCurrency`. It includes `amountOffset`.',
      resolve: (charge) => toDecimalScalar(charge.customerAmount, charge.customerCurrency),
    }),
    amountOffset: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The part of `customerAmount` that was added to make the amount unique among the open charges of the receiving account. The customer must pay exactly `customerAmount`. Null if the amount does not have to be unique.',
      resolve: ({ amountOffset, customerCurrency }) =>
        amountOffset === null ? null : toDecimalScalar(amountOffset, customerCurrency),
    }),
    customerCurrency: t.expose('customerCurrency', {
      type: 'CurrencyCode',
      description: 'The currency in which the customer pays. It is the currency of the payment method.',
    }),
    exchangeRate: t.field({
      type: ChargeExchangeRate,
      description:
        'The exchange rate at which `merchantAmount` was converted to `customerAmount`. It is 1 if both currencies are the same.',
      resolve: (charge) => charge,
    }),
    destination: t.field({
      type: DestinationType,
      description: 'The payment instructions for the customer.',
      resolve: (charge) => charge.destination as Destination,
    }),
    qrPngUrl: t.string({
      nullable: true,
      description:
        'The URL of the QR code as a PNG, for an email or your own page. Null if the method has no QR code, or the charge has ended.',
      resolve: (charge, _args, { service }) => getQrCodeUrls(service, charge)?.qrPngUrl,
    }),
    qrSvgUrl: t.string({
      nullable: true,
      description: 'The URL of the QR code as an SVG. Null if `qrPngUrl` is null.',
      resolve: (charge, _args, { service }) => getQrCodeUrls(service, charge)?.qrSvgUrl,
    }),
    orders: t.field({
      type: [OrderType],
      description: 'The order lines that the customer pays for.',
      resolve: (charge) => charge.orders as OrderLine[],
    }),
    amountReceived: t.field({
      type: 'Decimal',
      description: 'The amount received so far, in `customerCurrency`.',
      resolve: (charge) => toDecimalScalar(charge.amountReceived, charge.customerCurrency),
    }),
    feeAmount: t.field({
      type: 'Decimal',
      description:
        'The fees that banks deducted from the payment, in `customerCurrency`. They count as paid, but are not part of `amountReceived`.',
      resolve: (charge) => toDecimalScalar(charge.feeAmount, charge.customerCurrency),
    }),
    amountDifference: t.field({
      type: 'Decimal',
      description:
        '`amountReceived` plus `feeAmount` minus `customerAmount`, in `customerCurrency`. Negative if the customer has paid less than `customerAmount`.',
      resolve: (charge) =>
        toDecimalScalar(getAmountPaid(charge) - charge.customerAmount, charge.customerCurrency),
    }),
    paymentState: t.field({
      type: PaymentState,
      description:
        'A comparison of `amountReceived` plus `feeAmount` with `customerAmount`. The value is `none` for a charge that was completed with `completeSandboxCharge`.',
      resolve: getPaymentState,
    }),
    amountRefundable: t.field({
      ...merchantOnly,
      nullable: true,
      type: 'Decimal',
      description:
        'The amount that can still be refunded, in `customerCurrency`. Null for callers with a client token.',
      select: { refunds: { select: { status: true, customerAmount: true } } },
      resolve: (charge) =>
        toDecimalScalar(getRefundableAmount(charge, charge.refunds), charge.customerCurrency),
    }),
    outstanding: t.field({
      type: OutstandingPaymentType,
      nullable: true,
      description: 'The remaining amount, with its payment instructions. Null if the charge has ended.',
      select: { receivingAccount: true },
      resolve: toOutstandingPayment,
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'The return URL, to which a button on the checkout page links. Null if there is none.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The time at which the charge expires if it has not been paid.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the charge completed. Null if it has not completed.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the charge was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the charge was last updated.',
    }),
    refunds: t.relation('refunds', {
      description: 'The refunds of the charge, newest first.',
      query: newestFirst,
    }),
    email: t.exposeString('email', {
      ...merchantOnly,
      nullable: true,
      description:
        'The customer’s email address, as it was provided for the charge. Null if it was not provided, and for callers with a client token.',
    }),
    phone: t.exposeString('phone', {
      ...merchantOnly,
      nullable: true,
      description:
        'The customer’s phone number in E.164 format, as it was provided for the charge. Null if it was not provided, and for callers with a client token.',
    }),
    firstName: t.exposeString('firstName', {
      ...merchantOnly,
      nullable: true,
      description:
        'The customer’s first name, as it was provided for the charge. Null if it was not provided, and for callers with a client token.',
    }),
    lastName: t.exposeString('lastName', {
      ...merchantOnly,
      nullable: true,
      description:
        'The customer’s last name, as it was provided for the charge. Null if it was not provided, and for callers with a client token.',
    }),
    customer: t.relation('customer', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer who pays. Null for callers with a client token.',
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      ...merchantOnly,
      nullable: true,
      description:
        'Your reference for the charge, which its notifications include. Null if there is none, and for callers with a client token.',
    }),
    note: t.exposeString('note', {
      ...merchantOnly,
      nullable: true,
      description: 'The note of your team. Null if there is none, and for callers with a client token.',
    }),
    metadata: t.field({
      ...merchantOnly,
      ...metadataOutput,
      description:
        'Your own data about the charge, by key. The list is empty if there is none. Null for callers with a client token.',
    }),
    notifyUrl: t.exposeString('notifyUrl', {
      ...merchantOnly,
      nullable: true,
      description:
        'The callback URL to which a notification is sent when the charge completes. Null if there is none, and for callers with a client token.',
    }),
    session: t.relation('session', {
      ...merchantOnly,
      nullable: true,
      description:
        'The session that the charge belongs to. Null if there is none, and for callers with a client token.',
    }),
    checkoutLink: t.relation('checkoutLink', {
      ...merchantOnly,
      nullable: true,
      description:
        'The checkout link that the charge belongs to. Null if there is none, and for callers with a client token.',
    }),
    subscription: t.relation('subscription', {
      ...merchantOnly,
      nullable: true,
      description:
        'The subscription that the charge pays for. Null if there is none, and for callers with a client token.',
    }),
    invoice: t.relation('invoice', {
      ...merchantOnly,
      nullable: true,
      description:
        'The invoice that the charge was created for. Null if there is none, as for the first payment of a subscription, and for callers with a client token.',
    }),
    hasOrderMismatch: t.boolean({
      ...merchantOnly,
      nullable: true,
      description:
        'Whether the prices of the order lines, times their quantities, add up to an amount other than `merchantAmount`. Customers see both, so correct the lines. False unless every line has a price. Null for callers with a client token.',
      resolve: ({ orders, merchantAmount: minor, merchantCurrency: currency }) =>
        hasOrderMismatch(orders as OrderLine[], { minor, currency }),
    }),
    replacesId: t.exposeID('replacesId', {
      ...merchantOnly,
      nullable: true,
      description:
        'The ID of the charge for the same payment that this charge replaced, because the customer chose another method or started again. Null if there is none, and for callers with a client token.',
    }),
    receivingAccount: t.relation('receivingAccount', {
      ...merchantOnly,
      nullable: true,
      description: 'The receiving account that the customer pays to. Null for callers with a client token.',
    }),
  }),
});
