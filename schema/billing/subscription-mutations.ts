import type { Charge, Subscription } from '../../prisma/client/client.ts';
import { payInvoice } from '../../src/domain/billing/invoice/pay-invoice.ts';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../src/domain/billing/subscription/change-subscription-method.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import type { Enrolment } from '../../src/domain/billing/subscription/enrol.ts';
import { enrolIntoPlan } from '../../src/domain/billing/subscription/enrol-into-plan.ts';
import { builder } from '../kit/builder.ts';
import {
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
  toMutationContext,
} from '../kit/graphql-context.ts';
import { ChargeType } from '../payments/charge.ts';
import { CustomerInput } from '../payments/customer.ts';
import { groupByCountry, PaymentMethodCode } from '../payments/payment-method.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { SubscriptionContractType } from './subscription.ts';

const subscriptionId = { required: true, description: 'The ID of the subscription, `sub_…`.' } as const;
const enrolmentDescriptions = {
  subscriptionPlanId: 'The ID of the plan, `pl_…`.',
  notifyPayload: 'Your reference, stored on each charge of the subscription. At most 4,096 characters.',
  redirectUrl: 'The return URL that the button on the customer’s page links to.',
};

const CreateSubscriptionLinkInput = builder.inputType('CreateSubscriptionLinkInput', {
  description: 'The enrolment link to create.',
  fields: (t) => ({
    subscriptionPlanId: t.id({ required: true, description: enrolmentDescriptions.subscriptionPlanId }),
    customer: t.field({
      type: CustomerInput,
      description: 'The details that prefill the customer’s page. The customer can change them.',
    }),
    methods: t.field({
      type: [PaymentMethodCode],
      description:
        'The payment methods to offer, out of the plan’s methods. If empty or omitted, all of them are offered.',
    }),
    notifyPayload: t.string({ description: enrolmentDescriptions.notifyPayload }),
    redirectUrl: t.string({ description: enrolmentDescriptions.redirectUrl }),
  }),
});

const CreateSubscriptionLinkSuccess = builder
  .objectRef<{ subscriptionLink: string }>('CreateSubscriptionLinkSuccess')
  .implement({
    description: 'The created enrolment link. Send customers to it.',
    fields: (t) => ({
      url: t.exposeString('subscriptionLink', { description: 'The URL to send customers to.' }),
    }),
  });

builder.mutationField('createSubscriptionLink', (t) =>
  t.field({
    type: CreateSubscriptionLinkSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Creates a link with which any number of customers can enrol. Permission: `write`.',
    args: {
      input: t.arg({
        type: CreateSubscriptionLinkInput,
        required: true,
        description: 'The enrolment link to create.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      const { methods, ...rest } = input;
      const change = { now: getMerchantTime(context), audit: toAuditContext(context) };
      const options = {
        merchant,
        mode,
        input: { ...rest, paymentMethods: groupByCountry(methods) },
        ...change,
      };
      const link = await createSubscriptionLink(context.service, options);
      return { subscriptionLink: enrolmentUrl(context.service, link) };
    },
  }),
);

const EnrolInput = builder.inputType('EnrolInput', {
  description: 'The customer to enrol, the plan and the payment method.',
  fields: (t) => ({
    subscriptionPlanId: t.id({ required: true, description: enrolmentDescriptions.subscriptionPlanId }),
    method: t.field({
      type: PaymentMethodCode,
      required: true,
      description: 'The payment method that the customer uses.',
    }),
    customer: t.field({
      type: CustomerInput,
      required: true,
      description: 'The customer to enrol. An email address or a phone number is required.',
    }),
    locale: t.field({
      type: LocaleEnum,
      description:
        'The language of the customer’s emails and invoices. If omitted, the language of the payment method’s country.',
    }),
    notifyPayload: t.string({ description: enrolmentDescriptions.notifyPayload }),
    redirectUrl: t.string({ description: enrolmentDescriptions.redirectUrl }),
  }),
});

const EnrolSuccess = builder.objectRef<Enrolment>('EnrolSuccess').implement({
  description: 'The enrolled customer’s subscription. It starts with the first payment.',
  fields: (t) => ({
    subscription: t.expose('subscription', {
      type: SubscriptionContractType,
      description: 'The subscription.',
    }),
    charge: t.expose('charge', {
      type: ChargeType,
      nullable: true,
      description: 'The charge of the first payment. Null if there is no first payment.',
    }),
  }),
});

builder.mutationField('enrol', (t) =>
  t.field({
    type: EnrolSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Enrols a customer from your own page, as the enrolment page does. Permission: `write`.',
    args: {
      input: t.arg({
        type: EnrolInput,
        required: true,
        description: 'The customer to enrol, the plan and the payment method.',
      }),
    },
    resolve: (_root, { input: { locale, ...input } }, context) => {
      const { merchant, mode, actor } = requireMerchantCaller(context);
      const options = {
        merchant,
        mode,
        actor,
        input: { ...input, language: locale },
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return enrolIntoPlan(context.service, options);
    },
  }),
);

const PayInvoiceInput = builder.inputType('PayInvoiceInput', {
  description: 'The invoice to pay and the payment method.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of an open invoice, `in_…`.' }),
    method: t.field({
      type: PaymentMethodCode,
      description:
        'The payment method to use. A change of method replaces the charge. If omitted, the customer’s last method is used.',
    }),
  }),
});

