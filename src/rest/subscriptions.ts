import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { createSubscriptionLink } from '../domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl } from '../domain/billing/subscription/customer-pages.ts';
import {
  findSubscriptions,
  getSubscription,
  type SubscriptionWithParts,
} from '../domain/billing/subscription/find-subscriptions.ts';
import { toSubscriptionView } from '../domain/billing/subscription/to-subscription-view.ts';
import type { Service } from '../domain/platform/service.ts';
import { dateRangeQuery, parseDateRange } from './date-range.ts';
import { handlePost } from './idempotency.ts';
import {
  customerInputSchema,
  customerQuery,
  getMerchantScope,
  getMerchantTime,
  idParams,
  toAuditContext,
} from './inputs.ts';
import { metadataQuery, metadataSchema, parseMetadataFilterQuery } from './metadata.ts';
import { paginationSchema, pagingQuery, parsePaging, toPagination } from './paging.ts';
import { requireOwnPublishableKey } from './require-own-publishable-key.ts';
import { subscriptionSchema } from './subscription-json.ts';
import type { TypedFastify } from './typed-fastify.ts';

const linkBody = Type.Object(
  {
    subscriptionPlanId: Type.String({ description: 'The ID of the plan, `pl_…`.' }),
    apiKey: Type.Optional(
      Type.String({
        description:
          'Your publishable key (`pk_…`) of the same mode as the API key. The API key itself (`ck_…`, without its secret) is also accepted.',
      }),
    ),
    customer: Type.Optional(customerInputSchema),
    paymentMethods: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description:
          'The payment methods to offer, as a list of codes for each country code. An empty list offers all methods of the plan in that country. Countries that are not listed are not offered. If the field is omitted, all methods of the plan are offered.',
      }),
    ),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'Your reference, which is copied to each charge of the subscriptions that are created with the link.',
      }),
    ),
    metadata: Type.Optional(metadataSchema),
    redirectUrl: Type.Optional(
      Type.String({
        description:
          'The return URL, to which a button on the customer’s payment pages links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too.',
      }),
    ),
  },
  {
    title: 'CreateSubscriptionLinkRequest',
    description: 'The terms of a new enrolment link.',
    additionalProperties: false,
  },
);

const listQuery = Type.Object(
  {
    ...dateRangeQuery,
    subscriptionPlanId: Type.Optional(
      Type.String({ description: 'Returns only subscriptions to the plan with this ID, `pl_…`.' }),
    ),
    customerCurrency: Type.Optional(
      Type.String({ description: 'Returns only subscriptions that are paid in this currency.' }),
    ),
    ...customerQuery,
    ...metadataQuery,
    ...pagingQuery,
  },
  { additionalProperties: false },
);

export function registerSubscriptionRoutes(app: TypedFastify, context: Context): void {
  registerCreateLink(app, context);
  registerListSubscriptions(app, context);
  registerGetSubscription(app, context);
}

function registerCreateLink(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Create a link with which customers enrol in a plan',
    description:
      'Creates a link with which any number of customers can enrol in a plan. Requires the permission `write`.',
    tags: ['Subscriptions'],
    body: linkBody,
    response: {
      200: Type.Object(
        {
          subscriptionLink: Type.String({
            description: 'The URL of the enrolment page, to which you send customers.',
          }),
        },
        { title: 'SubscriptionLink', description: 'An enrolment link.' },
      ),
    },
  };
  app.post('/subscription-link', { schema }, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'write');
    const { apiKey, ...input } = request.body;
    const now = clock.now();
    const { merchant, mode } = caller;
    const audit = toAuditContext(request, now);
    return handlePost(request, reply, {
      service,
      now,
      work: async (txService) => {
        if (apiKey !== undefined)
          await requireOwnPublishableKey(txService, caller, { ...input, apiKey }, now);
        return createSubscriptionLink(txService, {
          merchant,
          mode,
          input,
          now: getMerchantTime(clock, caller),
          audit,
        });
      },
      toResponse: (link) => ({ status: 200, body: { subscriptionLink: getEnrolmentUrl(service, link) } }),
    });
  });
}

function registerListSubscriptions(app: TypedFastify, { service }: Context): void {
  const schema = {
    summary: 'List subscriptions, newest first',
    description:
      'Returns a page of your subscriptions in the mode of the API key, each with its newest invoices and charges. Requires the permission `read`.',
    tags: ['Subscriptions'],
    querystring: listQuery,
    response: {
      200: Type.Object(
        {
          subscriptions: Type.Array(subscriptionSchema, {
            description: 'The subscriptions of the page, newest first.',
          }),
          pagination: paginationSchema,
        },
        { title: 'SubscriptionList', description: 'A page of subscriptions.' },
      ),
    },
  };
  app.get('/subscriptions', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { page, limit, ...filterQuery } = request.query;
    const filter = {
      ...filterQuery,
      ...parseDateRange(filterQuery),
      ...parseMetadataFilterQuery(filterQuery),
    };
    const paging = parsePaging({ page, limit });
    const options = { ...getMerchantScope(request.caller), filter, ...paging };
    const { subscriptions, total } = await findSubscriptions(service, options);
    return {
      subscriptions: subscriptions.map((row) => toJson(service, row)),
      pagination: toPagination(total, paging),
    };
  });
}

function registerGetSubscription(app: TypedFastify, { service }: Context): void {
  const schema = {
    summary: 'Get a subscription',
    description:
      'Returns the subscription with this ID, with its newest invoices and charges. Requires the permission `read`.',
    tags: ['Subscriptions'],
    params: idParams,
    response: { 200: subscriptionSchema },
  };
  app.get('/subscriptions/:id', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    const options = { ...getMerchantScope(request.caller), id: request.params.id };
    return toJson(service, await getSubscription(service, options));
  });
}

function toJson(service: Service, { subscription, parts }: SubscriptionWithParts) {
  return toSubscriptionView(service, subscription, parts);
}
