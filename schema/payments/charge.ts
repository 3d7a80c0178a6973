import type { Charge } from '../../prisma/client/client.ts';
import { paymentState } from '../../src/domain/payments/charge/charge-state.ts';
import { amountRefundable } from '../../src/domain/payments/refund/refund-state.ts';
import type { Order } from '../../src/domain/platform/order.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import type { Destination } from '../../src/method/destination.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { owned } from '../kit/graphql-context.ts';
import { decimal } from '../scalars.ts';
import { newestFirst } from './charge-rows.ts';
import { OrderType } from './order.ts';
import { PaymentMethodCode } from './payment-method.ts';

export const ChargeStatus = builder.enumType('ChargeStatus', {
  description: 'Where a charge stands.',
  values: {
    pending: { description: 'Waiting for the customer’s money.' },
    completed: { description: 'Paid.' },
    expired: { description: 'Not paid in time.' },
    cancelled: { description: 'Cancelled before it was paid.' },
  },
});

const PaymentState = builder.enumType('PaymentState', {
  description: 'What has been received, held against what was asked.',
  values: {
    none: { description: 'Nothing.' },
    partial: { description: 'Less than was asked.' },
    exact: { description: 'What was asked.' },
    over: { description: 'More than was asked.' },
  },
});

export const DestinationType = builder.objectRef<Destination>('Destination').implement({
  description: 'How the customer pays: show it as it is.',
  fields: (t) => ({
    qrCode: t.exposeString('qrCode', {
      description: 'What a payment app scans; empty where the method has no code.',
    }),
    account: t.exposeString('account', {
      description: 'Where to pay to: an account, phone or other number.',
    }),
    nonce: t.exposeString('nonce', {
      description: 'The word the customer attaches to the payment, by which it is found again.',
    }),
    accountName: t.exposeString('accountName', { description: 'The holder of the account.' }),
    bank: t.exposeString('bank', { description: 'The bank or wallet, as the customer’s app shows it.' }),
    deepLink: t.string({
      nullable: true,
      description: 'Opens the payment in an app on the same phone, where the method has such a link.',
      resolve: (destination) => destination.deepLink,
    }),
  }),
});

const ChargeRate = builder.objectRef<Charge>('ChargeRate').implement({
  description: 'The exchange rate frozen on a charge.',
  fields: (t) => ({
    rate: t.field({
      type: 'Decimal',
      description: 'Units of the customer’s currency for one unit of the merchant’s.',
      resolve: ({ rate }) => rate.toFixed(),
    }),
    source: t.exposeString('rateSource', { description: 'Where it comes from.' }),
    at: t.expose('rateAt', { type: 'DateTime', description: 'The date that the source gives it.' }),
  }),
});

/** One charge: what is asked of whom, how it is paid, and what has come of it. */
export const ChargeType = builder.prismaNode('Charge', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'A request for payment, with the instructions the customer follows.',
  fields: (t) => ({
    status: t.expose('status', { type: ChargeStatus, description: 'Where it stands.' }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'How the customer pays.',
      resolve: (charge) => charge.method as MethodCode,
    }),
    merchantAmount: t.field({
      type: 'Decimal',
      description: 'What you ask, in your currency.',
      resolve: (charge) => decimal(charge.merchantAmount, charge.merchantCurrency),
    }),
    merchantCurrency: t.expose('merchantCurrency', { type: 'CurrencyCode', description: 'Your currency.' }),
    customerAmount: t.field({
      type: 'Decimal',
      description:
        'What the customer pays, in the currency of the method, with what was added to tell the payment from others.',
      resolve: (charge) => decimal(charge.customerAmount, charge.customerCurrency),
    }),
    amountAdded: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'What of `customerAmount` was added so that no two open charges of the account ask the same: the customer must pay exactly `customerAmount`. Null where the amount need not be unique.',
      resolve: ({ amountAdded, customerCurrency }) =>
        amountAdded === null ? null : decimal(amountAdded, customerCurrency),
    }),
    customerCurrency: t.expose('customerCurrency', {
      type: 'CurrencyCode',
      description: 'The currency of the method.',
    }),
    rate: t.field({
      type: ChargeRate,
      description: 'The frozen exchange rate.',
      resolve: (charge) => charge,
    }),
    destination: t.field({
      type: DestinationType,
      description: 'How the customer pays.',
      resolve: (charge) => charge.destination as Destination,
    }),
    orders: t.field({
      type: [OrderType],
      description: 'What is paid for.',
      resolve: (charge) => charge.orders as Order[],
    }),
    amountReceived: t.field({
      type: 'Decimal',
      description: 'What has been received, in the customer’s currency.',
      resolve: (charge) => decimal(charge.amountReceived, charge.customerCurrency),
    }),
    amountDifference: t.field({
      type: 'Decimal',
      description: 'What has been received less what was asked: below zero while something is missing.',
      resolve: (charge) => decimal(charge.amountReceived - charge.customerAmount, charge.customerCurrency),
    }),
    paymentState: t.field({
      type: PaymentState,
      description: 'What has been received, held against what was asked. `none` also when completed by hand.',
      resolve: paymentState,
    }),
    amountRefundable: t.field({
      ...merchantOnly,
      type: 'Decimal',
      description: 'What can still be refunded, in the customer’s currency.',
      select: { refunds: { select: { status: true, customerAmount: true } } },
      resolve: (charge) => decimal(amountRefundable(charge, charge.refunds), charge.customerCurrency),
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'Where the button on the customer’s page leads back to.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be paid in time.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it completed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    refunds: t.relation('refunds', {
      description: 'Its refunds, newest first.',
      query: newestFirst,
    }),
    email: t.exposeString('email', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s e-mail address as given with the charge.',
    }),
    phone: t.exposeString('phone', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s phone number as given with the charge, in E.164 form.',
    }),
    firstName: t.exposeString('firstName', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s first name as given with the charge.',
    }),
    lastName: t.exposeString('lastName', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s last name as given with the charge.',
    }),
    customer: t.relation('customer', {
      ...merchantOnly,
      description: 'Who pays.',
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      ...merchantOnly,
      nullable: true,
      description: 'Your own text, returned with notifications.',
    }),
    notifyUrl: t.exposeString('notifyUrl', {
      ...merchantOnly,
      nullable: true,
      description: 'Where the callback of its completion goes.',
    }),
    session: t.relation('session', {
      ...merchantOnly,
      nullable: true,
      description: 'The session it was made from.',
    }),
    checkoutLink: t.relation('checkoutLink', {
      ...merchantOnly,
      nullable: true,
      description: 'The checkout link it was made from.',
    }),
    subscription: t.relation('subscription', {
      ...merchantOnly,
      nullable: true,
      description: 'The subscription it pays for.',
    }),
    invoice: t.relation('invoice', {
      ...merchantOnly,
      nullable: true,
      description: 'The invoice it was made for; the first payment of a subscription has none.',
    }),
    receivingAccount: t.relation('receivingAccount', {
      ...merchantOnly,
      description: 'The account of yours that it is paid to.',
    }),
  }),
});
