import type { Prisma, Refund, Transfer } from '../../prisma/client/client.ts';
import {
  findRefundsForReturns,
  findReturnedPayouts,
} from '../../src/domain/payments/refund/find-returned-payout.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { filterArg } from '../list-filters.ts';
import { TransferType } from '../money-in/transfer.ts';
import { RefundType } from '../payments/refund.ts';
import { RefundConnection } from '../payments/refund-queries.ts';
import { ActorType } from '../platform/actor.ts';
import { toDecimalScalar } from '../scalars.ts';

const RefundPayoutType = builder.prismaNode('RefundPayout', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A payment that was sent for a refund.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of the payout, in `currency`.',
      resolve: ({ amount, currency }) => toDecimalScalar(amount, currency),
    }),
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      description: 'The currency of `amount` and of the refund.',
    }),
    payoutReference: t.exposeString('reference', {
      description: 'The payment reference that the payout was sent with.',
    }),
    payingAccount: t.relation('receivingAccount', {
      description:
        'The account from which the payout was sent. For a payout that you confirmed manually, it is the account to which the charge was paid.',
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', description: 'The time at which the payout was sent.' }),
    actor: t.expose('actor', {
      type: ActorType,
      description: 'The actor that confirmed the payout, or reported the transfer that confirmed it.',
    }),
    transfer: t.relation('transfer', {
      nullable: true,
      description: 'The transfer that the bank reported for the payout. Null until it is reported.',
    }),
    returnTransfer: t.relation('returnTransfer', {
      nullable: true,
      description: 'The transfer that returned the payout. Null if it was not returned.',
    }),
  }),
});

const loadReturnedPayout = createLoader<Transfer>(async (context, ids) => {
  const { prisma } = context.service;
  const refunds = await prisma.refund.findMany({ where: { id: { in: ids }, ...getMerchantScope(context) } });
  return findReturnedPayouts(prisma, refunds);
});

const loadRefundOfReturn = createLoader<Refund>(async (context, ids) => {
  const { prisma } = context.service;
  const transfers = await prisma.transfer.findMany({
    where: { id: { in: ids }, ...getMerchantScope(context) },
  });
  return findRefundsForReturns(prisma, transfers);
});

builder.prismaObjectFields(RefundType, (t) => ({
  payouts: t.relation('payouts', {
    ...merchantOnly,
    nullable: true,
    type: RefundPayoutType,
    description:
      'The payouts of the refund, oldest first. There is more than one if a payout was returned. Null for callers with a client token.',
    query: { orderBy: { id: 'asc' } },
  }),
  payoutExportedAt: t.expose('payoutExportedAt', {
    ...merchantOnly,
    type: 'DateTime',
    nullable: true,
    description:
      'The time at which the refund was last included in a payout file. Null if it has not been included in one.',
  }),
  payingAccount: t.field({
    ...merchantOnly,
    nullable: true,
    type: ReceivingAccountType,
    description:
      'The account from which the refund is paid unless you choose another account. It is the account to which the charge was paid. Null for callers with a client token.',
    select: (_args, _context, nested) => ({ charge: { select: { receivingAccount: nested() } } }),
    resolve: ({ charge }) => charge.receivingAccount,
  }),
  unresolvedReturnTransfer: t.field({
    ...merchantOnly,
    type: TransferType,
    nullable: true,
    description:
      'The transfer that returned the payout, if it has not been allocated yet. It has the payment reference and the amount of the payout. Null if there is no such transfer. `reopenRefund` allocates the transfer to the refund and asks the customer for bank details again.',
    resolve: ({ id }, _args, context) => loadReturnedPayout(context, id),
  }),
}));

builder.prismaObjectField(TransferType, 'returnedRefund', (t) =>
  t.field({
    type: RefundType,
    nullable: true,
    description:
      'The refund whose payout this transfer returned, which you can reopen with `reopenRefund`. Null if the transfer did not return a payout.',
    resolve: ({ id }, _args, context) => loadRefundOfReturn(context, id),
  }),
);

builder.prismaObjectField(TransferType, 'paidRefund', (t) =>
  t.field({
    type: RefundType,
    nullable: true,
    description:
      'The refund that this outgoing transfer paid. Null if the transfer is not the payout of a refund.',
    select: (_args, _context, nested) => ({ payout: { select: { refund: nested() } } }),
    resolve: ({ payout }) => payout?.refund,
  }),
);

const RefundsAwaitingPayoutFilter = builder.inputType('RefundsAwaitingPayoutFilter', {
  description:
    'The conditions that refunds ready to be paid must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    receivingAccountId: t.id({
      description: 'Returns only refunds of charges that were paid to the account with this ID, `acc_…`.',
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'Returns only refunds that are paid in this currency.',
    }),
    isExported: t.boolean({
      description:
        'Returns only refunds that have been included in a payout file (`true`) or that have not been included in one (`false`).',
    }),
  }),
});

builder.queryField('refundsAwaitingPayout', (t) =>
  t.prismaConnection(
    {
      type: RefundType,
      nullable: true,
      ...idPagingOptions,
      description:
        'Returns the refunds that are ready to be paid, newest first. Their bank details have been entered, and the money has not been sent.',
      args: {
        filter: t.arg(filterArg(RefundsAwaitingPayoutFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.refund.findMany(
          toKeysetQuery(query, 'Refund', buildRefundPayoutFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.refund.count({ where: buildRefundPayoutFilter(context, filter) }),
    },
    RefundConnection,
  ),
);

function buildRefundPayoutFilter(
  context: GraphqlContext,
  filter: InferInput<typeof RefundsAwaitingPayoutFilter> | null | undefined,
): Prisma.RefundWhereInput {
  const { receivingAccountId, currency, isExported } = filter ?? {};
  return {
    ...getMerchantScope(context),
    status: 'processing',
    ...(receivingAccountId != null && { receivingAccountId }),
    ...(currency != null && { customerCurrency: currency }),
    ...(isExported != null && { payoutExportedAt: isExported ? { not: null } : null }),
  };
}
