import type { CheckoutSession } from '../../prisma/client/client.ts';
import { availableOf } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import { sessionUrl } from '../../src/domain/payments/checkout/checkout-url.ts';
import { clientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { createSession } from '../../src/domain/payments/session/create-session.ts';
import { sessionStatusAt } from '../../src/domain/payments/session/session-state.ts';
import type { Order } from '../../src/domain/platform/order.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { alsoForPages, merchantOnly, visibleSession } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { auditContext, merchantCaller, owned, ownNow } from '../kit/graphql-context.ts';
import { hintOf, tell, watchOne } from '../kit/live.ts';
import { decimal } from '../scalars.ts';
import { checkoutTerms } from './checkout-terms.ts';
import { CustomerDetailsType } from './customer.ts';
import { OrderType } from './order.ts';
import { loadAvailable, PaymentMethodCode } from './payment-method.ts';

const SessionStatus = builder.enumType('SessionStatus', {
  description: 'Where a session stands.',
  values: {
    created: { description: 'The customer has not opened it; it expires after 7 days.' },
    initiated: { description: 'The customer has opened it; it expires after 1 hour without a charge.' },
    charged: { description: 'It has been used: see its charge.' },
    cancelled: { description: 'Ended by the customer or by you.' },
    expired: { description: 'Not used in time.' },
  },
});

const SessionType = builder.prismaNode('CheckoutSession', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'A payment session: send the customer to its address. It is used exactly once.',
  fields: (t) => ({
    status: t.field({
      type: SessionStatus,
      description: 'Where it stands.',
      resolve: (session, _args, context) => sessionStatusAt(session, ownNow(context)),
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'What you ask.',
      resolve: (session) => decimal(session.amount, session.currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'What the amount is in.' }),
    orders: t.field({
      type: [OrderType],
      description: 'What is paid for.',
      resolve: (session) => session.orders as Order[],
    }),
    methods: t.field({
      type: [PaymentMethodCode],
      description: 'The payment methods it offers: those available, of the ones you named.',
      resolve: async (session, _args, context) => {
        const available = await loadAvailable(context, session.merchantId);
        return availableOf(available ?? [], session.methods);
      },
    }),
    checkoutUrl: t.string({
      description: 'Where to send the customer.',
      resolve: (session, _args, { service }) => sessionUrl(service, session),
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'Where the button on the customer’s page leads back to.',
    }),
    charge: t.relation('charge', { nullable: true, description: 'Its charge, once there is one.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be used.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    notifyUrl: t.exposeString('notifyUrl', {
      ...merchantOnly,
      nullable: true,
      description: 'Where the callback of its charge’s completion goes.',
    }),
    notifyPayload: t.exposeString('notifyPayload', {
      ...merchantOnly,
      nullable: true,
      description: 'Your own text, stored on its charge.',
    }),
    customer: t.field({
      ...merchantOnly,
      type: CustomerDetailsType,
      nullable: true,
      description: 'Details that prefill the customer’s page, which the customer can change.',
      resolve: (session) => session.customer as CustomerDetails | null,
    }),
  }),
});

const SessionConnection = connectionOf(SessionType, 'CheckoutSession');
const idArg = { required: true, description: 'Its id, `ses_…`.' } as const;

builder.queryFields((t) => ({
  session: t.prismaField({
    ...alsoForPages,
    type: SessionType,
    nullable: true,
    description: 'One session. With a client token: its own.',
    args: { id: t.arg.id(idArg) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.checkoutSession.findFirst({ ...query, where: visibleSession(context, id) }),
  }),
  sessions: t.prismaConnection(
    {
      type: SessionType,
      ...pagedById,
      description: 'Your sessions, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.checkoutSession.findMany(keyset(query, 'CheckoutSession', owned(context))),
      totalCount: (_root, _args, context) =>
        context.service.prisma.checkoutSession.count({ where: owned(context) }),
    },
    SessionConnection,
  ),
}));

builder.subscriptionField('sessionUpdated', (t) =>
  t.prismaField({
    ...alsoForPages,
    type: SessionType,
    nullable: true,
    description: 'One session at once and after each change of it; null, and the end, when there is none.',
    args: { id: t.arg.id(idArg) },
    subscribe: (_root, { id }, context) =>
      watchOne(context, id, () =>
        context.service.prisma.checkoutSession.findFirst({
          where: visibleSession(context, id),
          select: hintOf.session,
        }),
      ),
    resolve: async (query, hint, _args, context) => {
      if (!hint) return null;
      const session = await context.service.prisma.checkoutSession.findFirstOrThrow({
        ...query,
        where: { id: hint.id, ...owned(context) },
      });
      return tell(hint, session);
    },
  }),
);

const CreateSessionInput = builder.inputType('CreateSessionInput', {
  description: 'What the customer is to pay.',
  fields: (t) => ({
    ...checkoutTerms(t),
    methods: t.field({
      type: [PaymentMethodCode],
      description: 'Only these payment methods; none: all of yours.',
    }),
    notifyUrl: t.string({ description: 'Where the callback of completion goes: an https address.' }),
  }),
});

const CreateSessionSuccess = builder
  .objectRef<{ session: CheckoutSession }>('CreateSessionSuccess')
  .implement({
    description: 'The session was made: send the customer to its `checkoutUrl`.',
    fields: (t) => ({
      session: t.expose('session', { type: SessionType, description: 'The session.' }),
      clientToken: t.string({
        description:
          'Lets your page in the customer’s browser see and follow this session and its charge, and cancel: `Authorization: Bearer <clientToken>`. It ends 24 hours after they have.',
        resolve: ({ session }, _args, { service }) => clientToken(service.secrets, session),
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
      input: t.arg({ type: CreateSessionInput, required: true, description: 'What the customer is to pay.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { merchant, mode, actor } = merchantCaller(context);
      const options = { merchant, mode, actor, input, now: ownNow(context), audit: auditContext(context) };
      return { session: await createSession(context.service, options) };
    },
  }),
);

const CancelSessionInput = builder.inputType('CancelSessionInput', {
  description: 'Which session to cancel.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the session, `ses_…`.' }) }),
});

const CancelSessionSuccess = builder
  .objectRef<{ session: CheckoutSession }>('CancelSessionSuccess')
  .implement({
    description: 'The session had no charge and is cancelled now.',
    fields: (t) => ({ session: t.expose('session', { type: SessionType, description: 'The session.' }) }),
  });

builder.mutationField('cancelSession', (t) =>
  t.field({
    type: CancelSessionSuccess,
    errors: {},
    authScopes: (_root, _args, { caller }) =>
      caller.kind === 'page' ? { page: true } : { permission: 'write' },
    description:
      'Cancels a session that has no charge yet. A page with its client token can do so too. Permission: `write`.',
    args: { input: t.arg({ type: CancelSessionInput, required: true, description: 'Which session.' }) },
    resolve: async (_root, { input }, context) => {
      const { caller, service } = context;
      const visible = await service.prisma.checkoutSession.count({
        where: visibleSession(context, input.id),
      });
      if (visible === 0) throw new DomainError('session_not_found', `There is no session ${input.id}`);
      const actor = caller.kind === 'page' ? 'customer' : caller.actor;
      const options = { id: input.id, actor, now: ownNow(context), audit: auditContext(context) };
      return { session: await cancelSession(service, options) };
    },
  }),
);
