import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { createSubscriptionLink } from '../domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl } from '../domain/billing/subscription/customer-pages.ts';
import {
  findSubscriptions,
  type SubscriptionWithParts,
} from '../domain/billing/subscription/find-subscriptions.ts';
import { getSubscription } from '../domain/billing/subscription/get-subscription.ts';
import { subscriptionObject } from '../domain/billing/subscription/subscription-object.ts';
import type { Service } from '../domain/platform/service.ts';
import { parseSpan, spanQuery } from './filter-time.ts';
import { answerPost } from './idempotency.ts';
import { auditContext, customerInputSchema, customerQuery, idParams, owned, ownNow } from './inputs.ts';
import { requireOwnKey } from './own-key.ts';
import { paginationSchema, pagingQuery, parsePaging, toPagination } from './paging.ts';
import type { ApiScope } from './scope.ts';
import { subscriptionSchema } from './subscription-json.ts';

const linkBody = Type.Object(
  {
    subscriptionPlanId: Type.String(),
    apiKey: Type.Optional(
      Type.String({ description: 'Your publishable key (`pk_…`) of the same mode as the API key.' }),
    ),
    customer: Type.Optional(customerInputSchema),
    paymentMethods: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    notifyPayload: Type.Optional(
      Type.String({
        description: 'Your reference, stored on each charge of the subscriptions created through the link.',
      }),
    ),
    redirectUrl: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const listQuery = Type.Object(
  {
    ...spanQuery,
    subscriptionPlanId: Type.Optional(Type.String()),
    customerCurrency: Type.Optional(
      Type.String({ description: 'Returns only subscriptions that are paid in this currency.' }),
    ),
    ...customerQuery,
    ...pagingQuery,
  },
  { additionalProperties: false },
);

/** Subscriptions: the link by which customers enrol, list, one. */
export function subscriptionRoutes(app: ApiScope, context: Context): void {
  createLink(app, context);
  listSubscriptions(app, context);
  getOneSubscription(app, context);
}

function createLink(app: ApiScope, { service, clock }: Context): void {
  const schema = {
    summary: 'Create a link with which customers enrol in a plan',
    tags: ['Subscriptions'],
    body: linkBody,
    response: { 200: Type.Object({ subscriptionLink: Type.String() }) },
  };
  app.post('/subscription-link', { schema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const { apiKey, ...input } = request.body;
    const now = clock.now();
    const { merchant, mode } = caller;
    const audit = auditContext(request, now);
    return answerPost(request, reply, {
      service,
      now,
      work: async (once) => {
        if (apiKey !== undefined) await requireOwnKey(once, caller, { ...input, apiKey }, now);
        return createSubscriptionLink(once, { merchant, mode, input, now: ownNow(clock, caller), audit });
      },
      toAnswer: (link) => ({ status: 200, body: { subscriptionLink: enrolmentUrl(service, link) } }),
    });
  });
}

function listSubscriptions(app: ApiScope, { service }: Context): void {
  const schema = {
    summary: 'List subscriptions, newest first',
    tags: ['Subscriptions'],
    querystring: listQuery,
    response: {
      200: Type.Object({ subscriptions: Type.Array(subscriptionSchema), pagination: paginationSchema }),
    },
  };
  app.get('/subscriptions', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { page, limit, ...rest } = request.query;
    const filter = { ...rest, ...parseSpan(rest) };
    const paging = parsePaging({ page, limit });
    const options = { ...owned(request.caller), filter, ...paging };
    const { subscriptions, total } = await findSubscriptions(service, options);
    return {
      subscriptions: subscriptions.map((found) => toJson(service, found)),
      pagination: toPagination(total, paging),
    };
  });
}

function getOneSubscription(app: ApiScope, { service }: Context): void {
  const schema = {
    summary: 'Get a subscription',
    tags: ['Subscriptions'],
    params: idParams,
    response: { 200: subscriptionSchema },
  };
  app.get('/subscriptions/:id', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const options = { ...owned(request.caller), id: request.params.id };
    return toJson(service, await getSubscription(service, options));
  });
}

function toJson(service: Service, { subscription, parts }: SubscriptionWithParts) {
  return subscriptionObject(service, subscription, parts);
}
