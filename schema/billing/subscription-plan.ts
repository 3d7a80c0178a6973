import type { SubscriptionPlan } from '../../prisma/client/client.ts';
import { filterAvailableMethods } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import {
  buildSubscriptionPlanFilter,
  countSubscriptions,
  type PlanCounts,
} from '../../src/domain/billing/subscription-plan/find-subscription-plans.ts';
import { getRecurringMoney, getTax, type Tax } from '../../src/domain/billing/subscription-plan/tax.ts';
import { hasOrderMismatch, type OrderLine } from '../../src/domain/platform/order-line.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { createdBetweenFields, filterArg, inList, parseCreatedBetween } from '../list-filters.ts';
import { OrderType } from '../payments/order.ts';
import { loadAvailableMethods, PaymentMethodCode } from '../payments/payment-method.ts';
import { toDecimalScalar } from '../scalars.ts';

export const SubscriptionPlanStatus = builder.enumType('SubscriptionPlanStatus', {
  description: 'Whether a subscription plan accepts new subscriptions.',
  values: {
    active: { description: 'The plan accepts new subscriptions.' },
    inactive: { description: 'The plan accepts no new subscriptions. Existing subscriptions continue.' },
  },
});

export const PeriodUnit = builder.enumType('PeriodUnit', {
  description: 'The unit of the time between two payments.',
  values: {
    days: { description: 'The time is counted in days.' },
    months: {
      description:
        'The time is counted in months. The day of the month stays the same if the month has that day.',
    },
    years: {
      description:
        'The time is counted in years. The day of the month stays the same if the month has that day.',
    },
  },
});

const RecurringPayment = builder.objectRef<SubscriptionPlan>('RecurringPayment').implement({
  description: 'The amount and frequency of the recurring payment.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of each payment, in the currency of the plan.',
      resolve: (plan) => toDecimalScalar(plan.amount, plan.currency),
    }),
    period: t.expose('period', {
      type: PeriodUnit,
      description: 'The unit of the billing period, such as `months`.',
    }),
    count: t.exposeInt('count', { description: 'The number of units in a billing period, from 1 to 400.' }),
  }),
});

const InitialPayment = builder.objectRef<SubscriptionPlan>('InitialPayment').implement({
  description: 'The terms of the first payment of a subscription, if they differ from the recurring payment.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The amount of the first payment. It is zero if there is no first payment, and null if the first payment has the recurring amount.',
      resolve: ({ initialAmount, currency }) =>
        initialAmount === null ? null : toDecimalScalar(initialAmount, currency),
    }),
    period: t.expose('initialPeriod', {
      type: PeriodUnit,
      nullable: true,
      description:
        'The unit of the time between the first and the second payment. Null if this time is one billing period.',
    }),
    count: t.exposeInt('initialCount', {
      nullable: true,
      description:
        'The number of units between the first and the second payment. Null if this time is one billing period.',
    }),
  }),
});

export const TaxType = builder.objectRef<Tax>('Tax').implement({
  description: 'A tax in the price of a plan or in an invoice.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the tax, such as `GST`.' }),
    rate: t.field({
      type: 'Decimal',
      description: 'The rate in percent, such as `8.25`.',
      resolve: ({ rate }) => rate.toFixed(),
    }),
    isInclusive: t.exposeBoolean('isInclusive', {
      description: 'Whether prices include the tax. Otherwise, the tax is added to them.',
    }),
  }),
});

const loadCounts = createLoader<PlanCounts>((context, planIds) =>
  countSubscriptions(context.service, { ...getMerchantScope(context), planIds }),
);

