import { Type } from 'typebox';
import type { CheckoutSession } from '../../prisma/client/client.ts';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { findAvailableMethods } from '../domain/accounts/receiving-account/find-available-methods.ts';
import { createClientToken } from '../domain/payments/customer-page/page-tokens.ts';
import { createSession } from '../domain/payments/session/create-session.ts';
import { getSession, getSessionCharge } from '../domain/payments/session/get-session.ts';
import { getSessionStatusAt } from '../domain/payments/session/session-state.ts';
import { toSessionView } from '../domain/payments/session/to-session-view.ts';
import type { Service } from '../domain/platform/service.ts';
import { DomainError } from '../kit/errors.ts';
import { languageCodes } from '../language/languages.ts';
import { chargeSchema, orderSchema, toChargeJson } from './charge-json.ts';
import { handlePost } from './idempotency.ts';
import {
  customerInputSchema,
  enumSchema,
  getMerchantScope,
  getMerchantTime,
  idParams,
  orderInputSchema,
  toAuditContext,
} from './inputs.ts';
import { metadataSchema } from './metadata.ts';
import { getTimestampFormat, isoTimeSchema, timestampsQuery } from './timestamp.ts';
import type { TypedFastify } from './typed-fastify.ts';

export const sessionSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the session, `ses_…`.' }),
    status: Type.String({
      description: 'The status of the session: `created`, `initiated`, `charged`, `cancelled` or `expired`.',
    }),
    amount: Type.Number({ description: 'The amount to charge, in `currency`.' }),
    currency: Type.String({ description: 'The ISO 4217 code of the currency of `amount`.' }),
    orders: Type.Array(orderSchema, { description: 'The order lines that the customer pays for.' }),
    methods: Type.Array(Type.String(), {
      description:
        'The codes of the payment methods that customers can choose from. Selected methods that are currently unavailable are omitted.',
    }),
    checkoutUrl: Type.String({
      description: 'The URL of the payment page, to which you send the customer.',
    }),
    notifyUrl: Type.Optional(
      Type.String({
        description:
          'The callback URL that is notified when the charge of the session completes. Omitted if there is none.',
      }),
    ),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'Your reference, which is copied to the charge of the session. Omitted if there is none.',
      }),
    ),
    metadata: Type.Optional(metadataSchema),
    redirectUrl: Type.Optional(
      Type.String({
        description:
          'The return URL, to which a button on the checkout page links. Omitted if there is none.',
      }),
    ),
    cancelUrl: Type.Optional(
      Type.String({
        description:
          'The URL to which the button links if the payment was cancelled or has expired. Omitted if it is `redirectUrl`.',
      }),
    ),
    customer: Type.Optional(customerInputSchema),
    clientToken: Type.Optional(
      Type.String({
        description:
          'The token with which your page in the customer’s browser can read, follow, pay and cancel the session over GraphQL. Returned only when the session is created.',
      }),
    ),
    expiresAt: isoTimeSchema('The time at which the session expires if it has not been used.'),
    createdAt: isoTimeSchema('The time at which the session was created.'),
    updatedAt: isoTimeSchema('The time at which the session was last updated.'),
  },
  { title: 'Session', description: 'A one-time payment page for one customer.' },
);

