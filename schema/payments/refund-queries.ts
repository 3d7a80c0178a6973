import type { Prisma, Refund } from '../../prisma/client/client.ts';
import { buildRefundFilter } from '../../src/domain/payments/refund/find-refunds.ts';
import { AmountRangeInput, parseAmountRange } from '../amount-range.ts';
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
import { PaymentMethodCode } from './payment-method.ts';
import { RefundStatus, RefundType, refundId } from './refund.ts';

export const RefundFilter = builder.inputType('RefundFilter', {
  description:
    'The conditions that the refunds of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    chargeId: t.id({ description: 'Returns only refunds of the charge with this ID, `ch_…`.' }),
    statuses: t.field({
      type: [RefundStatus],
      description: 'Returns only refunds with one of these statuses.',
    }),
    ...createdBetweenFields(t, 'refunds'),
    method: t.field({
      type: PaymentMethodCode,
      description: 'Returns only refunds of charges that were paid with this payment method.',
    }),
    receivingAccountId: t.id({
      description:
        'Returns only refunds of charges that were paid to the receiving account with this ID, `acc_…`.',
    }),
    customerCurrency: t.field({
      type: 'CurrencyCode',
      description: 'Returns only refunds that are paid in this currency.',
    }),
    customerAmount: t.field({
      type: AmountRangeInput,
      description: 'Returns only refunds whose `customerAmount` is in this range.',
    }),
    ...customerFilterFields(t, 'refunds'),
    ...metadataFilterFields(t, 'refunds'),
  }),
});

export const RefundConnection = createConnectionType(RefundType, 'Refund');

builder.queryFields((t) => ({
  refund: t.prismaField({
    type: RefundType,
    nullable: true,
    description: 'Returns the refund with this ID, or null if it does not exist.',
    args: { id: t.arg.id(refundId) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.refund.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  refunds: t.prismaConnection(
    {
      type: RefundType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your refunds, newest first.',
      args: {
        filter: t.arg(filterArg(RefundFilter)),
        reverse: t.arg.boolean(reverseArg),
      },
      resolve: (query, _root, { filter, reverse }, context) =>
        context.service.prisma.refund.findMany(
          toKeysetQuery(query, 'Refund', buildRefundListFilter(context, filter), { reverse }),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.refund.count({ where: buildRefundListFilter(context, filter) }),
    },
    RefundConnection,
  ),
}));

builder.subscriptionFields((t) => ({
  refundUpdated: t.prismaField({
    type: RefundType,
    nullable: true,
    description:
      'Sends the refund immediately, and again after each change. If the refund does not exist, sends null and ends.',
    args: { id: t.arg.id(refundId) },
    subscribe: (_root, { id }, context) =>
      watchObjectChanges(context, id, () =>
        context.service.prisma.refund.findFirst({
          where: { id, ...getMerchantScope(context) },
          select: comparedColumns.refund,
        }),
      ),
    resolve: (query, change, _args, context) => (change ? findChanged(query, change, context) : null),
  }),
  refundsUpdated: t.prismaField({
    type: RefundType,
    description:
      'Sends your newest refund immediately, if there is one, and then each refund that is created or changes.',
    subscribe: (_root, _args, context) => watchListChanges(context, 'refund'),
    resolve: (query, change, _args, context) => findChanged(query, change, context),
  }),
}));

async function findChanged(query: object, change: ObjectChange, context: GraphqlContext): Promise<Refund> {
  const refund = await context.service.prisma.refund.findFirstOrThrow({
    ...query,
    where: { id: change.id, ...getMerchantScope(context) },
  });
  return markAsSent(change, refund);
}

export function buildRefundListFilter(
  context: GraphqlContext,
  filter: InferInput<typeof RefundFilter> | null | undefined,
): Prisma.RefundWhereInput {
  const { statuses, chargeId, method, receivingAccountId, customerCurrency, customerAmount } = filter ?? {};
  const where = buildRefundFilter({
    ...getMerchantScope(context),
    filter: {
      chargeId: chargeId ?? undefined,
      ...parseCreatedBetween(filter),
      method: method ?? undefined,
      receivingAccountId: receivingAccountId ?? undefined,
      customerCurrency: customerCurrency ?? undefined,
      customerAmount: customerAmount ? parseAmountRange(customerAmount, '/filter/customerAmount') : undefined,
      ...parseCustomerFilter(filter),
      ...parseMetadataFilter(filter),
    },
  });
  const status = inList(statuses);
  return { ...where, ...(status && { status }) };
}