export const SubscriptionPlanType = builder.prismaNode('SubscriptionPlan', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'The terms of a recurring payment that customers can enrol in.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name that customers see.' }),
    status: t.expose('status', {
      type: SubscriptionPlanStatus,
      description: 'Whether the plan accepts new subscriptions.',
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the amounts.' }),
    recurringPayment: t.field({
      type: RecurringPayment,
      description: 'The amount and frequency of the recurring payment.',
      resolve: (plan) => plan,
    }),
    initialPayment: t.field({
      type: InitialPayment,
      nullable: true,
      description: 'The terms of the first payment. Null if they do not differ from the recurring payment.',
      resolve: (plan) => (plan.initialAmount === null && plan.initialPeriod === null ? null : plan),
    }),
    tax: t.field({
      type: TaxType,
      nullable: true,
      description: 'The tax on the amounts of the plan. Null if there is none.',
      resolve: getTax,
    }),
    totalAmount: t.field({
      type: 'Decimal',
      description: 'The amount of each payment with tax, in the currency of the plan.',
      resolve: (plan) => toDecimalScalar(getRecurringMoney(plan).minor, plan.currency),
    }),
    numPayments: t.exposeInt('numPayments', {
      nullable: true,
      description:
        'The number of payments after which a subscription is completed. Null if subscriptions continue until they are cancelled.',
    }),
    sendEmail: t.exposeBoolean('sendEmail', {
      description: 'Whether invoices and reminders are emailed to customers.',
    }),
    invoiceNoticeDays: t.exposeInt('invoiceNotice', {
      description: 'The number of days between the creation of the invoice and its due date.',
    }),
    gracePeriodDays: t.exposeInt('gracePeriod', {
      description: 'The number of days after the due date for which an unpaid subscription stays active.',
    }),
    orders: t.field({
      type: [OrderType],
      description: 'The order lines that customers pay for, which are copied to every charge.',
      resolve: (plan) => plan.orders as OrderLine[],
    }),
    hasOrderMismatch: t.boolean({
      description:
        'Whether the prices of the order lines, times their quantities, add up to an amount other than the regular price. Customers see both.',
      resolve: ({ orders, amount: minor, currency }) =>
        hasOrderMismatch(orders as OrderLine[], { minor, currency }),
    }),
    methods: t.field({
      type: [PaymentMethodCode],
      description:
        'The payment methods that customers can choose from. Selected methods that are currently unavailable are omitted.',
      resolve: async (plan, _args, context) => {
        const available = await loadAvailableMethods(context, plan.merchantId);
        return filterAvailableMethods(available ?? [], plan.methods);
      },
    }),
    selectedMethods: t.field({
      type: [PaymentMethodCode],
      description:
        'The payment methods that you selected, whether they are available or not. The list is empty if all of your methods are offered.',
      resolve: (plan) => plan.methods as MethodCode[],
    }),
    subscriptionCount: t.int({
      ...merchantOnly,
      description:
        'The number of subscriptions ever created for the plan. After the first one, only `name`, `status`, `orders` and `tax` can change.',
      resolve: async ({ id }, _args, context) => (await loadCounts(context, id))?.total ?? 0,
    }),
    activeSubscriptionCount: t.int({
      ...merchantOnly,
      description: 'The number of active subscriptions of the plan.',
      resolve: async ({ id }, _args, context) => (await loadCounts(context, id))?.active ?? 0,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the plan was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the plan was last updated.',
    }),
  }),
});

const SubscriptionPlanFilter = builder.inputType('SubscriptionPlanFilter', {
  description:
    'The conditions that the subscription plans of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    statuses: t.field({
      type: [SubscriptionPlanStatus],
      description: 'Returns only plans with one of these statuses.',
    }),
    currency: t.field({ type: 'CurrencyCode', description: 'Returns only plans in this currency.' }),
    ...createdBetweenFields(t, 'plans'),
  }),
});

const SubscriptionPlanConnection = createConnectionType(SubscriptionPlanType, 'SubscriptionPlan');

builder.queryFields((t) => ({
  subscriptionPlan: t.prismaField({
    type: SubscriptionPlanType,
    nullable: true,
    description: 'Returns the subscription plan with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the plan, `pl_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.subscriptionPlan.findFirst({
        ...query,
        where: { id, ...getMerchantScope(context) },
      }),
  }),
  subscriptionPlans: t.prismaConnection(
    {
      type: SubscriptionPlanType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your subscription plans, newest first.',
      args: {
        filter: t.arg(filterArg(SubscriptionPlanFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.subscriptionPlan.findMany(
          toKeysetQuery(query, 'SubscriptionPlan', buildPlanListFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.subscriptionPlan.count({ where: buildPlanListFilter(context, filter) }),
    },
    SubscriptionPlanConnection,
  ),
}));

function buildPlanListFilter(
  context: GraphqlContext,
  filter: InferInput<typeof SubscriptionPlanFilter> | null | undefined,
) {
  const { statuses, currency } = filter ?? {};
  const where = buildSubscriptionPlanFilter({
    ...getMerchantScope(context),
    filter: {
      currency: currency ?? undefined,
      ...parseCreatedBetween(filter),
    },
  });
  const status = inList(statuses);
  return { ...where, ...(status && { status }) };
}
