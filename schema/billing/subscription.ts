import { manageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { owned } from '../kit/graphql-context.ts';
import { ChargeType } from '../payments/charge.ts';
import { CustomerType } from '../payments/customer.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { InvoiceType } from './invoice.ts';
import { SubscriptionPlanType } from './subscription-plan.ts';

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Where a subscription stands.',
  values: {
    inactive: { description: 'Waiting for a payment: the first, or after a pause the missed one.' },
    active: { description: 'Paid for, or within the days of grace.' },
    completed: { description: 'All payments have been made.' },
    cancelled: { description: 'Ended by you or the customer.' },
  },
});

/** As many as REST shows. */
const newest = { take: 50, orderBy: { id: 'desc' } } as const;

export const SubscriptionContractType = builder.prismaNode('Subscription', {
  name: 'SubscriptionContract',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'A customer’s subscription to a plan. (`Subscription` is the root of live fields.)',
  fields: (t) => ({
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    plan: t.relation('plan', { type: SubscriptionPlanType, description: 'Its terms.' }),
    customer: t.relation('customer', {
      ...merchantOnly,
      type: CustomerType,
      description: 'Who has subscribed.',
    }),
    email: t.exposeString('email', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s e-mail address as given on enrolling.',
    }),
    phone: t.exposeString('phone', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s phone number as given on enrolling, in E.164 form.',
    }),
    firstName: t.exposeString('firstName', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s first name as given on enrolling.',
    }),
    lastName: t.exposeString('lastName', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s last name as given on enrolling.',
    }),
    language: t.exposeString('language', {
      description: 'The language of the customer’s mails and invoices: `en`, `zh` or `th`.',
    }),
    remindersOff: t.exposeBoolean('remindersOff', {
      description: 'Whether the customer wants no reminders; invoices still come.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'How the customer last chose to pay: the next invoice is by this method.',
      resolve: (subscription) => subscription.method as MethodCode,
    }),
    customerCurrency: t.expose('customerCurrency', {
      type: 'CurrencyCode',
      description: 'The currency of that method.',
    }),
    numPaymentsComplete: t.exposeInt('numPaymentsComplete', {
      description: 'How many payments have been made; hold it against the plan’s `numPayments`.',
    }),
    nextPayment: t.expose('nextPayment', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next payment is due; null where none is.',
    }),
    activeUntil: t.expose('activeUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it is paid for; null before it has begun.',
    }),
    openInvoice: t.field({
      type: InvoiceType,
      nullable: true,
      description: 'The invoice that waits to be paid.',
      select: { invoices: { where: { status: 'open' }, take: 1 } },
      resolve: ({ invoices }) => invoices[0] ?? null,
    }),
    invoices: t.relation('invoices', {
      type: InvoiceType,
      description: 'Its newest 50 invoices, newest first.',
      query: newest,
    }),
    charges: t.relation('charges', {
      type: ChargeType,
      description: 'Its newest 50 charges, newest first.',
      query: newest,
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      ...merchantOnly,
      nullable: true,
      description: 'Your own text, stored on each of its charges.',
    }),
    manageUrl: t.string({
      ...merchantOnly,
      description: 'The customer’s page: status, invoices, how it is paid, cancellation.',
      resolve: (subscription, _args, { service }) => manageUrl(service, subscription),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the customer enrolled.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was completed or cancelled.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});
