import type { Charge, Subscription } from '../../prisma/client/client.ts';
import { payInvoice } from '../../src/domain/billing/invoice/pay-invoice.ts';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../src/domain/billing/subscription/change-subscription-method.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import type { Enrolment } from '../../src/domain/billing/subscription/enrol.ts';
import { enrolIntoPlan } from '../../src/domain/billing/subscription/enrol-into-plan.ts';
import { builder } from '../kit/builder.ts';
import { auditContext, changing, merchantCaller, ownNow } from '../kit/graphql-context.ts';
import { ChargeType } from '../payments/charge.ts';
import { CustomerInput } from '../payments/customer.ts';
import { byCountry, PaymentMethodCode } from '../payments/payment-method.ts';
import { SubscriptionContractType } from './subscription.ts';

const subscriptionId = { required: true, description: 'The id of the subscription, `sub_…`.' } as const;
const enrolmentTexts = {
  subscriptionPlanId: 'The plan, `pl_…`.',
  notifyPayload: 'Your own text, stored on each charge of the subscription; at most 4,096 characters.',
  redirectUrl: 'Where the button on the customer’s page leads back to.',
};

const CreateSubscriptionLinkInput = builder.inputType('CreateSubscriptionLinkInput', {
  description: 'Into which plan customers enrol.',
  fields: (t) => ({
    subscriptionPlanId: t.id({ required: true, description: enrolmentTexts.subscriptionPlanId }),
    customer: t.field({
      type: CustomerInput,
      description: 'Details that prefill the customer’s page, which the customer can change.',
    }),
    paymentMethods: t.field({
      type: [PaymentMethodCode],
      description: 'Only these payment methods of the plan’s; none: all of them.',
    }),
    notifyPayload: t.string({ description: enrolmentTexts.notifyPayload }),
    redirectUrl: t.string({ description: enrolmentTexts.redirectUrl }),
  }),
});

const CreateSubscriptionLinkSuccess = builder
  .objectRef<{ subscriptionLink: string }>('CreateSubscriptionLinkSuccess')
  .implement({
    description: 'The link was made: send customers to it.',
    fields: (t) => ({
      subscriptionLink: t.exposeString('subscriptionLink', { description: 'The address to send them to.' }),
    }),
  });

builder.mutationField('createSubscriptionLink', (t) =>
  t.field({
    type: CreateSubscriptionLinkSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Makes a link by which any number of customers can enrol. Permission: `write`.',
    args: {
      input: t.arg({ type: CreateSubscriptionLinkInput, required: true, description: 'Into which plan.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = merchantCaller(context);
      const paymentMethods = byCountry(input.paymentMethods);
      const change = { now: ownNow(context), audit: auditContext(context) };
      const options = { merchant, mode, input: { ...input, paymentMethods }, ...change };
      const link = await createSubscriptionLink(context.service, options);
      return { subscriptionLink: enrolmentUrl(context.service, link) };
    },
  }),
);

const EnrolInput = builder.inputType('EnrolInput', {
  description: 'Who enrols into which plan, and how they pay.',
  fields: (t) => ({
    subscriptionPlanId: t.id({ required: true, description: enrolmentTexts.subscriptionPlanId }),
    method: t.field({ type: PaymentMethodCode, required: true, description: 'How the customer pays.' }),
    customer: t.field({
      type: CustomerInput,
      required: true,
      description: 'Who enrols; needs an e-mail or a phone.',
    }),
    language: t.string({
      description:
        'The language of the customer’s mails and invoices: `en`, `zh` or `th`; left out: that of the payment method’s country.',
    }),
    notifyPayload: t.string({ description: enrolmentTexts.notifyPayload }),
    redirectUrl: t.string({ description: enrolmentTexts.redirectUrl }),
  }),
});

const EnrolSuccess = builder.objectRef<Enrolment>('EnrolSuccess').implement({
  description: 'The customer is enrolled; with the first payment the subscription begins.',
  fields: (t) => ({
    subscription: t.expose('subscription', {
      type: SubscriptionContractType,
      description: 'The subscription.',
    }),
    charge: t.expose('charge', {
      type: ChargeType,
      nullable: true,
      description: 'The charge of the first payment; null where nothing is paid to begin with.',
    }),
  }),
});

builder.mutationField('enrol', (t) =>
  t.field({
    type: EnrolSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Enrols a customer on your own page, as the enrolment page does. Permission: `write`.',
    args: { input: t.arg({ type: EnrolInput, required: true, description: 'Who, and into which plan.' }) },
    resolve: (_root, { input }, context) => {
      const { merchant, mode, actor } = merchantCaller(context);
      const options = { merchant, mode, actor, input, now: ownNow(context), audit: auditContext(context) };
      return enrolIntoPlan(context.service, options);
    },
  }),
);

const PayInvoiceInput = builder.inputType('PayInvoiceInput', {
  description: 'Which invoice, and how it is paid.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The id of an open invoice, `in_…`.' }),
    method: t.field({
      type: PaymentMethodCode,
      description: 'Another payment method, which replaces the charge; left out: the customer’s last one.',
    }),
  }),
});

