import { Type } from 'typebox';
import type { CheckoutSession } from '../../prisma/client/client.ts';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { findAvailableMethods } from '../domain/accounts/receiving-account/find-available-methods.ts';
import { createSession } from '../domain/payments/session/create-session.ts';
import { getSession, getSessionCharge } from '../domain/payments/session/get-session.ts';
import { sessionObject } from '../domain/payments/session/session-object.ts';
import { sessionStatusAt } from '../domain/payments/session/session-state.ts';
import type { Service } from '../domain/platform/service.ts';
import { asBadRequest } from './bad-request.ts';
import { chargeSchema, orderSchema, toChargeJson } from './charge-json.ts';
import { answerPost } from './idempotency.ts';
import { auditContext, customerInputSchema, idParams, orderInputSchema, owned, ownNow } from './inputs.ts';
import type { ApiScope } from './scope.ts';
import { timestampForm, timestampsQuery } from './timestamp.ts';

const sessionSchema = Type.Object(
  {
    id: Type.String(),
    status: Type.String(),
    amount: Type.Number(),
    currency: Type.String(),
    orders: Type.Array(orderSchema),
    methods: Type.Array(Type.String()),
    notifyUrl: Type.Optional(Type.String()),
    notifyPayload: Type.Optional(Type.String()),
    redirectUrl: Type.Optional(Type.String()),
    customer: Type.Optional(customerInputSchema),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { title: 'Session' },
);

const createBody = Type.Object(
  {
    amount: Type.Number(),
    currency: Type.String(),
    orders: Type.Optional(Type.Array(orderInputSchema)),
    methods: Type.Optional(Type.Array(Type.String())),
    notifyUrl: Type.Optional(Type.String()),
    notifyPayload: Type.Optional(Type.String()),
    redirectUrl: Type.Optional(Type.String()),
    customer: Type.Optional(customerInputSchema),
  },
  { additionalProperties: false },
);

/** One-time payment sessions: create, one, and its charge. */
export function sessionRoutes(app: ApiScope, { service, clock }: Context): void {
  const createSchema = {
    summary: 'Create a one-time payment session',
    tags: ['Sessions'],
    body: createBody,
    response: { 201: sessionSchema },
  };
  app.post('/sessions', { schema: createSchema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const { merchant, mode, actor } = caller;
    const now = ownNow(clock, caller);
    const input = request.body;
    const audit = auditContext(request, clock.now());
    return answerPost(request, reply, {
      service,
      now: clock.now(),
      work: (once) => asBadRequest(() => createSession(once, { merchant, mode, actor, input, now, audit })),
      toAnswer: async (session, reader) => ({ status: 201, body: await toSessionJson(reader, session, now) }),
    });
  });

  const getSchema = {
    summary: 'Get a session',
    tags: ['Sessions'],
    params: idParams,
    response: { 200: sessionSchema },
  };
  app.get('/sessions/:id', { schema: getSchema }, async (request) => {
    requirePermission(request.caller, 'read');
    const session = await getSession(service, { ...owned(request.caller), id: request.params.id });
    return toSessionJson(service, session, ownNow(clock, request.caller));
  });

  const chargeOfSchema = {
    summary: 'Get the charge of a session',
    tags: ['Sessions'],
    params: idParams,
    querystring: Type.Object(timestampsQuery, { additionalProperties: false }),
    response: { 200: chargeSchema },
  };
  app.get('/sessions/:id/charge', { schema: chargeOfSchema }, async (request) => {
    requirePermission(request.caller, 'read');
    const charge = await getSessionCharge(service, { ...owned(request.caller), id: request.params.id });
    return toChargeJson(charge, timestampForm(request));
  });
}

/** The session as it stands by the clock. */
async function toSessionJson(service: Service, session: CheckoutSession, now: Date) {
  const { merchantId, mode } = session;
  const available = await findAvailableMethods(service, { merchantId, mode });
  return sessionObject({ ...session, status: sessionStatusAt(session, now) }, available);
}
