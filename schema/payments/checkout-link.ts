import type { CheckoutLink } from '../../prisma/client/client.ts';
import { checkoutLinkUrl } from '../../src/domain/payments/checkout/checkout-url.ts';
import { closeCheckoutLink } from '../../src/domain/payments/checkout-link/close-checkout-link.ts';
import { createCheckoutLink } from '../../src/domain/payments/checkout-link/create-checkout-link.ts';
import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import type { Order } from '../../src/domain/platform/order.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { auditContext, merchantCaller, owned, ownNow } from '../kit/graphql-context.ts';
import { decimal } from '../scalars.ts';
import { checkoutTerms } from './checkout-terms.ts';
import { CustomerDetailsType } from './customer.ts';
import { OrderType } from './order.ts';
import { byCountry, PaymentMethodCode } from './payment-method.ts';

const CheckoutLinkType = builder.prismaNode('CheckoutLink', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'An address that does not expire, and can be paid any number of times unless you limit that.',
  fields: (t) => ({
    url: t.string({
      description: 'Where to send customers.',
      resolve: (link, _args, { service }) => checkoutLinkUrl(service, link),
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'What you ask.',
      resolve: (link) => decimal(link.amount, link.currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'What the amount is in.' }),
    orders: t.field({
      type: [OrderType],
      description: 'What is paid for.',
      resolve: (link) => link.orders as Order[],
    }),
    paymentMethods: t.field({
      type: [PaymentMethodCode],
      nullable: true,
      description: 'The payment methods it is limited to; null: all of yours.',
      resolve: (link) => link.paymentMethods as MethodCode[] | null,
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      nullable: true,
      description: 'Your own text, stored on its charges.',
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'Where the button on the customer’s page leads back to.',
    }),
    customer: t.field({
      type: CustomerDetailsType,
      nullable: true,
      description:
        'Details that prefill the customer’s page, which the customer can change. A checkout link uses them only with `usesLimit: 1`.',
      resolve: (link) => link.customer as CustomerDetails | null,
    }),
    uses: t.exposeInt('uses', {
      description:
        'How many of its charges are open or paid. A charge that expires or is cancelled gives its use back; if it is paid later, the use counts again and may exceed the limit.',
    }),
    usesLimit: t.exposeInt('usesLimit', {
      nullable: true,
      description: 'How many of its charges may be open or paid at a time; null: any number.',
    }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When you closed it; null otherwise.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

const CheckoutLinkConnection = connectionOf(CheckoutLinkType, 'CheckoutLink');

builder.queryFields((t) => ({
  checkoutLink: t.prismaField({
    type: CheckoutLinkType,
    nullable: true,
    description: 'One checkout link.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `lnk_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.checkoutLink.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  checkoutLinks: t.prismaConnection(
    {
      type: CheckoutLinkType,
      ...pagedById,
      description: 'Your checkout links, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.checkoutLink.findMany(keyset(query, 'CheckoutLink', owned(context))),
      totalCount: (_root, _args, context) =>
        context.service.prisma.checkoutLink.count({ where: owned(context) }),
    },
    CheckoutLinkConnection,
  ),
}));

const CreateCheckoutLinkInput = builder.inputType('CreateCheckoutLinkInput', {
  description: 'What customers are to pay.',
  fields: (t) => ({
    ...checkoutTerms(t),
    paymentMethods: t.field({
      type: [PaymentMethodCode],
      description: 'Only these payment methods; none: all of yours.',
    }),
    usesLimit: t.int({
      description:
        'How many of its charges may be open or paid at a time, at most 1,000,000; none: any number.',
    }),
  }),
});

const CreateCheckoutLinkSuccess = builder
  .objectRef<{ checkoutLink: CheckoutLink }>('CreateCheckoutLinkSuccess')
  .implement({
    description: 'The link was made: send customers to its `url`.',
    fields: (t) => ({
      checkoutLink: t.expose('checkoutLink', { type: CheckoutLinkType, description: 'The link.' }),
    }),
  });

builder.mutationField('createCheckoutLink', (t) =>
  t.field({
    type: CreateCheckoutLinkSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Creates a checkout link. Permission: `write`.',
    args: {
      input: t.arg({
        type: CreateCheckoutLinkInput,
        required: true,
        description: 'What customers are to pay.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode } = merchantCaller(context);
      const named = byCountry(input.paymentMethods);
      const options = {
        merchant,
        mode,
        input: { ...input, paymentMethods: named },
        now: ownNow(context),
        audit: auditContext(context),
      };
      return { checkoutLink: await createCheckoutLink(context.service, options) };
    },
  }),
);

const CloseCheckoutLinkInput = builder.inputType('CloseCheckoutLinkInput', {
  description: 'Which link to close.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the link, `lnk_…`.' }) }),
});

const CloseCheckoutLinkSuccess = builder
  .objectRef<{ checkoutLink: CheckoutLink }>('CloseCheckoutLinkSuccess')
  .implement({
    description: 'The link is closed: it takes no more charges.',
    fields: (t) => ({
      checkoutLink: t.expose('checkoutLink', { type: CheckoutLinkType, description: 'The link.' }),
    }),
  });

builder.mutationField('closeCheckoutLink', (t) =>
  t.field({
    type: CloseCheckoutLinkSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Closes a checkout link for good. Charges made from it go on. Permission: `write`.',
    args: { input: t.arg({ type: CloseCheckoutLinkInput, required: true, description: 'Which link.' }) },
    resolve: async (_root, { input }, context) => {
      const options = { ...owned(context), id: input.id, now: ownNow(context), audit: auditContext(context) };
      return { checkoutLink: await closeCheckoutLink(context.service, options) };
    },
  }),
);
