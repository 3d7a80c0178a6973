import { Type } from 'typebox';
import type { CheckoutSession } from '../../prisma/client/client.ts';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { findAvailableMethods } from '../domain/accounts/receiving-account/find-available-methods.ts';
import { createSession } from '../domain/payments/session/create-session.ts';
import { getSession, getSessionCharge } from '../domain/payments/session/get-session.ts';
import { getSessionStatusAt } from '../domain/payments/session/session-state.ts';
import { toSessionView } from '../domain/payments/session/to-session-view.ts';
import type { Service } from '../domain/platform/service.ts';
import { asBadRequest } from './bad-request.ts';
import { chargeSchema, orderSchema, toChargeJson } from './charge-json.ts';
import { handlePost } from './idempotency.ts';
import {
  customerInputSchema,
  getMerchantScope,
  getMerchantTime,
  idParams,
  orderInputSchema,
  toAuditContext,
} from './inputs.ts';
import type { ApiScope } from './scope.ts';
import { getTimestampFormat, timestampsQuery } from './timestamp.ts';

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

/** Registers the routes of one-time payment sessions: create, get, get charge. */
export function registerSessionRoutes(app: ApiScope, { service, clock }: Context): void {
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
    const now = getMerchantTime(clock, caller);
    const input = request.body;
    const audit = toAuditContext(request, clock.now());
    return handlePost(request, reply, {
      service,
      now: clock.now(),
      work: (txService) =>
        asBadRequest(() => createSession(txService, { merchant, mode, actor, input, now, audit })),
      toResponse: async (session, txService) => ({
        status: 201,
        body: await toSessionJson(txService, session, now),
      }),
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
    const session = await getSession(service, { ...getMerchantScope(request.caller), id: request.params.id });
    return toSessionJson(service, session, getMerchantTime(clock, request.caller));
  });

  const getChargeSchema = {
    summary: 'Get the charge of a session',
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
    return toChargeJson(charge, getTimestampFormat(request));
  });
}

/** Returns the session with its status at `now`. */
async function toSessionJson(service: Service, session: CheckoutSession, now: Date) {
  const { merchantId, mode } = session;
  const availableMethods = await findAvailableMethods(service, { merchantId, mode });
  return toSessionView({ ...session, status: getSessionStatusAt(session, now) }, availableMethods);
}
