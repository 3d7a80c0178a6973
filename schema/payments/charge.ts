import type { Charge } from '../../prisma/client/client.ts';
import { getPaymentState } from '../../src/domain/payments/charge/charge-state.ts';
import { getRefundableAmount } from '../../src/domain/payments/refund/refund-state.ts';
import type { Order } from '../../src/domain/platform/order.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import type { Destination } from '../../src/method/destination.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { toDecimalScalar } from '../scalars.ts';
import { newestFirst } from './charge-rows.ts';
import { OrderType } from './order.ts';
import { PaymentMethodCode } from './payment-method.ts';

export const ChargeStatus = builder.enumType('ChargeStatus', {
  description: 'The status of a charge.',
  values: {
    pending: { description: 'The charge is waiting for the customer’s money.' },
    completed: { description: 'The charge has been paid.' },
    expired: { description: 'The charge was not paid in time.' },
    cancelled: { description: 'The charge was cancelled before it was paid.' },
  },
});

const PaymentState = builder.enumType('PaymentState', {
  description: 'The amount received compared with the amount charged.',
  values: {
    none: { description: 'No money has been received.' },
    partial: { description: 'Less than the charged amount has been received.' },
    exact: { description: 'Exactly the charged amount has been received.' },
    over: { description: 'More than the charged amount has been received.' },
  },
});

export const DestinationType = builder.objectRef<Destination>('Destination').implement({
  description: 'The payment instructions for the customer. Show them unchanged.',
  fields: (t) => ({
    qrCode: t.exposeString('qrCode', {
      description: 'The content of the QR code that a payment app scans. Empty if the method has no QR code.',
    }),
    account: t.exposeString('account', {
      description: 'The account number, phone number or other identifier that the customer pays to.',
    }),
    paymentReference: t.exposeString('nonce', {
      description:
        'The payment reference that the customer puts into the transfer, by which the payment is matched.',
    }),
    accountName: t.exposeString('accountName', { description: 'The name of the account holder.' }),
    bank: t.exposeString('bank', {
      description: 'The name of the bank or wallet, as the customer’s app shows it.',
    }),
    deepLink: t.string({
      nullable: true,
      description:
        'The link that opens the payment in an app on the same phone. Null if the method has no such link.',
      resolve: (destination) => destination.deepLink,
    }),
  }),
});

const ChargeRate = builder.objectRef<Charge>('ChargeExchangeRate').implement({
  description: 'The exchange rate that was fixed when the charge was created.',
  fields: (t) => ({
    rate: t.field({
      type: 'Decimal',
      description: 'The number of units of the customer’s currency for one unit of the merchant’s currency.',
      resolve: ({ rate }) => rate.toFixed(),
    }),
    source: t.exposeString('rateSource', { description: 'The source of the rate.' }),
    effectiveAt: t.expose('rateAt', {
      type: 'DateTime',
      description: 'The date that the source gives for the rate.',
    }),
  }),
});

export const ChargeType = builder.prismaNode('Charge', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A request for payment, with the instructions that the customer follows.',
  fields: (t) => ({
    status: t.expose('status', { type: ChargeStatus, description: 'The status of the charge.' }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'The payment method that the customer uses.',
      resolve: (charge) => charge.method as MethodCode,
    }),
    merchantAmount: t.field({
      type: 'Decimal',
      description: 'The amount that you charge, in your currency.',
      resolve: (charge) => toDecimalScalar(charge.merchantAmount, charge.merchantCurrency),
    }),
    merchantCurrency: t.expose('merchantCurrency', { type: 'CurrencyCode', description: 'Your currency.' }),
    customerAmount: t.field({
      type: 'Decimal',
      description:
        'The amount that the customer pays, in the currency of the method. It includes `amountOffset`, if any.',
      resolve: (charge) => toDecimalScalar(charge.customerAmount, charge.customerCurrency),
    }),
    amountOffset: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The part of `customerAmount` that was added so that no two open charges of the account have the same amount. The customer must pay exactly `customerAmount`. Null if the amount does not need to be unique.',
      resolve: ({ amountOffset, customerCurrency }) =>
        amountOffset === null ? null : toDecimalScalar(amountOffset, customerCurrency),
    }),
    customerCurrency: t.expose('customerCurrency', {
      type: 'CurrencyCode',
      description: 'The currency of the payment method.',
    }),
    exchangeRate: t.field({
      type: ChargeRate,
      description: 'The exchange rate of the charge.',
      resolve: (charge) => charge,
    }),
    destination: t.field({
      type: DestinationType,
      description: 'The payment instructions for the customer.',
      resolve: (charge) => charge.destination as Destination,
    }),
    orders: t.field({
      type: [OrderType],
      description: 'The order lines that the customer pays for.',
      resolve: (charge) => charge.orders as Order[],
    }),
    amountReceived: t.field({
      type: 'Decimal',
      description: 'The amount received so far, in the customer’s currency.',
      resolve: (charge) => toDecimalScalar(charge.amountReceived, charge.customerCurrency),
    }),
    amountDifference: t.field({
      type: 'Decimal',
      description:
        'The amount received minus the amount charged, in the customer’s currency. Negative while money is missing.',
      resolve: (charge) =>
        toDecimalScalar(charge.amountReceived - charge.customerAmount, charge.customerCurrency),
    }),
    paymentState: t.field({
      type: PaymentState,
      description:
        'The amount received compared with the amount charged. Also `none` for a charge that was completed manually.',
      resolve: getPaymentState,
    }),
    amountRefundable: t.field({
      ...merchantOnly,
      nullable: true,
      type: 'Decimal',
      description:
        'The amount that can still be refunded, in the customer’s currency. Null for a client token.',
      select: { refunds: { select: { status: true, customerAmount: true } } },
      resolve: (charge) =>
        toDecimalScalar(getRefundableAmount(charge, charge.refunds), charge.customerCurrency),
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'The return URL that the button on the customer’s page links to.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The time until which a payment is on time.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the charge completed.',
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
      description: 'The customer’s email address, as given with the charge.',
    }),
    phone: t.exposeString('phone', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s phone number in E.164 format, as given with the charge.',
    }),
    firstName: t.exposeString('firstName', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s first name, as given with the charge.',
    }),
    lastName: t.exposeString('lastName', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s last name, as given with the charge.',
    }),
    customer: t.relation('customer', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer who pays. Null for a client token.',
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      ...merchantOnly,
      nullable: true,
      description: 'Your reference for the charge, returned with notifications.',
    }),
    notifyUrl: t.exposeString('notifyUrl', {
      ...merchantOnly,
      nullable: true,
      description: 'The callback URL that is notified when the charge completes.',
    }),
    session: t.relation('session', {
      ...merchantOnly,
      nullable: true,
      description: 'The session that the charge was created from.',
    }),
    checkoutLink: t.relation('checkoutLink', {
      ...merchantOnly,
      nullable: true,
      description: 'The checkout link that the charge was created from.',
    }),
    subscription: t.relation('subscription', {
      ...merchantOnly,
      nullable: true,
      description: 'The subscription that the charge pays for.',
    }),
    invoice: t.relation('invoice', {
      ...merchantOnly,
      nullable: true,
      description:
        'The invoice that the charge was created for. The first payment of a subscription has no invoice.',
    }),
    receivingAccount: t.relation('receivingAccount', {
      ...merchantOnly,
      nullable: true,
      description: 'The receiving account that the customer pays to. Null for a client token.',
    }),
  }),
});
