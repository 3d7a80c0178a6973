import type { Prisma } from '../../prisma/client/client.ts';
import { filterAvailableMethods } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { getSessionUrl } from '../../src/domain/payments/customer-page/checkout-url.ts';
import { getSessionStatusAt, pickCurrentCharge } from '../../src/domain/payments/session/session-state.ts';
import { buildMetadataFilter } from '../../src/domain/platform/metadata.ts';
import { hasOrderMismatch, type OrderLine } from '../../src/domain/platform/order-line.ts';
import { getDisplayName } from '../../src/kit/brand.ts';
import { toLanguage } from '../../src/language/languages.ts';
import { Mode } from '../accounts/merchant.ts';
import { allowClientToken, buildSessionAccessFilter, merchantOnly } from '../kit/access.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  getMerchantTime,
  requireScopedCaller,
} from '../kit/graphql-context.ts';
import { comparedColumns, markAsSent, watchObjectChanges } from '../kit/live.ts';
import { filterArg, metadataFilterFields, parseMetadataFilter } from '../list-filters.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { toDecimalScalar } from '../scalars.ts';
import { ChargeType } from './charge.ts';
import { CustomerDetailsType } from './customer.ts';
import { metadataOutput } from './metadata.ts';
import { OrderType } from './order.ts';
import { loadAvailableMethods, PaymentMethodCode } from './payment-method.ts';
import { findOffers, SessionOfferType } from './session-offer.ts';
import { SessionStatus } from './session-status.ts';

