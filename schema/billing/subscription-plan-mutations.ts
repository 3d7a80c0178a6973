import { createSubscriptionPlan } from '../../src/domain/billing/subscription-plan/create-subscription-plan.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { builder, type ExtendedTypes } from '../kit/builder.ts';
import { getMerchantTime, requireMerchantCaller, toAuditContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { OrderInput, toOrders } from '../payments/order.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { PeriodUnit, SubscriptionPlanStatus, SubscriptionPlanType } from './subscription-plan.ts';

const RecurringPaymentInput = builder.inputType('RecurringPaymentInput', {
  description: 'The amount and frequency of the recurring payment.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount of each payment, in major units.',
    }),
    period: t.field({
      type: PeriodUnit,
      required: true,
      description: 'The unit of the billing period, such as `months`.',
    }),
    count: t.int({ required: true, description: 'The number of units in a billing period, from 1 to 400.' }),
  }),
});

const InitialPaymentInput = builder.inputType('InitialPaymentInput', {
  description:
    'The terms of the first payment, if they differ from the recurring payment. Provide both `period` and `count`, or neither.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description:
        'The amount of the first payment, in major units. Provide `0` if there is no first payment. If omitted, it is the recurring amount.',
    }),
    period: t.field({
      type: PeriodUnit,
      description:
        'The unit of the time between the first and the second payment. If omitted, it is the unit of the billing period.',
    }),
    count: t.int({
      description:
        'The number of units between the first and the second payment, from 1 to 400. If omitted, it is the number of units of the billing period.',
    }),
  }),
});

const TaxInputType = builder.inputType('TaxInput', {
  description: 'A tax on the amounts of a plan.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'The name of the tax on invoices, such as `GST`, at most 30 characters.',
    }),
    rate: t.field({
      type: 'Decimal',
      required: true,
      description: 'The rate in percent, above 0 and up to 100, with at most 4 decimals.',
    }),
    isInclusive: t.boolean({
      description:
        'Whether the amounts of the plan include the tax, which is the default. Otherwise, customers pay it in addition.',
    }),
  }),
});

const descriptions = {
  name: 'The name that customers see, at most 200 characters.',
  currency: 'The currency of the amounts.',
  recurringPayment: 'The amount and frequency of the recurring payment.',
  initialPayment: 'The terms of the first payment. If null, they do not differ from the recurring payment.',
  numPayments:
    'The number of payments after which a subscription is completed, 1 to 10,000. By default, subscriptions continue until they are cancelled.',
  sendEmail: 'Whether invoices and reminders are emailed to customers. The default is true.',
  invoiceNotice:
    'The number of days between the creation of the invoice and its due date, 0 to 400. The default is 2.',
  gracePeriod:
    'The number of days after the due date for which an unpaid subscription stays active, 0 to 400. The default is 1.',
  orders: 'The order lines that customers pay for, at most 100.',
  tax: 'The tax on the amounts. If null, no tax is added or shown.',
  methods: 'The payment methods to offer. An empty list, which is the default, offers all of your methods.',
};

/** The optional fields that the inputs for creating and updating a plan share. */
const optionalTerms = (t: PothosSchemaTypes.InputFieldBuilder<ExtendedTypes, 'InputObject'>) => ({
  initialPayment: t.field({ type: InitialPaymentInput, description: descriptions.initialPayment }),
  numPayments: t.int({ description: descriptions.numPayments }),
  sendEmail: t.boolean({ description: descriptions.sendEmail }),
  invoiceNoticeDays: t.int({ description: descriptions.invoiceNotice }),
  gracePeriodDays: t.int({ description: descriptions.gracePeriod }),
  orders: t.field({ type: [OrderInput], description: descriptions.orders }),
  methods: t.field({ type: [PaymentMethodCode], description: descriptions.methods }),
  tax: t.field({ type: TaxInputType, description: descriptions.tax }),
});

type OptionalTerms = {
  invoiceNoticeDays?: number | null | undefined;
  gracePeriodDays?: number | null | undefined;
  orders?: Parameters<typeof toOrders>[0];
};