const PayInvoiceSuccess = builder.objectRef<{ charge: Charge }>('PayInvoiceSuccess').implement({
  description: 'There is a charge by which the invoice is paid.',
  fields: (t) => ({ charge: t.expose('charge', { type: ChargeType, description: 'The charge.' }) }),
});

builder.mutationField('payInvoice', (t) =>
  t.field({
    type: PayInvoiceSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description:
      'The charge by which an open invoice is paid: the pending one, or a new one where it has expired or another method is wanted. Permission: `write`.',
    args: { input: t.arg({ type: PayInvoiceInput, required: true, description: 'Which, and how.' }) },
    resolve: async (_root, { input }, context) => {
      const options = { ...changing(context), id: input.id, method: input.method ?? undefined };
      return { charge: await payInvoice(context.service, options) };
    },
  }),
);

const ChangeSubscriptionMethodInput = builder.inputType('ChangeSubscriptionMethodInput', {
  description: 'How a subscription is paid from now on.',
  fields: (t) => ({
    id: t.id(subscriptionId),
    method: t.field({ type: PaymentMethodCode, required: true, description: 'The payment method.' }),
  }),
});

const ChangeSubscriptionMethodSuccess = successOf(
  'ChangeSubscriptionMethodSuccess',
  'The method has changed; a pending charge was replaced.',
);

builder.mutationField('changeSubscriptionMethod', (t) =>
  t.field({
    type: ChangeSubscriptionMethodSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Changes how a subscription is paid from now on. Permission: `write`.',
    args: { input: t.arg({ type: ChangeSubscriptionMethodInput, required: true, description: 'How.' }) },
    resolve: async (_root, { input: { id, method } }, context) => ({
      subscription: await changeSubscriptionMethod(context.service, { ...changing(context), id, method }),
    }),
  }),
);

const CancelSubscriptionInput = builder.inputType('CancelSubscriptionInput', {
  description: 'Which subscription to end.',
  fields: (t) => ({ id: t.id(subscriptionId) }),
});

const CancelSubscriptionSuccess = successOf(
  'CancelSubscriptionSuccess',
  'The subscription is cancelled, and its open charge and invoice with it.',
);

builder.mutationField('cancelSubscription', (t) =>
  t.field({
    type: CancelSubscriptionSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Ends a subscription. Permission: `write`.',
    args: { input: t.arg({ type: CancelSubscriptionInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => ({
      subscription: await cancelSubscription(context.service, { ...changing(context), ...input }),
    }),
  }),
);

function successOf(name: string, description: string) {
  return builder.objectRef<{ subscription: Subscription }>(name).implement({
    description,
    fields: (t) => ({
      subscription: t.expose('subscription', {
        type: SubscriptionContractType,
        description: 'The subscription.',
      }),
    }),
  });
}
