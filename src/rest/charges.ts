import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { completeSandboxCharge } from '../domain/money-in/transfer/complete-sandbox-charge.ts';
import { cancelCharge } from '../domain/payments/charge/cancel-charge.ts';
import { createCharge } from '../domain/payments/charge/create-charge.ts';
import { createChargeHash } from '../domain/payments/charge/create-charge-hash.ts';
import { findByCancelToken } from '../domain/payments/charge/find-by-cancel-token.ts';
import { getCharge } from '../domain/payments/charge/get-charge.ts';
import type { CreatedCharge } from '../domain/payments/charge/insert-charges.ts';
import { findCharges } from '../domain/payments/charge-list/find-charges.ts';
import { cancelToken } from '../domain/payments/checkout/page-tokens.ts';
import { merchantNow } from '../domain/platform/clock/merchant-now.ts';
import type { Once } from '../domain/platform/idempotency/answer-once.ts';
import { methodCodes } from '../method/catalogue.ts';
import { chargeSchema, toChargeJson } from './charge-json.ts';
import { parseSpan, spanQuery } from './filter-time.ts';
import { answerCreation, answerPost } from './idempotency.ts';
import {
  auditContext,
  customerQuery,
  idParams,
  orderInputSchema,
  owned,
  ownNow,
  wordSchema,
} from './inputs.ts';
import { paginationSchema, pagingQuery, parsePaging, toPagination } from './paging.ts';
import type { ApiScope } from './scope.ts';
import { timestampForm, timestampsQuery } from './timestamp.ts';

const timestamps = Type.Object(timestampsQuery, { additionalProperties: false });

const listQuery = Type.Object(
  {
    method: Type.Optional(wordSchema(methodCodes)),
    status: Type.Optional(wordSchema(['pending', 'completed', 'expired', 'cancelled'])),
    ...spanQuery,
    customerCurrency: Type.Optional(Type.String()),
    ...customerQuery,
    ...pagingQuery,
    ...timestampsQuery,
  },
  { additionalProperties: false },
);

const createBody = Type.Object(
  {
    verificationCode: Type.Optional(
      Type.String({
        description: 'The code from `POST /customers/phone/verify`. Valid for one charge, within 5 minutes.',
      }),
    ),
    email: Type.Optional(
      Type.String({
        description: 'The customer’s email address. Required unless `verificationCode` is given.',
      }),
    ),
    merchantAmount: Type.Number(),
    merchantCurrency: Type.String(),
    method: wordSchema(methodCodes),
    orders: Type.Optional(Type.Array(orderInputSchema)),
    notifyPayload: Type.Optional(Type.String()),
    notifyUrl: Type.Optional(Type.String()),
    hash: Type.Optional(
      Type.String({ description: 'The hash from `POST /charges/hash`. Required if secure mode is on.' }),
    ),
  },
  { additionalProperties: false },
);

const hashBody = Type.Object(
  {
    merchantAmount: Type.Number(),
    merchantCurrency: Type.String(),
    orders: Type.Optional(Type.Array(orderInputSchema)),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'The `notifyPayload` of a `/checkout` URL that you build yourself. The hash of such a URL covers it.',
      }),
    ),
    notifyUrl: Type.Optional(
      Type.String({
        description:
          'The `notifyUrl` of a `/checkout` URL that you build yourself. The hash of such a URL covers it.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Charges: list, one, create (restricted), cancel, and completing one in the sandbox. */
export function chargeRoutes(app: ApiScope, context: Context): void {
  listCharges(app, context);
  getOneCharge(app, context);
  createOneCharge(app, context);
  hashOneCharge(app, context);
  completeOneSandboxCharge(app, context);
  cancelOneCharge(app, context);
}

function listCharges(app: ApiScope, { service }: Context): void {
  const schema = {
    summary: 'List charges, newest first',
    tags: ['Charges'],
    querystring: listQuery,
    response: { 200: Type.Object({ charges: Type.Array(chargeSchema), pagination: paginationSchema }) },
  };
  app.get('/charges', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { page, limit, timestamps: _, ...rest } = request.query;
    const filter = { ...rest, ...parseSpan(rest) };
    const paging = parsePaging({ page, limit });
    const { charges, total } = await findCharges(service, { ...owned(request.caller), filter, ...paging });
    return {
      charges: charges.map((charge) => toChargeJson(charge, timestampForm(request))),
      pagination: toPagination(total, paging),
    };
  });
}

function getOneCharge(app: ApiScope, { service }: Context): void {
  const schema = {
    summary: 'Get a charge',
    tags: ['Charges'],
    params: idParams,
    querystring: timestamps,
    response: { 200: chargeSchema },
  };
  app.get('/charges/:id', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const charge = await getCharge(service, { ...owned(request.caller), id: request.params.id });
    return toChargeJson(charge, timestampForm(request));
  });
}

function createOneCharge(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'Create a charge on the customer’s behalf (restricted)',
    tags: ['Charges'],
    querystring: timestamps,
    body: createBody,
    response: { 200: chargeSchema, 201: chargeSchema },
  };
  app.post('/charges', { schema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const { merchant, mode, actor } = caller;
    const times = { now: ownNow(clock, caller), machineNow: clock.now() };
    const audit = auditContext(request, clock.now());
    const options = { merchant, mode, actor, input: request.body, ...times, audit };
    return answerCreation(request, reply, {
      service,
      now: clock.now(),
      create: (own, once: Once<CreatedCharge> | undefined) => createCharge(own, { ...options, once }),
      toAnswer: ({ charge, isDuplicate }) => ({
        status: isDuplicate ? 200 : 201,
        body: {
          ...toChargeJson({ ...charge, refunds: [] }, timestampForm(request)),
          isDuplicate,
          cancelToken: cancelToken(service.secrets, charge),
        },
      }),
    });
  });
}

