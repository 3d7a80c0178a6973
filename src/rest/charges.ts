import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { completeSandboxCharge } from '../domain/money-in/transfer/complete-sandbox-charge.ts';
import { cancelCharge } from '../domain/payments/charge/cancel-charge.ts';
import { createChargeHash } from '../domain/payments/charge/charge-hash.ts';
import { createCharge } from '../domain/payments/charge/create-charge.ts';
import { getCharge, getChargeByCancelToken } from '../domain/payments/charge/get-charge.ts';
import type { CreatedOrReusedCharge } from '../domain/payments/charge/insert-charges.ts';
import { findCharges } from '../domain/payments/charge-list/find-charges.ts';
import { createCancelToken } from '../domain/payments/customer-page/page-tokens.ts';
import { merchantNow } from '../domain/platform/clock/merchant-now.ts';
import type { IdempotencyHooks } from '../domain/platform/idempotency/with-idempotency-key.ts';
import { chargeHashBody, chargeQuery, createChargeBody, listChargesQuery } from './charge-inputs.ts';
import { chargeSchema, toChargeJson } from './charge-json.ts';
import { parseDateRange } from './date-range.ts';
import { handlePost, handlePostWithOwnTransaction } from './idempotency.ts';
import { getMerchantScope, getMerchantTime, idParams, toAuditContext } from './inputs.ts';
import { parseMetadataFilterQuery } from './metadata.ts';
import { paginationSchema, parsePaging, toPagination } from './paging.ts';
import { getTimestampFormat } from './timestamp.ts';
import type { TypedFastify } from './typed-fastify.ts';

export function registerChargeRoutes(app: TypedFastify, context: Context): void {
  registerListCharges(app, context);
  registerGetCharge(app, context);
  registerCreateCharge(app, context);
  registerCreateChargeHash(app, context);
  registerCompleteCharge(app, context);
  registerCancelCharge(app, context);
}

function registerListCharges(app: TypedFastify, { service }: Context): void {
  const schema = {
    summary: 'List charges, newest first',
    description:
      'Returns a page of your charges in the mode of the API key. A charge must match all of the given filters. Requires the permission `read`.',
    tags: ['Charges'],
    querystring: listChargesQuery,
    response: {
      200: Type.Object(
        {
          charges: Type.Array(chargeSchema, { description: 'The charges of the page, newest first.' }),
          pagination: paginationSchema,
        },
        { title: 'ChargeList', description: 'A page of charges.' },
      ),
    },
  };
  app.get('/charges', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { page, limit, timestamps: _, ...filterQuery } = request.query;
    const filter = {
      ...filterQuery,
      ...parseDateRange(filterQuery),
      ...parseMetadataFilterQuery(filterQuery),
    };
    const paging = parsePaging({ page, limit });
    const { charges, total } = await findCharges(service, {
      ...getMerchantScope(request.caller),
      filter,
      ...paging,
    });
    return {
      charges: charges.map((charge) => toChargeJson(service, charge, getTimestampFormat(request))),
      pagination: toPagination(total, paging),
    };
  });
}

function registerGetCharge(app: TypedFastify, { service }: Context): void {
  const schema = {
    summary: 'Get a charge',
    description:
      'Returns the charge with this ID, with its payment instructions and refunds. Requires the permission `read`.',
    tags: ['Charges'],
    params: idParams,
    querystring: chargeQuery,
    response: { 200: chargeSchema },
  };
  app.get('/charges/:id', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const charge = await getCharge(service, { ...getMerchantScope(request.caller), id: request.params.id });
    return toChargeJson(service, charge, getTimestampFormat(request));
  });
}

