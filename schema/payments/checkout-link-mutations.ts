import { closeCheckoutLink } from '../../src/domain/payments/checkout-link/close-checkout-link.ts';
import { createCheckoutLink } from '../../src/domain/payments/checkout-link/create-checkout-link.ts';
import { updateCheckoutLink } from '../../src/domain/payments/checkout-link/update-checkout-link.ts';
import { builder } from '../kit/builder.ts';
import {
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { checkoutInputFields } from './checkout-input-fields.ts';
import { CheckoutLinkType } from './checkout-link.ts';
import { CustomerInput } from './customer.ts';
import { toOrders } from './order.ts';
import { groupByCountry, PaymentMethodCode } from './payment-method.ts';

const CustomAmountInput = builder.inputType('CustomAmountInput', {
  description: 'The limits of an amount that the customer chooses on the payment page. Both are optional.',
  fields: (t) => ({
    min: t.field({
      type: 'Decimal',
      description:
        'The lowest amount that the customer can choose, in major units. If omitted, there is no minimum.',
    }),
    max: t.field({
      type: 'Decimal',
      description:
        'The highest amount that the customer can choose, in major units. If omitted, there is no maximum.',
    }),
  }),
});

const CreateCheckoutLinkInput = builder.inputType('CreateCheckoutLinkInput', {
  description: 'The terms of the charges that are created from the new checkout link.',
  fields: (t) => ({
    ...checkoutInputFields(t),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount to charge, in major units. Required unless you set `customAmount`.',
    }),
    customAmount: t.field({
      type: CustomAmountInput,
      description:
        'Lets the customer choose the amount on the payment page, between optional limits. Cannot be combined with `amount`.',
    }),
    customer: t.field({
      type: CustomerInput,
      description:
        'The customer details with which the form on the checkout page is prefilled. The customer can change them. They are used only if `usageLimit` is 1.',
    }),
    methods: t.field({
      type: [PaymentMethodCode],
      description: 'The payment methods to offer. If empty or omitted, all of your methods are offered.',
    }),
    name: t.string({
      description:
        'The name under which you find the link, at most 100 characters. Customers see it only on the poster, and as the item of a sale at the counter.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'The time from which the link accepts no more charges, within ten years. If omitted, the link does not expire.',
    }),
    usageLimit: t.int({
      description:
        'The maximum number of charges of the link that can be pending or paid, 1 to 1,000,000. If omitted, there is no limit.',
    }),
  }),
});

const CreateCheckoutLinkSuccess = successType('CreateCheckoutLinkSuccess', {
  description: 'The result of creating a checkout link. Send customers to the `url` of the link.',
  fields: { checkoutLink: { type: CheckoutLinkType, description: 'The created checkout link.' } },
});

builder.mutationField('createCheckoutLink', (t) =>
  t.field({
    type: CreateCheckoutLinkSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Creates a checkout link. The mutation fails with `method_unavailable`, `amount_out_of_range`, `currency_unsupported`, `rate_unavailable` or `rate_stale` if no payment method can be offered for the amount. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: CreateCheckoutLinkInput,
        required: true,
        description: 'The checkout link to create.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      const { methods, usageLimit, orders, ...rest } = input;
      const options = {
        merchant,
        mode,
        input: {
          ...rest,
          paymentMethods: groupByCountry(methods),
          usageLimit: usageLimit,
          orders: toOrders(orders),
        },
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return { checkoutLink: await createCheckoutLink(context.service, options) };
    },
  }),
);

const UpdateCheckoutLinkInput = builder.inputType('UpdateCheckoutLinkInput', {
  description: 'The checkout link and its changes. Omitted fields stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the checkout link, `lnk_…`.' }),
    name: t.string({
      description:
        'The name under which you find the link, at most 100 characters. Customers see it only on the poster, and as the item of a sale at the counter. Null removes it.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'The time from which the link accepts no more charges, within ten years. If null, the link does not expire.',
    }),
  }),
});

const UpdateCheckoutLinkSuccess = successType('UpdateCheckoutLinkSuccess', {
  description: 'The result of changing a checkout link.',
  fields: { checkoutLink: { type: CheckoutLinkType, description: 'The changed checkout link.' } },
});

builder.mutationField('updateCheckoutLink', (t) =>
  t.field({
    type: UpdateCheckoutLinkSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Changes the name and the expiry of a checkout link. A link that has expired accepts charges again if its expiry is moved to the future or removed. A closed link stays closed. The mutation fails with `checkout_link_not_found` if the link does not exist. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: UpdateCheckoutLinkInput,
        required: true,
        description: 'The checkout link and its changes.',
      }),
    },
    resolve: async (_root, { input: { id, ...input } }, context) => {
      const options = {
        ...getMerchantScope(context),
        id,
        input,
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return { checkoutLink: await updateCheckoutLink(context.service, options) };
    },
  }),
);

const CloseCheckoutLinkInput = builder.inputType('CloseCheckoutLinkInput', {
  description: 'The checkout link to close.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the checkout link, `lnk_…`.' }) }),
});

const CloseCheckoutLinkSuccess = successType('CloseCheckoutLinkSuccess', {
  description: 'The result of closing a checkout link. The link accepts no more charges.',
  fields: {
    checkoutLink: { type: CheckoutLinkType, description: 'The checkout link. Its `closedAt` is set.' },
  },
});

builder.mutationField('closeCheckoutLink', (t) =>
  t.field({
    type: CloseCheckoutLinkSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Closes a checkout link permanently. Charges that were created from it are not affected. The mutation fails with `checkout_link_not_found` if the link does not exist. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: CloseCheckoutLinkInput,
        required: true,
        description: 'The checkout link to close.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const options = {
        ...getMerchantScope(context),
        id: input.id,
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return { checkoutLink: await closeCheckoutLink(context.service, options) };
    },
  }),
);
