import type { CheckoutLink } from '../../prisma/client/client.ts';
import { type SharedLink, shareLink } from '../../src/domain/payments/checkout-link/share-link.ts';
import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { getCheckoutLinkUrl } from '../../src/domain/payments/customer-page/checkout-url.ts';
import { hasOrderMismatch, type OrderLine } from '../../src/domain/platform/order-line.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { getMerchantScope, getMerchantTime } from '../kit/graphql-context.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { toDecimalScalar } from '../scalars.ts';
import { CustomerDetailsType } from './customer.ts';
import { metadataOutput } from './metadata.ts';
import { OrderType } from './order.ts';
import { PaymentMethodCode } from './payment-method.ts';

const CustomAmountType = builder.objectRef<CheckoutLink>('CustomAmount').implement({
  description: 'The limits of an amount that the customer chooses on the payment page.',
  fields: (t) => ({
    min: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The lowest amount that the customer can choose, in the currency of the link. Null if there is no minimum.',
      resolve: ({ amountMinimum: minor, currency }) =>
        minor === null ? null : toDecimalScalar(minor, currency),
    }),
    max: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The highest amount that the customer can choose, in the currency of the link. Null if there is no maximum.',
      resolve: ({ amountMaximum: minor, currency }) =>
        minor === null ? null : toDecimalScalar(minor, currency),
    }),
  }),
});

const SharedLinkType = builder.objectRef<SharedLink>('SharedLink').implement({
  description: 'A payment page in one language, and its preview in messengers.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The URL of the payment page in this language.' }),
    title: t.exposeString('title', { description: 'The title of the preview (`og:title`).' }),
    description: t.exposeString('description', {
      description: 'The text of the preview (`og:description`).',
    }),
    siteName: t.exposeString('siteName', { description: 'Your name in the preview (`og:site_name`).' }),
    imageUrl: t.exposeString('imageUrl', {
      nullable: true,
      description: 'The URL of your logo in the preview (`og:image`). Null if you have none.',
    }),
    posterUrl: t.exposeString('posterUrl', {
      description:
        'The URL of a poster to print (PDF, A4) with the QR code and the name of the link. To print it in two languages, add the parameter `second`, such as `&second=en`. Everyone who has this URL can open it.',
    }),
  }),
});

export const CheckoutLinkType = builder.prismaNode('CheckoutLink', {
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
      description:
        'The amount of each charge that is created from the link, in `currency`. Zero if the customer chooses the amount, see `customAmount`.',
      resolve: (link) => toDecimalScalar(link.amount ?? 0n, link.currency),
    }),
    customAmount: t.field({
      type: CustomAmountType,
      nullable: true,
      description:
        'The limits of the amount that the customer chooses. Null if the link has a fixed `amount`.',
      resolve: (link) => (link.amount === null ? link : null),
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
        minor !== null && hasOrderMismatch(orders as OrderLine[], { minor, currency }),
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
      description:
        'Your own data, by key. It is copied to each charge of the link. The list is empty if there is none.',
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
    paidCount: t.exposeInt('paid', {
      description: 'The number of completed charges of the link.',
    }),
    usageLimit: t.exposeInt('usageLimit', {
      nullable: true,
      description:
        'The maximum number of charges of the link that can be pending or paid. Null if there is no limit.',
    }),
    name: t.string({
      nullable: true,
      description:
        'The name under which you find the link. Customers see it only on the poster, and as the item of a sale at the counter. Null if there is none.',
      resolve: ({ name }) => name || null,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time from which the link accepts no more charges. Null if it does not expire.',
    }),
    share: t.field({
      type: SharedLinkType,
      description:
        'The URL of the payment page in one language, with its preview in messengers and its printable poster.',
      args: {
        locale: t.arg({ type: LocaleEnum, required: true, description: 'The language of the customers.' }),
      },
      resolve: async (link, { locale: language }, { service }) => {
        const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id: link.merchantId } });
        return shareLink(service, { link, merchant, language });
      },
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
