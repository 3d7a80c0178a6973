import type { CheckoutLink } from '../../prisma/client/client.ts';
import { getCheckoutLinkUrl } from '../../src/domain/payments/checkout/checkout-url.ts';
import { closeCheckoutLink } from '../../src/domain/payments/checkout-link/close-checkout-link.ts';
import { createCheckoutLink } from '../../src/domain/payments/checkout-link/create-checkout-link.ts';
import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { hasOrderMismatch, type OrderLine } from '../../src/domain/platform/order-line.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import {
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
} from '../kit/graphql-context.ts';
import { toDecimalScalar } from '../scalars.ts';
import { checkoutInputFields } from './checkout-input-fields.ts';
import { CustomerDetailsType, CustomerInput } from './customer.ts';
import { metadataOutput } from './metadata.ts';
import { OrderType, toOrders } from './order.ts';
import { groupByCountry, PaymentMethodCode } from './payment-method.ts';

const CheckoutLinkType = builder.prismaNode('CheckoutLink', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'A reusable payment page. Customers can pay any number of times unless you set `usageLimit` or `expiresAt`.',
  fields: (t) => ({
    url: t.string({
      description: 'The URL of the payment page, to which you send customers.',
      resolve: (link, _args, { service }) => getCheckoutLinkUrl(service, link),
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of each charge that is created from the link, in `currency`.',
      resolve: (link) => toDecimalScalar(link.amount, link.currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of `amount`.' }),
    orders: t.field({
      type: [OrderType],
      description: 'The order lines that the customer pays for.',
      resolve: (link) => link.orders as OrderLine[],
    }),
    hasOrderMismatch: t.boolean({
      description:
        'Whether the prices of the order lines, times their quantities, add up to an amount other than `amount`. Customers see both.',
      resolve: ({ orders, amount: minor, currency }) =>
        hasOrderMismatch(orders as OrderLine[], { minor, currency }),
    }),
    selectedMethods: t.field({
      type: [PaymentMethodCode],
      description:
        'The payment methods that you selected for the link. The list is empty if all of your methods are offered.',
      resolve: (link) => (link.paymentMethods as MethodCode[] | null) ?? [],
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      nullable: true,
      description: 'Your reference, which is copied to each charge of the link. Null if there is none.',
    }),
    metadata: t.field({
      ...metadataOutput,
      description: 'Your own data, which is copied to each charge of the link, by key.',
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'The return URL, to which a button on the checkout page links. Null if there is none.',
    }),
    customer: t.field({
      type: CustomerDetailsType,
      nullable: true,
      description:
        'The customer details with which the form on the checkout page is prefilled. The customer can change them. They are used only if `usageLimit` is 1. Null if there are none.',
      resolve: (link) => link.customer as CustomerDetails | null,
    }),
    usageCount: t.exposeInt('uses', {
      description:
        'The number of charges of the link that are pending or paid. A charge that expires or is cancelled is no longer counted. If such a charge is paid late, it is counted again, even beyond `usageLimit`.',
    }),
    usageLimit: t.exposeInt('usesLimit', {
      nullable: true,
      description:
        'The maximum number of charges of the link that can be pending or paid. Null if there is no limit.',
    }),
    name: t.string({
      nullable: true,
      description: 'The name under which you find the link. Customers do not see it. Null if there is none.',
      resolve: ({ name }) => name || null,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time from which the link accepts no more charges. Null if it does not expire.',
    }),
    isExpired: t.boolean({
      description: 'Whether `expiresAt` has passed.',
      resolve: ({ expiresAt }, _args, context) => expiresAt !== null && expiresAt <= getMerchantTime(context),
    }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which you closed the link. Null if it is open.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the link was created.',
    }),
  }),
});

const CheckoutLinkConnection = createConnectionType(CheckoutLinkType, 'CheckoutLink');

builder.queryFields((t) => ({
  checkoutLink: t.prismaField({
    type: CheckoutLinkType,
    nullable: true,
    description: 'Returns the checkout link with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the checkout link, `lnk_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.checkoutLink.findFirst({
        ...query,
        where: { id, ...getMerchantScope(context) },
      }),
  }),
  checkoutLinks: t.prismaConnection(
    {
      type: CheckoutLinkType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your checkout links, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.checkoutLink.findMany(
          toKeysetQuery(query, 'CheckoutLink', getMerchantScope(context)),
        ),
      totalCount: (_root, _args, context) =>
        context.service.prisma.checkoutLink.count({ where: getMerchantScope(context) }),
    },
    CheckoutLinkConnection,
  ),
}));

const CreateCheckoutLinkInput = builder.inputType('CreateCheckoutLinkInput', {
  description: 'The terms of the charges that are created from the new checkout link.',
  fields: (t) => ({
    ...checkoutInputFields(t),
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
      description: 'The name under which you find the link, at most 100 characters. Customers do not see it.',
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

const CreateCheckoutLinkSuccess = builder
  .objectRef<{ checkoutLink: CheckoutLink }>('CreateCheckoutLinkSuccess')
  .implement({
    description: 'The result of creating a checkout link. Send customers to the `url` of the link.',
    fields: (t) => ({
      checkoutLink: t.expose('checkoutLink', {
        type: CheckoutLinkType,
        description: 'The created checkout link.',
      }),
    }),
  });

builder.mutationField('createCheckoutLink', (t) =>
  t.field({
    type: CreateCheckoutLinkSuccess,
    errors: {},
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
          usesLimit: usageLimit,
          orders: toOrders(orders),
        },
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return { checkoutLink: await createCheckoutLink(context.service, options) };
    },
  }),
);

const CloseCheckoutLinkInput = builder.inputType('CloseCheckoutLinkInput', {
  description: 'The checkout link to close.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the checkout link, `lnk_…`.' }) }),
});

const CloseCheckoutLinkSuccess = builder
  .objectRef<{ checkoutLink: CheckoutLink }>('CloseCheckoutLinkSuccess')
  .implement({
    description: 'The result of closing a checkout link. The link accepts no more charges.',
    fields: (t) => ({
      checkoutLink: t.expose('checkoutLink', {
        type: CheckoutLinkType,
        description: 'The checkout link. Its `closedAt` is set.',
      }),
    }),
  });

builder.mutationField('closeCheckoutLink', (t) =>
  t.field({
    type: CloseCheckoutLinkSuccess,
    errors: {},
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
