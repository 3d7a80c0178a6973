import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { findAvailableMethods } from '../domain/accounts/receiving-account/find-available-methods.ts';
import {
  findSubscriptionPlans,
  getSubscriptionPlan,
} from '../domain/billing/subscription-plan/find-subscription-plans.ts';
import { toPlanView } from '../domain/billing/subscription-plan/to-plan-view.ts';
import { dateRangeQuery, parseDateRange } from './date-range.ts';
import { enumSchema, getMerchantScope, idParams } from './inputs.ts';
import { paginationSchema, pagingQuery, parsePaging, toPagination } from './paging.ts';
import { planSchema } from './subscription-json.ts';
import type { TypedFastify } from './typed-fastify.ts';

const listQuery = Type.Object(
  {
    status: Type.Optional(enumSchema(['active', 'inactive'], 'Returns only plans with this status.')),
    currency: Type.Optional(Type.String({ description: 'Returns only plans in this currency.' })),
    ...dateRangeQuery,
    ...pagingQuery,
  },
  { additionalProperties: false },
);

export function registerSubscriptionPlanRoutes(app: TypedFastify, { service }: Context): void {
  const listSchema = {
    summary: 'List subscription plans, newest first',
    description:
      'Returns a page of your plans in the mode of the API key. Plans are created in the dashboard or with GraphQL. Requires the permission `read`.',
    tags: ['Subscription plans'],
    querystring: listQuery,
    response: {
      200: Type.Object(
        {
          subscriptionPlans: Type.Array(planSchema, { description: 'The plans of the page, newest first.' }),
          pagination: paginationSchema,
        },
        { title: 'SubscriptionPlanList', description: 'A page of subscription plans.' },
      ),
    },
  };
  app.get('/subscription-plans', { schema: listSchema }, async (request) => {
    requirePermission(request.caller, 'read');
    const { page, limit, ...filterQuery } = request.query;
    const filter = { ...filterQuery, ...parseDateRange(filterQuery) };
    const paging = parsePaging({ page, limit });
    const options = { ...getMerchantScope(request.caller), filter, ...paging };
    const [{ plans, total }, availableMethods] = await Promise.all([
      findSubscriptionPlans(service, options),
      findAvailableMethods(service, getMerchantScope(request.caller)),
    ]);
    return {
      subscriptionPlans: plans.map((plan) => toPlanView(plan, availableMethods)),
      pagination: toPagination(total, paging),
    };
  });

  const getSchema = {
    summary: 'Get a subscription plan',
    description: 'Returns the plan with this ID. Requires the permission `read`.',
    tags: ['Subscription plans'],
    params: idParams,
    response: { 200: planSchema },
  };
  app.get('/subscription-plans/:id', { schema: getSchema }, async (request) => {
    requirePermission(request.caller, 'read');
    const scope = getMerchantScope(request.caller);
    const plan = await getSubscriptionPlan(service, { ...scope, id: request.params.id });
    return toPlanView(plan, await findAvailableMethods(service, scope));
  });
}