const PayInvoiceSuccess = builder.objectRef<{ charge: Charge }>('PayInvoiceSuccess').implement({
  description: 'The charge that the invoice is paid with.',
  fields: (t) => ({
    charge: t.expose('charge', {
      type: ChargeType,
      description: 'The charge that the invoice is paid with.',
    }),
  }),
});

builder.mutationField('payInvoice', (t) =>
  t.field({
    type: PayInvoiceSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description:
      'Returns the charge that an open invoice is paid with: the pending charge, or a new one if it has expired or another method is given. Permission: `write`.',
    args: {
      input: t.arg({
        type: PayInvoiceInput,
        required: true,
        description: 'The invoice to pay and the payment method.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const options = { ...toMutationContext(context), id: input.id, method: input.method ?? undefined };
      return { charge: await payInvoice(context.service, options) };
    },
  }),
);

const ChangeSubscriptionMethodInput = builder.inputType('ChangeSubscriptionMethodInput', {
  description: 'The new payment method of a subscription.',
  fields: (t) => ({
    id: t.id(subscriptionId),
    method: t.field({
      type: PaymentMethodCode,
      required: true,
      description: 'The payment method to use from now on.',
    }),
  }),
});

const ChangeSubscriptionMethodSuccess = defineSuccessType(
  'ChangeSubscriptionMethodSuccess',
  'The subscription with its new payment method. A pending charge was replaced.',
);

builder.mutationField('changeSubscriptionMethod', (t) =>
  t.field({
    type: ChangeSubscriptionMethodSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Changes the payment method of a subscription from now on. Permission: `write`.',
    args: {
      input: t.arg({
        type: ChangeSubscriptionMethodInput,
        required: true,
        description: 'The new payment method of the subscription.',
      }),
    },
    resolve: async (_root, { input: { id, method } }, context) => ({
      subscription: await changeSubscriptionMethod(context.service, {
        ...toMutationContext(context),
        id,
        method,
      }),
    }),
  }),
);

const CancelSubscriptionInput = builder.inputType('CancelSubscriptionInput', {
  description: 'The subscription to cancel.',
  fields: (t) => ({ id: t.id(subscriptionId) }),
});

const CancelSubscriptionSuccess = defineSuccessType(
  'CancelSubscriptionSuccess',
  'The cancelled subscription. Its open charge and invoice are cancelled too.',
);

builder.mutationField('cancelSubscription', (t) =>
  t.field({
    type: CancelSubscriptionSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Cancels a subscription. Permission: `write`.',
    args: {
      input: t.arg({
        type: CancelSubscriptionInput,
        required: true,
        description: 'The subscription to cancel.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      subscription: await cancelSubscription(context.service, { ...toMutationContext(context), ...input }),
    }),
  }),
);

function defineSuccessType(name: string, description: string) {
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