function hashOneCharge(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'Create the hash of a charge for secure mode (restricted)',
    tags: ['Charges'],
    body: hashBody,
    response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
  };
  app.post('/charges/hash', { schema }, (request, reply) => {
    const { caller, body } = request;
    requirePermission(caller, 'write');
    reply.type('text/plain; charset=utf-8');
    return answerPost(request, reply, {
      service,
      now: clock.now(),
      work: async (once) => createChargeHash(once, { ...caller, input: body }),
      toAnswer: (hash) => ({ status: 200, body: hash }),
    });
  });
}

function completeOneSandboxCharge(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'Complete a sandbox charge',
    tags: ['Charges'],
    params: idParams,
    querystring: timestamps,
    response: { 200: chargeSchema },
  };
  app.post('/charges/:id/complete', { schema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const { id } = request.params;
    const audit = auditContext(request, clock.now());
    const change = { ...owned(caller), id, actor: caller.actor, now: ownNow(clock, caller), audit };
    return answerPost(request, reply, {
      service,
      now: clock.now(),
      work: (once) => completeSandboxCharge(once, change),
      toAnswer: (charge) => ({
        status: 200,
        body: toChargeJson({ ...charge, refunds: [] }, timestampForm(request)),
      }),
    });
  });
}

function cancelOneCharge(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'Cancel a pending charge',
    description:
      'Requires API credentials or, on behalf of the customer, the `cancelToken` that was returned when the charge was created.',
    tags: ['Charges'],
    security: [{ apiKey: [] }, {}],
    params: idParams,
    headers: Type.Object({ 'cancel-token': Type.Optional(Type.String()) }),
    querystring: Type.Object({ cancelToken: Type.Optional(Type.String()) }, { additionalProperties: false }),
    response: { 200: Type.Literal(true, { description: 'The charge was cancelled.' }) },
  };
  const config = { opensTo: (request: FastifyRequest) => readCancelToken(request) !== undefined };
  app.patch('/charges/:id/cancel', { schema, config }, async (request) => {
    const { id } = request.params;
    const token = readCancelToken(request);
    if (request.caller === null && token !== undefined) {
      const { merchantId, mode, merchant } = await findByCancelToken(service, { id, token });
      const now = merchantNow(clock.now(), merchant, mode);
      await cancelCharge(service, { merchantId, mode, id, by: 'customer', actor: 'customer', now });
    } else {
      const { caller } = request;
      requirePermission(caller, 'write');
      const audit = auditContext(request, clock.now());
      const change = { ...owned(caller), id, actor: caller.actor, now: ownNow(clock, caller), audit };
      await cancelCharge(service, { ...change, by: 'merchant' });
    }
    return true as const;
  });
}

function readCancelToken(request: Pick<FastifyRequest, 'headers' | 'query'>): string | undefined {
  const header = request.headers['cancel-token'];
  const { cancelToken } = request.query as { cancelToken?: unknown };
  if (typeof header === 'string') return header;
  return typeof cancelToken === 'string' ? cancelToken : undefined;
}
