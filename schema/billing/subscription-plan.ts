import type { SubscriptionPlan } from '../../prisma/client/client.ts';
import { availableOf } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import {
  countSubscriptions,
  type PlanCounts,
} from '../../src/domain/billing/subscription-plan/count-subscriptions.ts';
import { planWhere } from '../../src/domain/billing/subscription-plan/find-subscription-plans.ts';
import type { Order } from '../../src/domain/platform/order.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { madeWithin, readMadeWithin } from '../list-filters.ts';
import { OrderType } from '../payments/order.ts';
import { loadAvailable, PaymentMethodCode } from '../payments/payment-method.ts';
import { decimal } from '../scalars.ts';

export const SubscriptionPlanStatus = builder.enumType('SubscriptionPlanStatus', {
  description: 'Whether a plan takes new subscriptions.',
  values: {
    active: { description: 'It does.' },
    inactive: { description: 'It does not; those it has go on.' },
  },
});

export const PeriodUnit = builder.enumType('PeriodUnit', {
  description: 'What the time between two payments is counted in.',
  values: {
    days: { description: 'Days.' },
    months: { description: 'Months, keeping the day of the month where the month has it.' },
    years: { description: 'Years, keeping the day of the month where the month has it.' },
  },
});

const RecurringPayment = builder.objectRef<SubscriptionPlan>('RecurringPayment').implement({
  description: 'What is paid each time, and how often.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'How much, in the plan’s currency.',
      resolve: (plan) => decimal(plan.amount, plan.currency),
    }),
    period: t.expose('period', { type: PeriodUnit, description: 'What the time is counted in.' }),
    count: t.exposeInt('count', { description: 'How many periods between two payments, 1 to 400.' }),
  }),
});

const InitialPayment = builder.objectRef<SubscriptionPlan>('InitialPayment').implement({
  description: 'How the first payment differs from the others.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'How much is paid first; `0.00`: nothing. Null: as each time.',
      resolve: ({ initialAmount, currency }) =>
        initialAmount === null ? null : decimal(initialAmount, currency),
    }),
    period: t.expose('initialPeriod', {
      type: PeriodUnit,
      nullable: true,
      description: 'What the time to the second payment is counted in. Null: as each time.',
    }),
    count: t.exposeInt('initialCount', {
      nullable: true,
      description: 'How many periods to the second payment. Null: as each time.',
    }),
  }),
});

const loadCounts = createLoader<PlanCounts>((context, planIds) =>
  countSubscriptions(context.service, { ...owned(context), planIds }),
);

export const SubscriptionPlanType = builder.prismaNode('SubscriptionPlan', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'The terms of a recurring payment, into which customers enrol.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What customers read.' }),
    status: t.expose('status', {
      type: SubscriptionPlanStatus,
      description: 'Whether it takes new subscriptions.',
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'What its amounts are in.' }),
    recurringPayment: t.field({
      type: RecurringPayment,
      description: 'What is paid each time, and how often.',
      resolve: (plan) => plan,
    }),
    initialPayment: t.field({
      type: InitialPayment,
      nullable: true,
      description: 'How the first payment differs; null where it does not.',
      resolve: (plan) => (plan.initialAmount === null && plan.initialPeriod === null ? null : plan),
    }),
    numPayments: t.exposeInt('numPayments', {
      nullable: true,
      description: 'After how many payments it is completed; null: it runs until cancelled.',
    }),
    sendEmail: t.exposeBoolean('sendEmail', {
      description: 'Whether invoices and reminders are mailed to customers.',
    }),
    invoiceNotice: t.exposeInt('invoiceNotice', {
      description: 'How many days before the due date the invoice is made.',
    }),
    gracePeriod: t.exposeInt('gracePeriod', {
      description: 'How many days after the due date an unpaid subscription stays active.',
    }),
    orders: t.field({
      type: [OrderType],
      description: 'What is paid for; it goes on every charge.',
      resolve: (plan) => plan.orders as Order[],
    }),
    methods: t.field({
      type: [PaymentMethodCode],
      description: 'The payment methods it offers: those available, of the ones you named.',
      resolve: async (plan, _args, context) => {
        const available = await loadAvailable(context, plan.merchantId);
        return availableOf(available ?? [], plan.methods);
      },
    }),
    namedMethods: t.field({
      type: [PaymentMethodCode],
      description: 'The payment methods you named, available or not; none: all of yours.',
      resolve: (plan) => plan.methods as MethodCode[],
    }),
    numSubscriptions: t.int({
      ...merchantOnly,
      description: 'How many have ever enrolled. With the first one the terms are fixed.',
      resolve: async ({ id }, _args, context) => (await loadCounts(context, id))?.total ?? 0,
    }),
    numActive: t.int({
      ...merchantOnly,
      description: 'How many of its subscriptions are active.',
      resolve: async ({ id }, _args, context) => (await loadCounts(context, id))?.active ?? 0,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

const SubscriptionPlanFilter = builder.inputType('SubscriptionPlanFilter', {
  description: 'Which plans: those that fit all members given.',
  fields: (t) => ({
    status: t.field({ type: SubscriptionPlanStatus, description: 'Only those of this status.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'Only those in this currency.' }),
    ...madeWithin(t),
  }),
});

const SubscriptionPlanConnection = connectionOf(SubscriptionPlanType, 'SubscriptionPlan');

builder.queryFields((t) => ({
  subscriptionPlan: t.prismaField({
    type: SubscriptionPlanType,
    nullable: true,
    description: 'One subscription plan.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `pl_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.subscriptionPlan.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  subscriptionPlans: t.prismaConnection(
    {
      type: SubscriptionPlanType,
      ...pagedById,
      description: 'Your subscription plans, newest first.',
      args: { filter: t.arg({ type: SubscriptionPlanFilter, description: 'Which ones.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.subscriptionPlan.findMany(
          keyset(query, 'SubscriptionPlan', filterWhere(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.subscriptionPlan.count({ where: filterWhere(context, filter) }),
    },
    SubscriptionPlanConnection,
  ),
}));

function filterWhere(
  context: GraphqlContext,
  filter: InputOf<typeof SubscriptionPlanFilter> | null | undefined,
) {
  const { status, currency } = filter ?? {};
  return planWhere({
    ...owned(context),
    filter: {
      status: status ?? undefined,
      currency: currency ?? undefined,
      ...readMadeWithin(filter),
    },
  });
}
