import { payInvoice } from '../../src/domain/billing/collection/pay-invoice.ts';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../src/domain/billing/subscription/change-subscription-method.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { enrolIntoPlan } from '../../src/domain/billing/subscription/enrol-into-plan.ts';
import { builder } from '../kit/builder.ts';
import {
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
  toMutationContext,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { ChargeType } from '../payments/charge.ts';
import { CustomerInput } from '../payments/customer.ts';
import { metadataInput } from '../payments/metadata.ts';
import { groupByCountry, PaymentMethodCode } from '../payments/payment-method.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { SubscriptionContractType, subscriptionId } from './subscription.ts';

const enrolmentDescriptions = {
  subscriptionPlanId: 'The ID of the plan, `pl_…`.',
  notifyPayload:
    'Your reference, which is copied to each charge of the subscription. At most 4,096 characters.',
  redirectUrl:
    'The return URL, to which a button on the customer’s payment pages links. It must be an https URL or use one of your `Merchant.redirectSchemes`; in the sandbox, http is allowed too.',
};

const CreateSubscriptionLinkInput = builder.inputType('CreateSubscriptionLinkInput', {
  description: 'The plan in which customers enrol, and the customer’s details if they are known.',
  fields: (t) => ({
    subscriptionPlanId: t.id({ required: true, description: enrolmentDescriptions.subscriptionPlanId }),
    customer: t.field({
      type: CustomerInput,
      description:
        'The customer details with which the form on the enrolment page is prefilled. The customer can change them.',
    }),
    methods: t.field({
      type: [PaymentMethodCode],
      description:
        'The payment methods to offer. Methods that the plan does not offer are ignored. If empty or omitted, all methods of the plan are offered.',
    }),
    notifyPayload: t.string({ description: enrolmentDescriptions.notifyPayload }),
    metadata: t.field(metadataInput),
    redirectUrl: t.string({ description: enrolmentDescriptions.redirectUrl }),
  }),
});

const CreateSubscriptionLinkSuccess = successType('CreateSubscriptionLinkSuccess', {
  description: 'The result of creating an enrolment link. Send customers to the link.',
  fields: {
    url: {
      property: 'subscriptionLink',
      type: 'String',
      description: 'The URL of the enrolment page, to which you send customers.',
    },
  },
});

builder.mutationField('createSubscriptionLink', (t) =>
  t.field({
    type: CreateSubscriptionLinkSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Creates a link with which any number of customers can enrol. The mutation fails with `subscription_plan_not_found`, with `subscription_plan_inactive` if the plan accepts no new subscriptions, or with `method_unavailable`, `amount_out_of_range`, `rate_unavailable` or `rate_stale` if no payment method can be offered. Requires the permission `write`.',
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
      return { subscriptionLink: getEnrolmentUrl(context.service, link) };
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
      description: 'The payment method that the customer uses. The plan must offer it.',
    }),
    customer: t.field({
      type: CustomerInput,
      required: true,
      description:
        'The customer to enrol. Provide an email address, a phone number or both. Without an email address, the phone number must be able to receive SMS.',
    }),
    locale: t.field({
      type: LocaleEnum,
      description:
        'The language of the customer’s emails and invoices. If omitted, it is the language of the payment method’s country.',
    }),
    notifyPayload: t.string({ description: enrolmentDescriptions.notifyPayload }),
    metadata: t.field(metadataInput),
    redirectUrl: t.string({ description: enrolmentDescriptions.redirectUrl }),
  }),
});

const EnrolSuccess = successType('EnrolSuccess', {
  description: 'The result of enrolling a customer. The subscription starts with the first payment.',
  fields: {
    subscription: {
      type: SubscriptionContractType,
      description:
        'The created subscription. Its status is `inactive` until the first payment, or `active` if there is no first payment.',
    },
    charge: {
      type: ChargeType,
      nullable: true,
      description: 'The charge of the first payment. Null if there is no first payment.',
    },
  },
});

builder.mutationField('enrol', (t) =>
  t.field({
    type: EnrolSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Enrols a customer in a plan from your own page, as the enrolment page does. The mutation fails with `subscription_plan_not_found`, with `subscription_plan_inactive` if the plan accepts no new subscriptions, or with `method_unavailable`, `amount_out_of_range`, `rate_unavailable` or `rate_stale` if the amount cannot be charged with the payment method. Requires the permission `write`.',
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
        'The payment method to use. If the pending charge has another method, the charge is replaced. If omitted, the method of the subscription is used.',
    }),
  }),
});

const PayInvoiceSuccess = successType('PayInvoiceSuccess', {
  description: 'The result of requesting the charge of an invoice.',
  fields: {
    charge: { type: ChargeType, description: 'The pending charge with which the customer pays the invoice.' },
  },
});

builder.mutationField('payInvoice', (t) =>
  t.field({
    type: PayInvoiceSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Returns the charge with which an open invoice is paid. This is the pending charge or, if it has expired or you choose another payment method, a new charge. The mutation fails with `invoice_not_found`, with `invoice_not_open` if the invoice is paid or void, or with `method_unavailable`, `amount_out_of_range`, `rate_unavailable` or `rate_stale` if the amount cannot be charged with the payment method. Requires the permission `write`.',
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
  description: 'The subscription and its new payment method.',
  fields: (t) => ({
    id: t.id(subscriptionId),
    method: t.field({
      type: PaymentMethodCode,
      required: true,
      description: 'The payment method for all further payments.',
    }),
  }),
});

const ChangeSubscriptionMethodSuccess = successType('ChangeSubscriptionMethodSuccess', {
  description:
    'The result of changing the payment method. A pending charge with another method was replaced.',
  fields: {
    subscription: {
      type: SubscriptionContractType,
      description: 'The subscription with its new payment method.',
    },
  },
});

builder.mutationField('changeSubscriptionMethod', (t) =>
  t.field({
    type: ChangeSubscriptionMethodSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Changes the payment method for all further payments of a subscription. The mutation fails with `subscription_not_found`, with `subscription_ended` if the subscription is completed or cancelled, or with `method_unavailable`, `amount_out_of_range`, `rate_unavailable` or `rate_stale` if the amount cannot be charged with the payment method. Requires the permission `write`.',
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

const CancelSubscriptionSuccess = successType('CancelSubscriptionSuccess', {
  description:
    'The result of cancelling a subscription. Its pending charges are cancelled, and its open invoice becomes void.',
  fields: {
    subscription: {
      type: SubscriptionContractType,
      description: 'The subscription, with the status `cancelled`.',
    },
  },
});

builder.mutationField('cancelSubscription', (t) =>
  t.field({
    type: CancelSubscriptionSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Cancels a subscription. The mutation fails with `subscription_not_found`, or with `subscription_ended` if the subscription is already completed or cancelled. Requires the permission `write`.',
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
