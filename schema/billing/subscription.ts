import { getRenewalMoney } from '../../src/domain/billing/subscription/billing-terms.ts';
import { getManageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { findReversedSubscriptions } from '../../src/domain/billing/subscription/find-subscriptions.ts';
import {
  findTermsChanges,
  type TermsChange,
} from '../../src/domain/billing/subscription/find-terms-changes.ts';
import {
  getSubscriptionPhase,
  type SubscriptionPhase,
} from '../../src/domain/billing/subscription/subscription-state.ts';
import { toLanguage } from '../../src/language/languages.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { ChargeType } from '../payments/charge.ts';
import { CustomerType } from '../payments/customer.ts';
import { metadataOutput } from '../payments/metadata.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { toDecimalScalar } from '../scalars.ts';
import { InvoiceType } from './invoice.ts';
import { SubscriptionPlanType } from './subscription-plan.ts';

export const subscriptionId = {
  required: true,
  description: 'The ID of the subscription, `sub_…`.',
} as const;

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Whether a subscription is inactive, active, completed or cancelled.',
  values: {
    inactive: {
      description: 'The subscription is waiting for the first payment, or is paused.',
    },
    active: { description: 'The subscription is paid for or in its grace period.' },
    completed: { description: 'All payments of the plan were completed.' },
    cancelled: { description: 'You or the customer cancelled the subscription.' },
  },
});

export const SubscriptionPhaseEnum = builder.enumType('SubscriptionPhase', {
  description: 'The status of a subscription in more detail.',
  values: {
    awaiting_first_payment: { description: 'The customer has enrolled, but has not paid yet.' },
    active: { description: 'The subscription is paid for or in its grace period.' },
    paused: {
      description:
        'A renewal was not paid before the end of the grace period, or you paused the subscription (`pausedAt`).',
    },
    completed: { description: 'All payments of the plan were completed.' },
    cancelled: { description: 'You or the customer cancelled the subscription.' },
  } satisfies Record<SubscriptionPhase, object>,
});

/** The newest 50 rows, as in REST. */
const newestRows = { take: 50, orderBy: { id: 'desc' } } as const;

const loadReversedPayment = createLoader<boolean>(async (context, ids) => {
  const reversedIds = await findReversedSubscriptions(context.service, getMerchantScope(context), ids);
  return new Map([...reversedIds].map((id) => [id, true]));
});

