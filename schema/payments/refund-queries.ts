import type { Prisma, Refund } from '../../prisma/client/client.ts';
import { refundWhere } from '../../src/domain/payments/refund/find-refunds.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { type Hint, hintOf, tell, watchKind, watchOne } from '../kit/live.ts';
import { madeWithin, ofCustomer, readCustomer, readMadeWithin } from '../list-filters.ts';
import { RefundStatus, RefundType } from './refund.ts';

export const RefundFilter = builder.inputType('RefundFilter', {
  description: 'Filters for a list of refunds. A refund must match all of the given filters.',
  fields: (t) => ({
    chargeId: t.id({ description: 'Returns only refunds of this charge, `ch_…`.' }),
    status: t.field({
      type: [RefundStatus],
      description: 'Returns only refunds with one of these statuses.',
    }),
    ...madeWithin(t),
    customerCurrency: t.field({
      type: 'CurrencyCode',
      description: 'Returns only refunds in this currency.',
    }),
    ...ofCustomer(t),
  }),
});

export const RefundConnection = connectionOf(RefundType, 'Refund');
const idArg = { required: true, description: 'The ID of the refund, `re_…`.' } as const;

builder.queryFields((t) => ({
  refund: t.prismaField({
    type: RefundType,
    nullable: true,
    description: 'A single refund.',
    args: { id: t.arg.id(idArg) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.refund.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  refunds: t.prismaConnection(
    {
      type: RefundType,
      ...pagedById,
      description: 'Your refunds, newest first.',
      args: { filter: t.arg({ type: RefundFilter, description: 'Filters for the list.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.refund.findMany(keyset(query, 'Refund', refundListWhere(context, filter))),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.refund.count({ where: refundListWhere(context, filter) }),
    },
    RefundConnection,
  ),
}));

builder.subscriptionFields((t) => ({
  refundUpdated: t.prismaField({
    type: RefundType,
    nullable: true,
    description:
      'Sends a refund immediately and again after each change. If it does not exist, sends null and ends.',
    args: { id: t.arg.id(idArg) },
    subscribe: (_root, { id }, context) =>
      watchOne(context, id, () =>
        context.service.prisma.refund.findFirst({
          where: { id, ...owned(context) },
          select: hintOf.refund,
        }),
      ),
    resolve: (query, hint, _args, context) => (hint ? findHinted(query, hint, context) : null),
  }),
  refundsUpdated: t.prismaField({
    type: RefundType,
    description:
      'Sends your newest refund immediately, if there is one, and then each refund that is created or changes.',
    subscribe: (_root, _args, context) => watchKind(context, 'refund'),
    resolve: (query, hint, _args, context) => findHinted(query, hint, context),
  }),
}));

async function findHinted(query: object, hint: Hint, context: GraphqlContext): Promise<Refund> {
  const refund = await context.service.prisma.refund.findFirstOrThrow({
    ...query,
    where: { id: hint.id, ...owned(context) },
  });
  return tell(hint, refund);
}

export function refundListWhere(
  context: GraphqlContext,
  filter: InputOf<typeof RefundFilter> | null | undefined,
): Prisma.RefundWhereInput {
  const { status, chargeId, customerCurrency } = filter ?? {};
  const where = refundWhere({
    ...owned(context),
    filter: {
      chargeId: chargeId ?? undefined,
      ...readMadeWithin(filter),
      customerCurrency: customerCurrency ?? undefined,
      ...readCustomer(filter),
    },
  });
  return { ...where, ...(status && { status: { in: status } }) };
}
