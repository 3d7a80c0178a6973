import type { CheckoutSession } from '../../prisma/client/client.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { cancelSession } from '../../src/domain/payments/session/cancel-session.ts';
import { createSession } from '../../src/domain/payments/session/create-session.ts';
import { paySession } from '../../src/domain/payments/session/pay-session.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { buildSessionAccessFilter } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import {
  type GraphqlContext,
  getMerchantTime,
  requireMerchantCaller,
  requireScopedCaller,
  toAuditContext,
} from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { ChargeType } from './charge.ts';
import { checkoutInputFields } from './checkout-input-fields.ts';
import { toOrders } from './order.ts';
import { PaymentMethodCode } from './payment-method.ts';
import { SessionType } from './session.ts';

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
        'The URL to which a notification is sent when the charge completes. It must be an https URL; in the sandbox, http is allowed too.',
    }),
    cancelUrl: t.string({
      description:
        'The URL to which the button on the checkout page links if the payment was cancelled or has expired. The rules of `redirectUrl` apply. If omitted, the button links to `redirectUrl`. `{SESSION_ID}` in either URL is replaced by the ID of the session.',
    }),
    expiresInMinutes: t.int({
      description:
        'The number of minutes in which the customer can start the payment, from 5 to 43,200 (30 days). By default, the session expires after 7 days, or an hour after a browser has claimed it.',
    }),
    locale: t.field({
      type: LocaleEnum,
      description:
        'The language of the checkout page and of messages. The default is the language of the customer’s browser.',
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
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Creates a one-time payment session. The mutation fails with `method_unavailable`, `amount_out_of_range`, `currency_unsupported`, `rate_unavailable` or `rate_stale` if no payment method can be offered for the amount, and with `target_refused` if `notifyUrl` points to a private address. Requires the permission `write`.',
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

const ChargeSessionInput = builder.inputType('ChargeSessionInput', {
  description: 'The customer’s choice on your page.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the session, `ses_…`.' }),
    method: t.field({
      type: PaymentMethodCode,
      required: true,
      description: 'The payment method, one of the `offers` of the session.',
    }),
    email: t.string({
      description: 'The customer’s email address. Required unless the session already has a charge.',
    }),
    locale: t.field({
      type: LocaleEnum,
      description: 'The language of messages to the customer. By default, that of the session.',
    }),
  }),
});

const ChargeSessionSuccess = successType('ChargeSessionSuccess', {
  description: 'The result of choosing a payment method.',
  fields: {
    charge: { type: ChargeType, description: 'The charge, with the payment instructions for the customer.' },
  },
});

builder.mutationField('chargeSession', (t) =>
  t.field({
    type: ChargeSessionSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { clientToken: true },
    description:
      'Creates the charge of a session for the payment method that the customer chose. If the session has an unpaid charge of another method, the new charge replaces it. The mutation fails with `session_not_found`, `session_cancelled`, `session_expired`, `charge_not_pending` if the charge can no longer be replaced, and `method_unavailable`, `amount_out_of_range`, `rate_unavailable` or `rate_stale` if the method does not accept the amount. Requires the client token of the session.',
    args: {
      input: t.arg({ type: ChargeSessionInput, required: true, description: 'The customer’s choice.' }),
    },
    resolve: async (_root, { input: { locale, ...input } }, context) => {
      const { merchant, mode } = requireScopedCaller(context);
      await requireVisibleSession(context, input.id);
      const options = {
        ...input,
        merchant,
        mode,
        language: locale,
        ipAddress: context.ipAddress,
        now: getMerchantTime(context),
      };
      return { charge: await paySession(context.service, options) };
    },
  }),
);

async function requireVisibleSession(context: GraphqlContext, id: string): Promise<void> {
  const where = buildSessionAccessFilter(context, id);
  if ((await context.service.prisma.checkoutSession.count({ where })) === 0)
    throw new DomainError('session_not_found', `Session not found: ${id}`);
}

const CancelSessionInput = builder.inputType('CancelSessionInput', {
  description: 'The session to cancel.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the session, `ses_…`.' }) }),
});

const CancelSessionSuccess = successType('CancelSessionSuccess', {
  description: 'The result of cancelling a session.',
  fields: { session: { type: SessionType, description: 'The session, with the status `cancelled`.' } },
});

builder.mutationField('cancelSession', (t) =>
  t.field({
    type: CancelSessionSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: (_root, _args, { caller }) =>
      caller.kind === 'clientToken' ? { clientToken: true } : { permission: 'write' },
    description:
      'Cancels a session that has no charge yet, or whose charge has expired, so that the customer can no longer pay. To end the payment of a pending charge, use `cancelCharge`. The mutation fails with `session_not_found`, with `session_already_used` if the charge has not expired, or with `session_cancelled` or `session_expired` if the session has already ended. Requires the permission `write`, or a client token, which can cancel only the session that it was issued for.',
    args: {
      input: t.arg({ type: CancelSessionInput, required: true, description: 'The session to cancel.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller, service } = context;
      await requireVisibleSession(context, input.id);
      const actor = caller.kind === 'clientToken' ? 'customer' : caller.actor;
      const options = { id: input.id, actor, now: getMerchantTime(context), audit: toAuditContext(context) };
      return { session: await cancelSession(service, options) };
    },
  }),
);
