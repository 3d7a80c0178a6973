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
import { TransferType } from '../money-in/transfer.ts';
import { RefundType } from '../payments/refund.ts';
import { RefundConnection } from '../payments/refund-queries.ts';
import { toDecimalScalar } from '../scalars.ts';

const RefundPayoutType = builder.prismaNode('RefundPayout', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'A payment that was sent for a refund.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of the payout, in its currency.',
      resolve: ({ amount, currency }) => toDecimalScalar(amount, currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the payout.' }),
    payoutReference: t.exposeString('reference', {
      description: 'The payment reference that the payout was sent with.',
    }),
    payingAccount: t.relation('receivingAccount', {
      description:
        'The account that the payout was sent from. For a payout confirmed manually, the account of the charge.',
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', description: 'The time at which the payout was sent.' }),
    actor: t.exposeString('actor', {
      description:
        'The actor that confirmed the payout: `bank` for a bank statement, `user:<id>` or `key:<id>`.',
    }),
    transfer: t.relation('transfer', {
      nullable: true,
      description: 'The transfer that the bank reported for the payout. Null until it is reported.',
    }),
    returnTransfer: t.relation('returnedTransfer', {
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
      'The payouts of the refund, oldest first. There is more than one if a payout was returned. Null for a client token.',
    query: { orderBy: { id: 'asc' } },
  }),
  payoutExportedAt: t.expose('payoutExportedAt', {
    ...merchantOnly,
    type: 'DateTime',
    nullable: true,
    description: 'The time at which the refund was last included in a payout file. Null if it never was.',
  }),
  payingAccount: t.field({
    ...merchantOnly,
    nullable: true,
    type: ReceivingAccountType,
    description:
      'The account that pays the refund unless you choose another: the account that the charge was paid to. Null for a client token.',
    select: (_args, _context, nested) => ({ charge: { select: { receivingAccount: nested() } } }),
    resolve: ({ charge }) => charge.receivingAccount,
  }),
  unresolvedReturnTransfer: t.field({
    ...merchantOnly,
    type: TransferType,
    nullable: true,
    description:
      'An unresolved transfer that returned the payout, with its payment reference and amount. `reopenRefund` allocates the transfer to the refund and asks the customer for bank details again.',
    resolve: ({ id }, _args, context) => loadReturnedPayout(context, id),
  }),
}));

builder.prismaObjectField(TransferType, 'returnedRefund', (t) =>
  t.field({
    type: RefundType,
    nullable: true,
    description:
      'The refund whose payout this transfer returned. `reopenRefund` reopens it. Null for every other transfer.',
    resolve: ({ id }, _args, context) => loadRefundOfReturn(context, id),
  }),
);

builder.prismaObjectField(TransferType, 'paidRefund', (t) =>
  t.field({
    type: RefundType,
    nullable: true,
    description: 'The refund that this outgoing transfer paid. Null for every other transfer.',
    select: (_args, _context, nested) => ({ payout: { select: { refund: nested() } } }),
    resolve: ({ payout }) => payout?.refund,
  }),
);

const RefundsAwaitingPayoutFilter = builder.inputType('RefundsAwaitingPayoutFilter', {
  description: 'Filters for a list of refund payouts. A refund must match all of the given filters.',
  fields: (t) => ({
    receivingAccountId: t.id({
      description: 'Returns only refunds of charges that were paid to this account, `acc_…`.',
    }),
    currency: t.field({ type: 'CurrencyCode', description: 'Returns only refunds in this currency.' }),
    isExported: t.boolean({
      description:
        'Returns only refunds that have (true) or have not (false) been included in a payout file.',
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
        'Refunds that are ready to be paid: the bank details have been entered, and the money has not been sent. Newest first.',
      args: { filter: t.arg({ type: RefundsAwaitingPayoutFilter, description: 'Filters for the list.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.refund.findMany(
          toKeysetQuery(query, 'Refund', refundPayoutWhere(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.refund.count({ where: refundPayoutWhere(context, filter) }),
    },
    RefundConnection,
  ),
);

function refundPayoutWhere(
  context: GraphqlContext,
  filter: InferInput<typeof RefundsAwaitingPayoutFilter> | null | undefined,
): Prisma.RefundWhereInput {
  const { receivingAccountId, currency, isExported } = filter ?? {};
  return {
    ...getMerchantScope(context),
    status: 'processing',
    ...(receivingAccountId != null && { charge: { receivingAccountId } }),
    ...(currency != null && { customerCurrency: currency }),
    ...(isExported != null && { payoutExportedAt: isExported ? { not: null } : null }),
  };
}
