import type { CheckoutSession } from '../../prisma/client/client.ts';
import { filterAvailableMethods } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import { sessionUrl } from '../../src/domain/payments/checkout/checkout-url.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { createSession } from '../../src/domain/payments/session/create-session.ts';
import { sessionStatusAt } from '../../src/domain/payments/session/session-state.ts';
import type { Order } from '../../src/domain/platform/order.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { allowClientToken, buildSessionWhere, merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import {
  getMerchantScope,
  getMerchantTime,
  requireMerchantCaller,
  toAuditContext,
} from '../kit/graphql-context.ts';
import { acknowledge, hintColumns, watchOne } from '../kit/live.ts';
import { toDecimalScalar } from '../scalars.ts';
import { checkoutInputFields } from './checkout-input-fields.ts';
import { CustomerDetailsType } from './customer.ts';
import { OrderType, toOrders } from './order.ts';
import { loadAvailableMethods, PaymentMethodCode } from './payment-method.ts';

const SessionStatus = builder.enumType('SessionStatus', {
  description: 'The status of a session.',
  values: {
    created: { description: 'The customer has not opened the session. It expires after 7 days.' },
    initiated: {
      description: 'The customer has opened the session. It expires after 1 hour without a charge.',
    },
    charged: { description: 'The session has been used and has a charge.' },
    cancelled: { description: 'The session was cancelled by the customer or by you.' },
    expired: { description: 'The session was not used in time.' },
  },
});

const SessionType = builder.prismaNode('CheckoutSession', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A one-time payment session. Send the customer to its `checkoutUrl`.',
  fields: (t) => ({
    status: t.field({
      type: SessionStatus,
      description: 'The status of the session.',
      resolve: (session, _args, context) => sessionStatusAt(session, getMerchantTime(context)),
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount that you charge.',
      resolve: (session) => toDecimalScalar(session.amount, session.currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the amount.' }),
    orders: t.field({
      type: [OrderType],
      description: 'The order lines that the customer pays for.',
      resolve: (session) => session.orders as Order[],
    }),
    methods: t.field({
      type: [PaymentMethodCode],
      description: 'The payment methods offered: those that are available, out of the methods you selected.',
      resolve: async (session, _args, context) => {
        const available = await loadAvailableMethods(context, session.merchantId);
        return filterAvailableMethods(available ?? [], session.methods);
      },
    }),
    checkoutUrl: t.string({
      description: 'The URL to send the customer to.',
      resolve: (session, _args, { service }) => sessionUrl(service, session),
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'The return URL that the button on the customer’s page links to.',
    }),
    charge: t.relation('charge', {
      nullable: true,
      description: 'The charge of the session, once it has been created.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The time until which the session can be used.',
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
      description: 'The callback URL that is notified when the charge of the session completes.',
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      ...merchantOnly,
      nullable: true,
      description: 'Your reference, stored on the charge of the session.',
    }),
    customer: t.field({
      ...merchantOnly,
      type: CustomerDetailsType,
      nullable: true,
      description: 'The details that prefill the customer’s page. The customer can change them.',
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
    description: 'A single session. With a client token, only its own session.',
    args: { id: t.arg.id(idArg) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.checkoutSession.findFirst({ ...query, where: buildSessionWhere(context, id) }),
  }),
  sessions: t.prismaConnection(
    {
      type: SessionType,
      nullable: true,
      ...idPagingOptions,
      description: 'Your sessions, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.checkoutSession.findMany(
          toKeysetQuery(query, 'CheckoutSession', getMerchantScope(context)),
        ),
      totalCount: (_root, _args, context) =>
        context.service.prisma.checkoutSession.count({ where: getMerchantScope(context) }),
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
      'Sends a session immediately and again after each change. If it does not exist, sends null and ends.',
    args: { id: t.arg.id(idArg) },
    subscribe: (_root, { id }, context) =>
      watchOne(context, id, () =>
        context.service.prisma.checkoutSession.findFirst({
          where: buildSessionWhere(context, id),
          select: hintColumns.session,
        }),
      ),
    resolve: async (query, hint, _args, context) => {
      if (!hint) return null;
      const session = await context.service.prisma.checkoutSession.findFirstOrThrow({
        ...query,
        where: { id: hint.id, ...getMerchantScope(context) },
      });
      return acknowledge(hint, session);
    },
  }),
);

const CreateSessionInput = builder.inputType('CreateSessionInput', {
  description: 'The session to create.',
  fields: (t) => ({
    ...checkoutInputFields(t),
    methods: t.field({
      type: [PaymentMethodCode],
      description: 'The payment methods to offer. If empty or omitted, all of your methods are offered.',
    }),
    notifyUrl: t.string({
      description: 'The callback URL that is notified when the charge completes. Must be an https address.',
    }),
  }),
});

const CreateSessionSuccess = builder
  .objectRef<{ session: CheckoutSession }>('CreateSessionSuccess')
  .implement({
    description: 'The created session. Send the customer to its `checkoutUrl`.',
    fields: (t) => ({
      session: t.expose('session', { type: SessionType, description: 'The created session.' }),
      clientToken: t.string({
        description:
          'The token with which your page in the customer’s browser can read, follow and cancel this session and its charge, sent as `Authorization: Bearer <clientToken>`. It expires 24 hours after they have ended.',
        resolve: ({ session }, _args, { service }) => createClientToken(service.secrets, session),
      }),
    }),
  });

builder.mutationField('createSession', (t) =>
  t.field({
    type: CreateSessionSuccess,
    errors: {},
    authScopes: { permission: 'write' },
    description: 'Creates a one-time payment session. Permission: `write`.',
    args: {
      input: t.arg({ type: CreateSessionInput, required: true, description: 'The session to create.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode, actor } = requireMerchantCaller(context);
      const options = {
        merchant,
        mode,
        actor,
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
      session: t.expose('session', { type: SessionType, description: 'The cancelled session.' }),
    }),
  });

builder.mutationField('cancelSession', (t) =>
  t.field({
    type: CancelSessionSuccess,
    errors: {},
    authScopes: (_root, _args, { caller }) =>
      caller.kind === 'page' ? { page: true } : { permission: 'write' },
    description:
      'Cancels a session that has no charge yet. A page with a client token can cancel its own session. Permission: `write`.',
    args: {
      input: t.arg({ type: CancelSessionInput, required: true, description: 'The session to cancel.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller, service } = context;
      const visible = await service.prisma.checkoutSession.count({
        where: buildSessionWhere(context, input.id),
      });
      if (visible === 0) throw new DomainError('session_not_found', `Session not found: ${input.id}`);
      const actor = caller.kind === 'page' ? 'customer' : caller.actor;
      const options = { id: input.id, actor, now: getMerchantTime(context), audit: toAuditContext(context) };
      return { session: await cancelSession(service, options) };
    },
  }),
);