const createBody = Type.Object(
  {
    amount: Type.Number({ description: 'The amount to charge, in major units of `currency`.' }),
    currency: Type.String({ description: 'The ISO 4217 code of the currency of `amount`.' }),
    orders: Type.Optional(
      Type.Array(orderInputSchema, {
        description: 'The order lines that the customer pays for, at most 100.',
      }),
    ),
    methods: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The codes of the payment methods to offer. If empty or omitted, all of your methods are offered.',
      }),
    ),
    notifyUrl: Type.Optional(
      Type.String({
        description:
          'The callback URL that is notified when the charge completes. It must be an https URL; in the sandbox, http is allowed too.',
      }),
    ),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'Your reference for the charge, at most 4,096 characters. The notifications of the charge include it.',
      }),
    ),
    metadata: Type.Optional(metadataSchema),
    redirectUrl: Type.Optional(
      Type.String({
        description:
          'The return URL, to which a button on the checkout page links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too. `{SESSION_ID}` in it is replaced by the ID of the session.',
      }),
    ),
    cancelUrl: Type.Optional(
      Type.String({
        description:
          'The URL to which the button links instead if the payment was cancelled or has expired. The rules of `redirectUrl` apply.',
      }),
    ),
    expiresInMinutes: Type.Optional(
      Type.Integer({
        description:
          'The time in which the customer can start the payment, from 5 minutes to 30 days (43,200). By default, the session expires after 7 days, or an hour after a browser has claimed it.',
      }),
    ),
    customer: Type.Optional(customerInputSchema),
    locale: Type.Optional(
      enumSchema(
        languageCodes,
        'The language of the checkout page and of messages to the customer. By default, the language of their browser.',
      ),
    ),
  },
  { title: 'CreateSessionRequest', description: 'The terms of a new session.', additionalProperties: false },
);

export function registerSessionRoutes(app: TypedFastify, { service, clock }: Context): void {
  const createSchema = {
    summary: 'Create a one-time payment session',
    description:
      'Creates a session, whose checkout page the customer opens to choose a payment method and to pay. A session that is not opened expires after 7 days. Requires the permission `write`.',
    tags: ['Sessions'],
    body: createBody,
    response: { 201: sessionSchema },
  };
  app.post('/sessions', { schema: createSchema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const { merchant, mode, actor } = caller;
    const now = getMerchantTime(clock, caller);
    const input = request.body;
    const audit = toAuditContext(request, clock.now());
    return handlePost(request, reply, {
      service,
      now: clock.now(),
      work: (txService) =>
        asBadRequest(() => createSession(txService, { merchant, mode, actor, input, now, audit })),
      toResponse: async (session, txService) => {
        const clientToken = createClientToken(service.secrets, session);
        return { status: 201, body: { ...(await toSessionJson(txService, session, now)), clientToken } };
      },
    });
  });

  const getSchema = {
    summary: 'Get a session',
    description: 'Returns the session with this ID. Requires the permission `read`.',
    tags: ['Sessions'],
    params: idParams,
    response: { 200: sessionSchema },
  };
  app.get('/sessions/:id', { schema: getSchema }, async (request) => {
    requirePermission(request.caller, 'read');
    const session = await getSession(service, { ...getMerchantScope(request.caller), id: request.params.id });
    return toSessionJson(service, session, getMerchantTime(clock, request.caller));
  });

  const getChargeSchema = {
    summary: 'Get the charge of a session',
    description:
      'Returns the charge of the session, or the error `charge_not_found` if the customer has not chosen a payment method yet. Requires the permission `read`.',
    tags: ['Sessions'],
    params: idParams,
    querystring: Type.Object(timestampsQuery, { additionalProperties: false }),
    response: { 200: chargeSchema },
  };
  app.get('/sessions/:id/charge', { schema: getChargeSchema }, async (request) => {
    requirePermission(request.caller, 'read');
    const charge = await getSessionCharge(service, {
      ...getMerchantScope(request.caller),
      id: request.params.id,
    });
    return toChargeJson(service, charge, getTimestampFormat(request));
  });
}

/** Returns the session with its status at `now`. */
async function toSessionJson(service: Service, session: CheckoutSession, now: Date) {
  const { merchantId, mode } = session;
  const availableMethods = await findAvailableMethods(service, { merchantId, mode });
  return toSessionView(service, { ...session, status: getSessionStatusAt(session, now) }, availableMethods);
}

const remappedStatuses = new Set([404, 409, 422]);

/**
 * Runs the work of `POST /sessions`, which responds 400 with the same code where other routes respond 404, 409 or 422.
 * Errors of the idempotency key keep their status.
 */
async function asBadRequest<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code.startsWith('idempotency_')) throw error;
    throw remappedStatuses.has(error.status) ? new BadRequestError(error) : error;
  }
}

class BadRequestError extends DomainError {
  constructor(error: DomainError) {
    super(error.code, error.message, error.inputErrors);
  }

  override get status(): number {
    return 400;
  }
}
