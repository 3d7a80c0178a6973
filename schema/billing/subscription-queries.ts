import type { Subscription } from '../../prisma/client/client.ts';
import { buildSubscriptionFilter } from '../../src/domain/billing/subscription/find-subscriptions.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, reverseArg, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import {
  comparedColumns,
  markAsSent,
  type ObjectChange,
  watchListChanges,
  watchObjectChanges,
} from '../kit/live.ts';
import {
  createdBetweenFields,
  customerFilterFields,
  filterArg,
  inList,
  metadataFilterFields,
  parseCreatedBetween,
  parseCustomerFilter,
  parseMetadataFilter,
} from '../list-filters.ts';
import { SubscriptionContractType, SubscriptionStatus, subscriptionId } from './subscription.ts';

const SubscriptionFilter = builder.inputType('SubscriptionFilter', {
  description:
    'The conditions that the subscriptions of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    statuses: t.field({
      type: [SubscriptionStatus],
      description: 'Returns only subscriptions with one of these statuses.',
    }),
    subscriptionPlanId: t.id({ description: 'Returns only subscriptions to the plan with this ID, `pl_…`.' }),
    ...createdBetweenFields(t, 'subscriptions'),
    customerCurrency: t.field({
      type: 'CurrencyCode',
      description: 'Returns only subscriptions that are paid in this currency.',
    }),
    ...customerFilterFields(t, 'subscriptions'),
    ...metadataFilterFields(t, 'subscriptions'),
  }),
});

const SubscriptionConnection = createConnectionType(SubscriptionContractType, 'SubscriptionContract');

builder.queryFields((t) => ({
  subscription: t.prismaField({
    type: SubscriptionContractType,
    nullable: true,
    description: 'Returns the subscription with this ID, or null if it does not exist.',
    args: { id: t.arg.id(subscriptionId) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.subscription.findFirst({
        ...query,
        where: { id, ...getMerchantScope(context) },
      }),
  }),
  subscriptions: t.prismaConnection(
    {
      type: SubscriptionContractType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your subscriptions, newest first.',
      args: {
        filter: t.arg(filterArg(SubscriptionFilter)),
        reverse: t.arg.boolean(reverseArg),
      },
      resolve: (query, _root, { filter, reverse }, context) =>
        context.service.prisma.subscription.findMany(
          toKeysetQuery(query, 'SubscriptionContract', buildSubscriptionListFilter(context, filter), {
            reverse,
          }),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.subscription.count({ where: buildSubscriptionListFilter(context, filter) }),
    },
    SubscriptionConnection,
  ),
}));

builder.subscriptionFields((t) => ({
  subscriptionUpdated: t.prismaField({
    type: SubscriptionContractType,
    nullable: true,
    description:
      'Sends the subscription immediately, and again after each change. If the subscription does not exist, sends null and ends.',
    args: { id: t.arg.id(subscriptionId) },
    subscribe: (_root, { id }, context) =>
      watchObjectChanges(context, id, () =>
        context.service.prisma.subscription.findFirst({
          where: { id, ...getMerchantScope(context) },
          select: comparedColumns.subscription,
        }),
      ),
    resolve: (query, change, _args, context) =>
      change ? findChangedSubscription(query, change, context) : null,
  }),
  subscriptionsUpdated: t.prismaField({
    type: SubscriptionContractType,
    description:
      'Sends your newest subscription immediately, if there is one, and then each subscription that is created or changes.',
    subscribe: (_root, _args, context) => watchListChanges(context, 'subscription'),
    resolve: (query, change, _args, context) => findChangedSubscription(query, change, context),
  }),
}));

async function findChangedSubscription(
  query: object,
  change: ObjectChange,
  context: GraphqlContext,
): Promise<Subscription> {
  const subscription = await context.service.prisma.subscription.findFirstOrThrow({
    ...query,
    where: { id: change.id, ...getMerchantScope(context) },
  });
  return markAsSent(change, subscription);
}

function buildSubscriptionListFilter(
  context: GraphqlContext,
  filter: InferInput<typeof SubscriptionFilter> | null | undefined,
) {
  const { statuses, subscriptionPlanId, customerCurrency } = filter ?? {};
  const where = buildSubscriptionFilter({
    ...getMerchantScope(context),
    filter: {
      subscriptionPlanId: subscriptionPlanId ?? undefined,
      ...parseCreatedBetween(filter),
      customerCurrency: customerCurrency ?? undefined,
      ...parseCustomerFilter(filter),
      ...parseMetadataFilter(filter),
    },
  });
  const status = inList(statuses);
  return { ...where, ...(status && { status }) };
}
