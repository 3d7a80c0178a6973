import type { SubscriptionPlan } from '../../prisma/client/client.ts';
import { createSubscriptionPlan } from '../../src/domain/billing/subscription-plan/create-subscription-plan.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { builder, type ExtendedTypes } from '../kit/builder.ts';
import { auditContext, merchantCaller, ownNow } from '../kit/graphql-context.ts';
import { OrderInput } from '../payments/order.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { PeriodUnit, SubscriptionPlanStatus, SubscriptionPlanType } from './subscription-plan.ts';

const RecurringPaymentInput = builder.inputType('RecurringPaymentInput', {
  description: 'What is paid each time, and how often.',
  fields: (t) => ({
    amount: t.field({ type: 'Decimal', required: true, description: 'How much, in major units.' }),
    period: t.field({ type: PeriodUnit, required: true, description: 'What the time is counted in.' }),
    count: t.int({ required: true, description: 'How many periods between two payments, 1 to 400.' }),
  }),
});

const InitialPaymentInput = builder.inputType('InitialPaymentInput', {
  description: 'How the first payment differs. `period` and `count` come together.',
  fields: (t) => ({
    amount: t.field({ type: 'Decimal', description: 'How much is paid first; `0`: nothing.' }),
    period: t.field({ type: PeriodUnit, description: 'What the time to the second payment is counted in.' }),
    count: t.int({ description: 'How many periods to the second payment, 1 to 400.' }),
  }),
});

const texts = {
  name: 'What customers read, at most 200 characters.',
  currency: 'What the amounts are in.',
  recurringPayment: 'What is paid each time, and how often.',
  initialPayment: 'How the first payment differs.',
  numPayments: 'After how many payments it is completed; left out: it runs until cancelled.',
  sendEmail: 'Whether invoices and reminders are mailed to customers; true when left out.',
  invoiceNotice: 'How many days before the due date the invoice is made; 2 when left out.',
  gracePeriod: 'How many days after the due date an unpaid subscription stays active; 1 when left out.',
  orders: 'What is paid for, at most 100 orders.',
  methods: 'Only these payment methods; none: all of yours.',
};

/** Terms that may be left out, of a plan that is made as of one that is changed. */
const optionalTerms = (t: PothosSchemaTypes.InputFieldBuilder<ExtendedTypes, 'InputObject'>) => ({
  initialPayment: t.field({ type: InitialPaymentInput, description: texts.initialPayment }),
  numPayments: t.int({ description: texts.numPayments }),
  sendEmail: t.boolean({ description: texts.sendEmail }),
  invoiceNotice: t.int({ description: texts.invoiceNotice }),
  gracePeriod: t.int({ description: texts.gracePeriod }),
  orders: t.field({ type: [OrderInput], description: texts.orders }),
  methods: t.field({ type: [PaymentMethodCode], description: texts.methods }),
});

const CreateSubscriptionPlanInput = builder.inputType('CreateSubscriptionPlanInput', {
  description: 'The terms of a plan.',
  fields: (t) => ({
    name: t.string({ required: true, description: texts.name }),
    currency: t.field({ type: 'CurrencyCode', required: true, description: texts.currency }),
    recurringPayment: t.field({
      type: RecurringPaymentInput,
      required: true,
      description: texts.recurringPayment,
    }),
    ...optionalTerms(t),
  }),
});

const CreateSubscriptionPlanSuccess = successOf('CreateSubscriptionPlanSuccess', 'The plan was made.');

builder.mutationField('createSubscriptionPlan', (t) =>
  t.field({
    type: CreateSubscriptionPlanSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Makes a plan into which customers can enrol. Permission: `manage`.',
    args: {
      input: t.arg({ type: CreateSubscriptionPlanInput, required: true, description: 'The terms.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = merchantCaller(context);
      const options = { merchant, mode, input, now: ownNow(context), audit: auditContext(context) };
      return { subscriptionPlan: await createSubscriptionPlan(context.service, options) };
    },
  }),
);

const UpdateSubscriptionPlanInput = builder.inputType('UpdateSubscriptionPlanInput', {
  description:
    'What to change: what is left out stays, null takes an optional term away. The terms of a plan that has subscriptions are fixed; name, status and orders change at any time.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The id of the plan, `pl_…`.' }),
    status: t.field({ type: SubscriptionPlanStatus, description: 'Whether it takes new subscriptions.' }),
    name: t.string({ description: texts.name }),
    currency: t.field({ type: 'CurrencyCode', description: texts.currency }),
    recurringPayment: t.field({ type: RecurringPaymentInput, description: texts.recurringPayment }),
    ...optionalTerms(t),
  }),
});

const UpdateSubscriptionPlanSuccess = successOf('UpdateSubscriptionPlanSuccess', 'The plan has changed.');

builder.mutationField('updateSubscriptionPlan', (t) =>
  t.field({
    type: UpdateSubscriptionPlanSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Changes a plan. Permission: `manage`.',
    args: {
      input: t.arg({ type: UpdateSubscriptionPlanInput, required: true, description: 'What to change.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = merchantCaller(context);
      const { id, currency, recurringPayment, ...optional } = input;
      const given = {
        ...optional,
        ...(currency != null && { currency }),
        ...(recurringPayment != null && { recurringPayment }),
      };
      const options = {
        merchant,
        mode,
        id,
        input: given,
        now: ownNow(context),
        audit: auditContext(context),
      };
      return { subscriptionPlan: await updateSubscriptionPlan(context.service, options) };
    },
  }),
);

function successOf(name: string, description: string) {
  return builder.objectRef<{ subscriptionPlan: SubscriptionPlan }>(name).implement({
    description,
    fields: (t) => ({
      subscriptionPlan: t.expose('subscriptionPlan', {
        type: SubscriptionPlanType,
        description: 'The plan.',
      }),
    }),
  });
}