export const SessionType = builder.prismaNode('CheckoutSession', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A one-time payment session. Send the customer to its `checkoutUrl`.',
  fields: (t) => ({
    status: t.field({
      type: SessionStatus,
      description: 'Whether the session can still be used, or how it ended.',
      resolve: (session, _args, context) => getSessionStatusAt(session, getMerchantTime(context)),
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount to charge, in `currency`.',
      resolve: (session) => toDecimalScalar(session.amount, session.currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of `amount`.' }),
    orders: t.field({
      type: [OrderType],
      description: 'The order lines that the customer pays for.',
      resolve: (session) => session.orders as OrderLine[],
    }),
    methods: t.field({
      type: [PaymentMethodCode],
      description:
        'The payment methods that customers can choose from. Selected methods that are currently unavailable are omitted.',
      resolve: async ({ merchantId, methods }, _args, context) =>
        filterAvailableMethods((await loadAvailableMethods(context, merchantId)) ?? [], methods),
    }),
    offers: t.field({
      type: [SessionOfferType],
      nullable: true,
      description:
        'The methods that accept the amount now, each with the amount that the customer would pay. Empty if no method does. Null without the client token of the session.',
      resolve: (session, _args, context) =>
        context.caller.kind === 'clientToken' ? findOffers(session, context) : null,
    }),
    mode: t.expose('mode', { type: Mode, description: 'Whether the session is live or a test.' }),
    merchantName: t.string({
      description: 'Your name as customers see it.',
      resolve: (_session, _args, context) => getDisplayName(requireScopedCaller(context).merchant),
    }),
    checkoutUrl: t.string({
      description: 'The URL of the payment page, to which you send the customer.',
      resolve: (session, _args, { service }) => getSessionUrl(service, session),
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'The return URL, to which a button on the checkout page links. Null if there is none.',
    }),
    cancelUrl: t.exposeString('cancelUrl', {
      nullable: true,
      description:
        'The URL to which the button on the checkout page links if the payment was cancelled or has expired. If null, the button links to `redirectUrl`.',
    }),
    locale: t.field({
      type: LocaleEnum,
      nullable: true,
      description: 'The customer’s language. Null until you or the customer choose one.',
      resolve: ({ language }) => (language === null ? null : toLanguage(language)),
    }),
    hasOrderMismatch: t.boolean({
      ...merchantOnly,
      nullable: true,
      description:
        'Whether the prices of the order lines, times their quantities, add up to an amount other than `amount`. Customers see both, so correct the lines. Null for callers with a client token.',
      resolve: ({ orders, amount: minor, currency }) =>
        hasOrderMismatch(orders as OrderLine[], { minor, currency }),
    }),
    charge: t.field({
      type: ChargeType,
      nullable: true,
      description:
        'The current charge of the session. Null until the customer has chosen a payment method. When the customer chooses another one, a new charge replaces it.',
      select: (_args, _context, nestedSelection) => ({ charges: nestedSelection() }),
      resolve: ({ charges }) => pickCurrentCharge(charges),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The time at which the session expires if it has not been used.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the session was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the session was last updated.',
    }),
    notifyUrl: t.exposeString('notifyUrl', {
      ...merchantOnly,
      nullable: true,
      description:
        'The URL to which a notification is sent when the charge of the session completes. Null if there is none, and for callers with a client token.',
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      ...merchantOnly,
      nullable: true,
      description:
        'Your reference, which is copied to the charge of the session. Null if there is none, and for callers with a client token.',
    }),
    metadata: t.field({
      ...merchantOnly,
      ...metadataOutput,
      description:
        'Your own data, by key. It is copied to the charge of the session. The list is empty if there is none. Null for callers with a client token.',
    }),
    customer: t.field({
      ...merchantOnly,
      type: CustomerDetailsType,
      nullable: true,
      description:
        'The customer details with which the form on the checkout page is prefilled. The customer can change them. Null if there are none, and for callers with a client token.',
      resolve: (session) => session.customer as CustomerDetails | null,
    }),
  }),
});

const SessionConnection = createConnectionType(SessionType, 'CheckoutSession');
const idArg = { required: true, description: 'The ID of the session, `ses_…`.' } as const;

builder.queryFields((t) => ({
  session: t.prismaField({
    ...allowClientToken,
    type: SessionType,
    nullable: true,
    description:
      'Returns the session with this ID, or null if it does not exist. A client token can fetch only the session that it was issued for. Any other ID returns null.',
    args: { id: t.arg.id(idArg) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.checkoutSession.findFirst({
        ...query,
        where: buildSessionAccessFilter(context, id),
      }),
  }),
  sessions: t.prismaConnection(
    {
      type: SessionType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your sessions, newest first.',
      args: {
        filter: t.arg(filterArg(SessionFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.checkoutSession.findMany(
          toKeysetQuery(query, 'CheckoutSession', buildSessionFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.checkoutSession.count({ where: buildSessionFilter(context, filter) }),
    },
    SessionConnection,
  ),
}));

builder.subscriptionField('sessionUpdated', (t) =>
  t.prismaField({
    ...allowClientToken,
    type: SessionType,
    nullable: true,
    description:
      'Sends the session immediately, and again after each change. If the session does not exist, sends null and ends.',
    args: { id: t.arg.id(idArg) },
    subscribe: (_root, { id }, context) =>
      watchObjectChanges(context, id, () =>
        context.service.prisma.checkoutSession.findFirst({
          where: buildSessionAccessFilter(context, id),
          select: comparedColumns.session,
        }),
      ),
    resolve: async (query, change, _args, context) => {
      if (!change) return null;
      const session = await context.service.prisma.checkoutSession.findFirstOrThrow({
        ...query,
        where: { id: change.id, ...getMerchantScope(context) },
      });
      return markAsSent(change, session);
    },
  }),
);

const SessionFilter = builder.inputType('SessionFilter', {
  description:
    'The conditions that the sessions of a list must meet. If several are given, all of them must be met.',
  fields: (t) => metadataFilterFields(t, 'sessions'),
});

function buildSessionFilter(
  context: GraphqlContext,
  filter: InferInput<typeof SessionFilter> | null | undefined,
): Prisma.CheckoutSessionWhereInput {
  const { notifyPayload, metadata } = parseMetadataFilter(filter);
  return {
    ...getMerchantScope(context),
    ...(notifyPayload !== undefined && { notifyPayload }),
    ...buildMetadataFilter(metadata),
  };
}
