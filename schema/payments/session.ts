import type { CheckoutSession } from '../../prisma/client/client.ts';
import { filterAvailableMethods } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import { getSessionUrl } from '../../src/domain/payments/checkout/checkout-url.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { createSession } from '../../src/domain/payments/session/create-session.ts';
import { pickCurrentCharge } from '../../src/domain/payments/session/pick-current-charge.ts';
import { getSessionStatusAt } from '../../src/domain/payments/session/session-state.ts';
import { hasOrderMismatch, type OrderLine } from '../../src/domain/platform/order-line.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { toLanguage } from '../../src/language/languages.ts';
import { allowClientToken, buildSessionAccessFilter, merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import {
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
} from '../kit/graphql-context.ts';
import { comparedColumns, markAsSent, watchObjectChanges } from '../kit/live.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { toDecimalScalar } from '../scalars.ts';
import { ChargeType } from './charge.ts';
import { checkoutInputFields } from './checkout-input-fields.ts';
import { CustomerDetailsType } from './customer.ts';
import { metadataOutput } from './metadata.ts';
import { OrderType, toOrders } from './order.ts';
import { loadAvailableMethods, PaymentMethodCode } from './payment-method.ts';
import { buildSessionFilter, SessionFilter } from './session-filter.ts';
import { SessionStatus } from './session-status.ts';

const SessionType = builder.prismaNode('CheckoutSession', {
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
        'The URL to which the button links if the payment was cancelled or has expired. Null if it is `redirectUrl`.',
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
        'The callback URL that is notified when the charge of the session completes. Null if there is none, and for callers with a client token.',
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
        'Your own data, which is copied to the charge of the session, by key. Null for callers with a client token.',
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
        filter: t.arg({
          type: SessionFilter,
          description:
            'The conditions that the returned objects must meet. If omitted, all objects are returned.',
        }),
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

const CreateSessionInput = builder.inputType('CreateSessionInput', {
  description: 'The terms of the charge that the customer pays in the new session.',
  fields: (t) => ({
    ...checkoutInputFields(t),
    methods: t.field({
      type: [PaymentMethodCode],
      description: 'The payment methods to offer. If empty or omitted, all of your methods are offered.',
    }),
    notifyUrl: t.string({
      description:
        'The callback URL that is notified when the charge completes. It must be an https URL; in the sandbox, http is allowed too.',
    }),
    cancelUrl: t.string({
      description:
        'The URL to which the button on the page links if the payment was cancelled or has expired. The rules of `redirectUrl` apply. `{SESSION_ID}` in either URL is replaced by the ID of the session.',
    }),
    expiresInMinutes: t.int({
      description:
        'The time in which the customer can start the payment, from 5 minutes to 30 days (43,200). By default, the session expires after 7 days, or an hour after a browser has claimed it.',
    }),
    locale: t.field({
      type: LocaleEnum,
      description: 'The language of the page and of messages. By default, that of the customer’s browser.',
    }),
  }),
});

const CreateSessionSuccess = builder
  .objectRef<{ session: CheckoutSession }>('CreateSessionSuccess')
  .implement({
    description: 'The result of creating a session. Send the customer to the `checkoutUrl` of the session.',
    fields: (t) => ({
      session: t.expose('session', {
        type: SessionType,
        description: 'The created session, with the status `created`.',
      }),
      clientToken: t.string({
        description:
          'The token with which your page in the customer’s browser can read, follow and cancel this session and its charge, sent as `Authorization: Bearer <clientToken>`. The token expires 24 hours after the session and its charge have ended.',
        resolve: ({ session }, _args, { service }) => createClientToken(service.secrets, session),
      }),
    }),
  });

builder.mutationField('createSession', (t) =>
  t.field({
    type: CreateSessionSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description:
      'Creates a one-time payment session. The mutation fails with `method_unavailable`, `amount_out_of_range`, `currency_unsupported`, `rate_unavailable` or `rate_stale` if no payment method can be offered for the amount, and with `target_refused` if `notifyUrl` points to a private address. Requires the permission `write`.',
    args: {
      input: t.arg({ type: CreateSessionInput, required: true, description: 'The session to create.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode, actor } = requireMerchantCaller(context);
      const options = {
        ...{ merchant, mode, actor },
        input: { ...input, orders: toOrders(input.orders) },
        now: getMerchantTime(context),
        audit: toAuditContext(context),
      };
      return { session: await createSession(context.service, options) };
    },
  }),
);

const CancelSessionInput = builder.inputType('CancelSessionInput', {
  description: 'The session to cancel.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the session, `ses_…`.' }) }),
});

const CancelSessionSuccess = builder
  .objectRef<{ session: CheckoutSession }>('CancelSessionSuccess')
  .implement({
    description: 'The result of cancelling a session that had no charge.',
    fields: (t) => ({
      session: t.expose('session', {
        type: SessionType,
        description: 'The session, with the status `cancelled`.',
      }),
    }),
  });

builder.mutationField('cancelSession', (t) =>
  t.field({
    type: CancelSessionSuccess,
    errors: {},
    authScopes: (_root, _args, { caller }) =>
      caller.kind === 'clientToken' ? { clientToken: true } : { permission: 'write' },
    description:
      'Cancels a session that has no charge yet. The mutation fails with `session_not_found`, or with `session_already_used`, `session_cancelled` or `session_expired` if the session has already ended. Requires the permission `write`, or a client token, which can cancel only the session that it was issued for.',
    args: {
      input: t.arg({ type: CancelSessionInput, required: true, description: 'The session to cancel.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller, service } = context;
      const visible = await service.prisma.checkoutSession.count({
        where: buildSessionAccessFilter(context, input.id),
      });
      if (visible === 0) throw new DomainError('session_not_found', `Session not found: ${input.id}`);
      const actor = caller.kind === 'clientToken' ? 'customer' : caller.actor;
      const options = { id: input.id, actor, now: getMerchantTime(context), audit: toAuditContext(context) };
      return { session: await cancelSession(service, options) };
    },
  }),
);