export const SubscriptionContractType = builder.prismaNode('Subscription', {
  name: 'SubscriptionContract',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'A customer’s subscription to a plan. In this schema, `Subscription` is the root subscription type.',
  fields: (t) => ({
    status: t.expose('status', {
      type: SubscriptionStatus,
      description: 'Whether the subscription is inactive, active, completed or cancelled.',
    }),
    phase: t.field({
      type: SubscriptionPhaseEnum,
      description:
        'The status in more detail. It distinguishes a subscription that was never paid from a paused one.',
      resolve: getSubscriptionPhase,
    }),
    subscriptionPlan: t.relation('plan', {
      type: SubscriptionPlanType,
      description: 'The plan that defines the terms of the subscription.',
    }),
    customer: t.relation('customer', {
      ...merchantOnly,
      type: CustomerType,
      description: 'The customer who enrolled.',
    }),
    email: t.exposeString('email', {
      ...merchantOnly,
      nullable: true,
      description:
        'The customer’s email address, as it was provided at enrolment. Null if it was not provided.',
    }),
    phone: t.exposeString('phone', {
      ...merchantOnly,
      nullable: true,
      description:
        'The customer’s phone number in E.164 format, as it was provided at enrolment. Null if it was not provided.',
    }),
    firstName: t.exposeString('firstName', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s first name, as it was provided at enrolment. Null if it was not provided.',
    }),
    lastName: t.exposeString('lastName', {
      ...merchantOnly,
      nullable: true,
      description: 'The customer’s last name, as it was provided at enrolment. Null if it was not provided.',
    }),
    locale: t.field({
      type: LocaleEnum,
      description: 'The language of the customer’s emails and invoices.',
      resolve: ({ language }) => toLanguage(language),
    }),
    hasOptedOutOfReminders: t.exposeBoolean('remindersDisabled', {
      description: 'Whether the customer has turned reminders off. Invoices are still sent.',
    }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'The payment method that the customer last chose, which the next invoice uses.',
      resolve: (subscription) => subscription.method as MethodCode,
    }),
    customerCurrency: t.expose('customerCurrency', {
      type: 'CurrencyCode',
      description: 'The currency in which the customer pays, which is the currency of the payment method.',
    }),
    numPaymentsComplete: t.exposeInt('numPaymentsComplete', {
      description: 'The number of payments completed so far. The plan’s `numPayments` is their total number.',
    }),
    nextPaymentAt: t.expose('nextPayment', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the next payment is due. Null if no payment is due.',
    }),
    hasReversedPayment: t.boolean({
      ...merchantOnly,
      description:
        'Whether money of a paid charge was reversed by the bank, or undone with its statement, and was neither paid again nor reviewed. `activeUntil` does not change.',
      resolve: async ({ id }, _args, context) => (await loadReversedPayment(context, id)) ?? false,
    }),
    price: t.field({
      type: 'Decimal',
      description:
        'The recurring price, in the currency of the plan. Like the amounts of the plan, it may exclude tax.',
      resolve: ({ amount, plan }) => toDecimalScalar(amount, plan.currency),
      select: { plan: true },
    }),
    totalAmount: t.field({
      type: 'Decimal',
      description: 'The amount of the next invoice with tax, in the currency of the plan.',
      resolve: ({ plan, ...subscription }) =>
        toDecimalScalar(getRenewalMoney({ subscription, plan }).minor, plan.currency),
      select: { plan: true },
    }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which you paused the subscription. Null if you have not paused it, even if it is paused because of a missed payment.',
    }),
    resumesAt: t.expose('resumesAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which a subscription that you paused resumes automatically. Null if it is not paused, or paused until you resume it.',
    }),
    activeUntil: t.expose('activeUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'The end of the current period, which was paid for, skipped or free. Null if the subscription has not started.',
    }),
    openInvoice: t.field({
      type: InvoiceType,
      nullable: true,
      description: 'The invoice that has not been paid yet. Null if there is none.',
      select: { invoices: { where: { status: 'open' }, take: 1 } },
      resolve: ({ invoices }) => invoices[0] ?? null,
    }),
    recentInvoices: t.relation('invoices', {
      type: InvoiceType,
      description: 'The newest 50 invoices of the subscription, newest first.',
      query: newestRows,
    }),
    recentCharges: t.relation('charges', {
      type: ChargeType,
      description: 'The newest 50 charges of the subscription, newest first.',
      query: newestRows,
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      ...merchantOnly,
      nullable: true,
      description:
        'Your reference, which is copied to each charge of the subscription. Null if there is none.',
    }),
    metadata: t.field({
      ...merchantOnly,
      ...metadataOutput,
      description:
        'Your own data, by key. It is copied to each charge of the subscription. The list is empty if there is none.',
    }),
    manageUrl: t.string({
      ...merchantOnly,
      description:
        'The URL of the page on which the customer sees the status and the invoices, and can change the payment method or cancel.',
      resolve: (subscription, _args, { service }) => getManageUrl(service, subscription),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the customer enrolled.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the subscription was completed or cancelled. Null until then.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the subscription was last updated.',
    }),
  }),
});

const SubscriptionTermsChangeType = builder.objectRef<TermsChange>('SubscriptionTermsChange').implement({
  description: 'Your change of the plan or the price of a subscription.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The ID of the event of the change, `evt_…`.' }),
    planBefore: t.expose('planBefore', {
      type: SubscriptionPlanType,
      description: 'The plan before the change.',
    }),
    priceBefore: t.expose('priceBefore', {
      type: 'Decimal',
      description: 'The amount of a renewal with tax before the change, in the currency of the plan.',
    }),
    planAfter: t.expose('planAfter', {
      type: SubscriptionPlanType,
      description: 'The plan since the change. It is the same as `planBefore` if only the price changed.',
    }),
    priceAfter: t.expose('priceAfter', {
      type: 'Decimal',
      description: 'The amount of a renewal with tax since the change, in the currency of the plan.',
    }),
  }),
});

const loadTermsChanges = createLoader(async ({ service, ...context }, ids) =>
  findTermsChanges(service, { ...getMerchantScope(context), ids }),
);

builder.prismaObjectField(SubscriptionContractType, 'termsChanges', (t) =>
  t.field({
    ...merchantOnly,
    type: [SubscriptionTermsChangeType],
    description: 'Your changes of the plan or the price, oldest first.',
    resolve: async ({ id }, _args, context) => (await loadTermsChanges(context, id)) ?? [],
  }),
);
