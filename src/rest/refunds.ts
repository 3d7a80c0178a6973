import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { type MerchantCaller, requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { createRefund } from '../domain/payments/refund/create-refund.ts';
import { shownDetailsUrl } from '../domain/payments/refund/details-url.ts';
import { findRefunds } from '../domain/payments/refund/find-refunds.ts';
import { getRefund } from '../domain/payments/refund/get-refund.ts';
import type { RefundOfCharge } from '../domain/payments/refund/transition-refund.ts';
import { refundKeptMs } from '../domain/platform/idempotency/answer-once.ts';
import type { Service } from '../domain/platform/service.ts';
import { parseSpan, spanQuery } from './filter-time.ts';
import { answerPost } from './idempotency.ts';
import { auditContext, customerQuery, idParams, owned, ownNow, wordSchema } from './inputs.ts';
import { paginationSchema, pagingQuery, parsePaging, toPagination } from './paging.ts';
import { refundSchema, toRefundJson } from './refund-json.ts';
import type { ApiScope } from './scope.ts';

const listQuery = Type.Object(
  {
    chargeId: Type.Optional(Type.String()),
    status: Type.Optional(wordSchema(['initiated', 'processing', 'completed', 'cancelled'])),
    ...spanQuery,
    customerCurrency: Type.Optional(Type.String()),
    ...customerQuery,
    ...pagingQuery,
  },
  { additionalProperties: false },
);

const createBody = Type.Object(
  {
    chargeId: Type.String(),
    customerAmount: Type.Number({ description: 'The amount to refund, in the customer’s currency.' }),
  },
  { additionalProperties: false },
);

/** Refunds: list, one, create. */
export function refundRoutes(app: ApiScope, context: Context): void {
  listRefunds(app, context);
  getOneRefund(app, context);
  createOneRefund(app, context);
}

function listRefunds(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'List refunds, newest first',
    tags: ['Refunds'],
    querystring: listQuery,
    response: { 200: Type.Object({ refunds: Type.Array(refundSchema), pagination: paginationSchema }) },
  };
  app.get('/refunds', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { page, limit, ...rest } = request.query;
    const filter = { ...rest, ...parseSpan(rest) };
    const paging = parsePaging({ page, limit });
    const { caller } = request;
    const { refunds, total } = await findRefunds(service, { ...owned(caller), filter, ...paging });
    const asks = { caller, now: clock.now() };
    return {
      refunds: refunds.map((found) => toJson(service, found, asks)),
      pagination: toPagination(total, paging),
    };
  });
}

function getOneRefund(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'Get a refund',
    tags: ['Refunds'],
    params: idParams,
    response: { 200: refundSchema },
  };
  app.get('/refunds/:id', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { caller, params } = request;
    const found = await getRefund(service, { ...owned(caller), id: params.id });
    return toJson(service, found, { caller, now: clock.now() });
  });
}

function createOneRefund(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'Refund a completed charge, in part or in full',
    tags: ['Refunds'],
    body: createBody,
    response: { 201: refundSchema },
  };
  app.post('/refunds', { schema }, async (request, reply) => {
    const { caller, body } = request;
    requirePermission(caller, 'refund');
    const times = { now: ownNow(clock, caller), machineNow: clock.now() };
    const audit = auditContext(request, clock.now());
    const options = { ...owned(caller), actor: caller.actor, input: body, ...times, audit };
    return answerPost(request, reply, {
      service,
      now: clock.now(),
      // Money goes out: a repeat is recognised for longer than other requests.
      keepMs: refundKeptMs,
      work: (once) => createRefund(once, options),
      toAnswer: (made) => ({ status: 201, body: toJson(service, made, { caller, now: clock.now() }) }),
    });
  });
}

function toJson(service: Service, found: RefundOfCharge, asks: { caller: MerchantCaller; now: Date }) {
  return toRefundJson(found, { epoch: false, detailsUrl: shownDetailsUrl(service, found.refund, asks) });
}