function registerCreateCharge(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Create a charge on the customer’s behalf (requires restricted access)',
    description:
      'Creates a charge, and returns the payment instructions for the customer. If an equal charge is already pending, returns that charge with the status 200 and `isDuplicate`. Requires the permission `write` and, in live mode, restricted access.',
    tags: ['Charges'],
    querystring: chargeQuery,
    body: createChargeBody,
    response: { 200: chargeSchema, 201: chargeSchema },
  };
  app.post('/charges', { schema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const { merchant, mode, actor } = caller;
    const times = { now: getMerchantTime(clock, caller), systemNow: clock.now() };
    const audit = toAuditContext(request, clock.now());
    const options = { merchant, mode, actor, input: request.body, ...times, audit };
    return handlePostWithOwnTransaction(request, reply, {
      service,
      now: clock.now(),
      create: (txService, idempotency: IdempotencyHooks<CreatedOrReusedCharge> | undefined) =>
        createCharge(txService, { ...options, idempotency }),
      toResponse: ({ charge, isReused }) => ({
        status: isReused ? 200 : 201,
        body: {
          ...toChargeJson(service, { ...charge, refunds: [] }, getTimestampFormat(request)),
          isDuplicate: isReused,
          cancelToken: createCancelToken(service.secrets, charge),
        },
      }),
    });
  });
}

function registerCreateChargeHash(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Create the hash of a charge for secure mode (requires restricted access)',
    description:
      'Returns the hash that must be sent with the charge, or in a checkout URL, if secure mode is on. The hash does not match a charge with another amount, currency, order or mode. Nothing is stored. Requires the permission `write` and, in live mode, restricted access.',
    tags: ['Charges'],
    body: chargeHashBody,
    response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
  };
  app.post('/charges/hash', { schema }, (request, reply) => {
    const { caller, body } = request;
    requirePermission(caller, 'write');
    reply.type('text/plain; charset=utf-8');
    return handlePost(request, reply, {
      service,
      now: clock.now(),
      work: async (txService) => createChargeHash(txService, { ...caller, input: body }),
      toResponse: (hash) => ({ status: 200, body: hash }),
    });
  });
}

function registerCompleteCharge(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Complete a sandbox charge',
    description:
      'Completes a pending sandbox charge as if the customer had paid. Requires the permission `write`.',
    tags: ['Charges'],
    params: idParams,
    querystring: chargeQuery,
    response: { 200: chargeSchema },
  };
  app.post('/charges/:id/complete', { schema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const { id } = request.params;
    const audit = toAuditContext(request, clock.now());
    const change = {
      ...getMerchantScope(caller),
      id,
      actor: caller.actor,
      now: getMerchantTime(clock, caller),
      audit,
    };
    return handlePost(request, reply, {
      service,
      now: clock.now(),
      work: (txService) => completeSandboxCharge(txService, change),
      toResponse: (charge) => ({
        status: 200,
        body: toChargeJson(service, { ...charge, refunds: [] }, getTimestampFormat(request)),
      }),
    });
  });
}

function registerCancelCharge(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Cancel a pending charge',
    description:
      'Cancels a charge that has not been paid. Requires an API key with the permission `write` or, on behalf of the customer, the `cancelToken` that was returned when the charge was created. A customer can cancel only until money has been received.',
    tags: ['Charges'],
    security: [{ apiKey: [] }, {}],
    params: idParams,
    headers: Type.Object({
      'cancel-token': Type.Optional(
        Type.String({
          description: 'The `cancelToken` of the charge.',
        }),
      ),
    }),
    querystring: Type.Object(
      {
        cancelToken: Type.Optional(
          Type.String({
            description:
              'The `cancelToken` of the charge. Alternatively, send it as the header `Cancel-Token`.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    response: { 200: Type.Literal(true, { description: 'The charge was cancelled.' }) },
  };
  const config = { allowsAnonymous: (request: FastifyRequest) => readCancelToken(request) !== undefined };
  app.patch('/charges/:id/cancel', { schema, config }, async (request) => {
    const { id } = request.params;
    const token = readCancelToken(request);
    if (request.caller === null && token !== undefined) {
      const { merchantId, mode, merchant } = await getChargeByCancelToken(service, { id, token });
      const now = merchantNow(clock.now(), merchant, mode);
      await cancelCharge(service, { merchantId, mode, id, by: 'customer', actor: 'customer', now });
    } else {
      const { caller } = request;
      requirePermission(caller, 'write');
      const audit = toAuditContext(request, clock.now());
      const change = {
        ...getMerchantScope(caller),
        id,
        actor: caller.actor,
        now: getMerchantTime(clock, caller),
        audit,
      };
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