/** Renames two fields to the names of the domain and REST, which lack the unit. */
function toTerms<Fields extends OptionalTerms>({ invoiceNoticeDays, gracePeriodDays, ...input }: Fields) {
  return {
    ...input,
    invoiceNotice: invoiceNoticeDays,
    gracePeriod: gracePeriodDays,
    orders: toOrders(input.orders),
  };
}

const CreateSubscriptionPlanInput = builder.inputType('CreateSubscriptionPlanInput', {
  description: 'The terms of the new plan.',
  fields: (t) => ({
    name: t.string({ required: true, description: descriptions.name }),
    currency: t.field({ type: 'CurrencyCode', required: true, description: descriptions.currency }),
    recurringPayment: t.field({
      type: RecurringPaymentInput,
      required: true,
      description: descriptions.recurringPayment,
    }),
    ...optionalTerms(t),
  }),
});

const CreateSubscriptionPlanSuccess = successType('CreateSubscriptionPlanSuccess', {
  description: 'The result of creating a plan. Customers can enrol in the plan immediately.',
  fields: {
    subscriptionPlan: {
      type: SubscriptionPlanType,
      description: 'The created plan, with the status `active`.',
    },
  },
});

builder.mutationField('createSubscriptionPlan', (t) =>
  t.field({
    type: CreateSubscriptionPlanSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'manage' },
    description:
      'Creates a plan that customers can enrol in. The mutation fails with `method_unavailable`, `amount_out_of_range`, `currency_unsupported`, `rate_unavailable` or `rate_stale` if no payment method can be offered for the amounts. Requires the permission `manage`.',
    args: {
      input: t.arg({ type: CreateSubscriptionPlanInput, required: true, description: 'The plan to create.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      const options = {
        merchant,
        mode,
        input: toTerms(input),
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return { subscriptionPlan: await createSubscriptionPlan(context.service, options) };
    },
  }),
);

const UpdateSubscriptionPlanInput = builder.inputType('UpdateSubscriptionPlanInput', {
  description:
    'The changes to a plan. Omitted fields remain unchanged, and null restores the default of an optional field. After the first enrolment, only `name`, `status`, `orders` and `tax` can change.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the plan, `pl_…`.' }),
    status: t.field({
      type: SubscriptionPlanStatus,
      description:
        'The new status, which opens (`active`) or closes (`inactive`) the plan for new subscriptions.',
    }),
    name: t.string({ description: descriptions.name }),
    currency: t.field({ type: 'CurrencyCode', description: descriptions.currency }),
    recurringPayment: t.field({ type: RecurringPaymentInput, description: descriptions.recurringPayment }),
    ...optionalTerms(t),
    tax: t.field({
      type: TaxInputType,
      description: `${descriptions.tax} A change applies from the next invoice on.`,
    }),
  }),
});

const UpdateSubscriptionPlanSuccess = successType('UpdateSubscriptionPlanSuccess', {
  description: 'The result of updating a plan. The changes apply to new enrolments and charges.',
  fields: { subscriptionPlan: { type: SubscriptionPlanType, description: 'The updated plan.' } },
});

builder.mutationField('updateSubscriptionPlan', (t) =>
  t.field({
    type: UpdateSubscriptionPlanSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'manage' },
    description:
      'Updates a plan. The mutation fails with `subscription_plan_not_found`, with `plan_terms_fixed` if terms would change after the first enrolment, or with `method_unavailable`, `amount_out_of_range`, `currency_unsupported`, `rate_unavailable` or `rate_stale` if no payment method can be offered for the new amounts. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: UpdateSubscriptionPlanInput,
        required: true,
        description: 'The changes to the plan.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      const { id, currency, recurringPayment, ...optional } = input;
      const changes = {
        ...toTerms(optional),
        ...(currency != null && { currency }),
        ...(recurringPayment != null && { recurringPayment }),
      };
      const options = {
        merchant,
        mode,
        id,
        input: changes,
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return { subscriptionPlan: await updateSubscriptionPlan(context.service, options) };
    },
  }),
);
