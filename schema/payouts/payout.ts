import type { Prisma, Refund, Transfer } from '../../prisma/client/client.ts';
import {
  findRefundsOfReturns,
  findReturnedPayouts,
} from '../../src/domain/payments/refund/find-returned-payout.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { TransferType } from '../money-in/transfer.ts';
import { RefundType } from '../payments/refund.ts';
import { RefundConnection } from '../payments/refund-queries.ts';
import { decimal } from '../scalars.ts';

const RefundPayoutType = builder.prismaNode('RefundPayout', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'Money that was sent for a refund.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'How much, in its currency.',
      resolve: ({ amount, currency }) => decimal(amount, currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'What it is in.' }),
    reference: t.exposeString('reference', { description: 'The word it was sent with.' }),
    receivingAccount: t.relation('receivingAccount', {
      description: 'The account it went out from; confirmed by hand: that of the charge.',
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', description: 'When it was sent.' }),
    actor: t.exposeString('actor', {
      description: 'Who confirmed it: `bank` for a line of a statement, `user:…`, `key:…`.',
    }),
    transfer: t.relation('transfer', { nullable: true, description: 'The bank’s line of it, once seen.' }),
    returnedTransfer: t.relation('returnedTransfer', {
      nullable: true,
      description: 'The line with which it came back; null while it has not.',
    }),
  }),
});

const loadReturnedPayout = createLoader<Transfer>(async (context, ids) => {
  const { prisma } = context.service;
  const refunds = await prisma.refund.findMany({ where: { id: { in: ids }, ...owned(context) } });
  return findReturnedPayouts(prisma, refunds);
});

const loadRefundOfReturn = createLoader<Refund>(async (context, ids) => {
  const { prisma } = context.service;
  const transfers = await prisma.transfer.findMany({ where: { id: { in: ids }, ...owned(context) } });
  return findRefundsOfReturns(prisma, transfers);
});

builder.prismaObjectFields(RefundType, (t) => ({
  payouts: t.relation('payouts', {
    ...merchantOnly,
    type: RefundPayoutType,
    description: 'What was sent for it, oldest first: more than one where a payout came back.',
    query: { orderBy: { id: 'asc' } },
  }),
  payoutExportedAt: t.expose('payoutExportedAt', {
    ...merchantOnly,
    type: 'DateTime',
    nullable: true,
    description: 'When it was last written into a file of refunds to pay; null when it was not.',
  }),
  payingAccount: t.field({
    ...merchantOnly,
    type: ReceivingAccountType,
    description: 'The account that pays it unless you choose another: the one the charge was paid to.',
    select: (_args, _context, nested) => ({ charge: { select: { receivingAccount: nested() } } }),
    resolve: ({ charge }) => charge.receivingAccount,
  }),
  returnedPayout: t.field({
    ...merchantOnly,
    type: TransferType,
    nullable: true,
    description:
      'Money that came back from the other bank with its word and amount, and that nobody has decided about: `reopenRefund` puts it to the refund, and asks the customer again.',
    resolve: ({ id }, _args, context) => loadReturnedPayout(context, id),
  }),
}));

builder.prismaObjectField(TransferType, 'returnedPayoutOf', (t) =>
  t.field({
    type: RefundType,
    nullable: true,
    description: 'Of a payment that came back: the refund it was sent for, which `reopenRefund` reopens.',
    resolve: ({ id }, _args, context) => loadRefundOfReturn(context, id),
  }),
);

builder.prismaObjectField(TransferType, 'payoutOf', (t) =>
  t.field({
    type: RefundType,
    nullable: true,
    description: 'Of money that went out: the refund whose payout it is.',
    select: (_args, _context, nested) => ({ payout: { select: { refund: nested() } } }),
    resolve: ({ payout }) => payout?.refund,
  }),
);

const RefundPayoutFilter = builder.inputType('RefundPayoutFilter', {
  description: 'Which refunds to pay: those that fit all members given.',
  fields: (t) => ({
    receivingAccountId: t.id({
      description: 'Only those of charges that were paid to this account, `acc_…`.',
    }),
    currency: t.field({ type: 'CurrencyCode', description: 'Only those in this currency.' }),
    exported: t.boolean({
      description: 'Only those that were written into a file before (true), or were not (false).',
    }),
  }),
});

builder.queryField('refundPayouts', (t) =>
  t.prismaConnection(
    {
      type: RefundType,
      ...pagedById,
      description:
        'The refunds to pay: the customer has told where the money goes, and it was not sent yet. Newest first.',
      args: { filter: t.arg({ type: RefundPayoutFilter, description: 'Which ones.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.refund.findMany(keyset(query, 'Refund', toPayWhere(context, filter))),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.refund.count({ where: toPayWhere(context, filter) }),
    },
    RefundConnection,
  ),
);

function toPayWhere(
  context: GraphqlContext,
  filter: InputOf<typeof RefundPayoutFilter> | null | undefined,
): Prisma.RefundWhereInput {
  const { receivingAccountId, currency, exported } = filter ?? {};
  return {
    ...owned(context),
    status: 'processing',
    ...(receivingAccountId != null && { charge: { receivingAccountId } }),
    ...(currency != null && { customerCurrency: currency }),
    ...(exported != null && { payoutExportedAt: exported ? { not: null } : null }),
  };
}
