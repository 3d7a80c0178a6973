import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { type MerchantCaller, requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { createRefund } from '../domain/payments/refund/create-refund.ts';
import { findRefunds, getRefund } from '../domain/payments/refund/find-refunds.ts';
import { getVisibleDetailsUrl } from '../domain/payments/refund/refund-details-page.ts';
import type { RefundWithCharge } from '../domain/payments/refund/transition-refund.ts';
import { refundResponseRetentionMs } from '../domain/platform/idempotency/with-idempotency-key.ts';
import type { Service } from '../domain/platform/service.ts';
import { dateRangeQuery, parseDateRange } from './date-range.ts';
import { handlePost } from './idempotency.ts';
import {
  customerQuery,
  enumSchema,
  getMerchantScope,
  getMerchantTime,
  idParams,
  toAuditContext,
} from './inputs.ts';
import { metadataQuery, metadataSchema, parseMetadataFilterQuery } from './metadata.ts';
import { paginationSchema, pagingQuery, parsePaging, toPagination } from './paging.ts';
import { refundSchema, toRefundJson } from './refund-json.ts';
import type { TypedFastify } from './typed-fastify.ts';

const listQuery = Type.Object(
  {
    chargeId: Type.Optional(
      Type.String({ description: 'Returns only refunds of the charge with this ID, `ch_…`.' }),
    ),
    status: Type.Optional(
      enumSchema(
        ['initiated', 'processing', 'completed', 'cancelled'],
        'Returns only refunds with this status.',
      ),
    ),
    ...dateRangeQuery,
    customerCurrency: Type.Optional(
      Type.String({ description: 'Returns only refunds that are paid in this currency.' }),
    ),
    ...customerQuery,
    ...metadataQuery,
    ...pagingQuery,
  },
  { additionalProperties: false },
);

const createBody = Type.Object(
  {
    chargeId: Type.String({ description: 'The ID of a completed charge, `ch_…`.' }),
    customerAmount: Type.Number({
      description: 'The amount to refund, in the `customerCurrency` of the charge.',
    }),
    metadata: Type.Optional(metadataSchema),
  },
  { title: 'CreateRefundRequest', description: 'The terms of a new refund.', additionalProperties: false },
);

export function registerRefundRoutes(app: TypedFastify, context: Context): void {
  registerListRefunds(app, context);
  registerGetRefund(app, context);
  registerCreateRefund(app, context);
}

function registerListRefunds(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'List refunds, newest first',
    description:
      'Returns a page of your refunds in the mode of the API key. A refund must match all of the given filters. Requires the permission `read`.',
    tags: ['Refunds'],
    querystring: listQuery,
    response: {
      200: Type.Object(
        {
          refunds: Type.Array(refundSchema, { description: 'The refunds of the page, newest first.' }),
          pagination: paginationSchema,
        },
        { title: 'RefundList', description: 'A page of refunds.' },
      ),
    },
  };
  app.get('/refunds', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { page, limit, ...filterQuery } = request.query;
    const filter = {
      ...filterQuery,
      ...parseDateRange(filterQuery),
      ...parseMetadataFilterQuery(filterQuery),
    };
    const paging = parsePaging({ page, limit });
    const { caller } = request;
    const { refunds, total } = await findRefunds(service, { ...getMerchantScope(caller), filter, ...paging });
    const access = { caller, now: clock.now() };
    return {
      refunds: refunds.map((row) => toJson(service, row, access)),
      pagination: toPagination(total, paging),
    };
  });
}

function registerGetRefund(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Get a refund',
    description: 'Returns the refund with this ID. Requires the permission `read`.',
    tags: ['Refunds'],
    params: idParams,
    response: { 200: refundSchema },
  };
  app.get('/refunds/:id', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { caller, params } = request;
    const row = await getRefund(service, { ...getMerchantScope(caller), id: params.id });
    return toJson(service, row, { caller, now: clock.now() });
  });
}

function registerCreateRefund(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Refund a completed charge, in part or in full',
    description:
      'Creates a refund, which waits until the customer or you have entered bank details. Send the customer the `detailsUrl`. Requires the permission `refund`.',
    tags: ['Refunds'],
    body: createBody,
    response: { 201: refundSchema },
  };
  app.post('/refunds', { schema }, async (request, reply) => {
    const { caller, body } = request;
    requirePermission(caller, 'refund');
    const audit = toAuditContext(request, clock.now());
    const options = {
      ...getMerchantScope(caller),
      actor: caller.actor,
      input: body,
      now: getMerchantTime(clock, caller),
      audit,
    };
    return handlePost(request, reply, {
      service,
      now: clock.now(),
      // A refund pays money out, so its replays are recognized for longer.
      retentionMs: refundResponseRetentionMs,
      work: (txService) => createRefund(txService, options),
      toResponse: (row) => ({ status: 201, body: toJson(service, row, { caller, now: clock.now() }) }),
    });
  });
}

function toJson(service: Service, row: RefundWithCharge, access: { caller: MerchantCaller; now: Date }) {
  return toRefundJson(row, {
    usesEpochTimestamps: false,
    detailsUrl: getVisibleDetailsUrl(service, row.refund, access),
  });
}
