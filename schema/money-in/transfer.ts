import type { Prisma } from '../../prisma/client/client.ts';
import { type TransferReason, transferReasons } from '../../src/domain/money-in/outgoing/outgoing-reasons.ts';
import { amountOpen } from '../../src/domain/payments/allocation/lock-transfer.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { decimal } from '../scalars.ts';

export const TransferStatus = builder.enumType('TransferStatus', {
  description: 'What a transfer counts for.',
  values: {
    matched: { description: 'It completed its charge.' },
    partial: { description: 'It is part of what its charge asks.' },
    over: { description: 'It completed its charge, and more came than was asked.' },
    exception: { description: 'It could not be assigned by itself; `reason` says why.' },
    duplicate: { description: 'It was known already, and counts nothing.' },
    returned: { description: 'It was sent back to the payer, or taken back by the bank.' },
    outgoing: { description: 'It went out from you; `reason` says why it is no payout of a refund.' },
  },
});

const reasons = Object.entries(transferReasons) as [TransferReason, string][];

export const TransferExceptionReason = builder.enumType('TransferExceptionReason', {
  description:
    'Why a transfer could not be assigned by itself, or is no payout of a refund. The list may grow.',
  values: Object.fromEntries(
    reasons.map(([reason, text]) => [reason, { description: `${text}.` }]),
  ) as Record<TransferReason, { description: string }>,
});

const TransferSource = builder.enumType('TransferSource', {
  description: 'Who told of a transfer.',
  values: {
    feed: { description: 'A bank feed: `POST /transfers` or `recordTransfers`.' },
    statement: { description: 'A bank statement file.' },
    hand: { description: 'A person.' },
    simulation: { description: 'A simulation in the sandbox.' },
  },
});

export const TransferDirection = builder.enumType('TransferDirection', {
  description: 'Which way money went.',
  values: { credit: { description: 'To you.' }, debit: { description: 'From you.' } },
});

export const TransferType = builder.prismaNode('Transfer', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'Money that came. It is never deleted and never counted twice.',
  fields: (t) => ({
    status: t.expose('status', { type: TransferStatus, description: 'What it counts for.' }),
    reason: t.field({
      type: TransferExceptionReason,
      nullable: true,
      description: 'Why it is an exception, or is no payout of a refund; null otherwise.',
      resolve: (transfer) => transfer.reason as TransferReason | null,
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'How much, in its currency.',
      resolve: (transfer) => decimal(transfer.amount, transfer.currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'What it is in.' }),
    amountOpen: t.field({
      type: 'Decimal',
      description: 'How much of it counts for nothing yet: what there is to assign or to send back.',
      resolve: (transfer) => decimal(amountOpen(transfer), transfer.currency),
    }),
    direction: t.expose('direction', { type: TransferDirection, description: 'Which way it went.' }),
    reference: t.exposeString('reference', { description: 'What the payer wrote.' }),
    payerName: t.exposeString('payerName', {
      nullable: true,
      description: 'Who paid, where the bank says so.',
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', description: 'When it was paid.' }),
    paidAtIsDate: t.exposeBoolean('paidAtIsDate', {
      description: 'Whether the bank gave only the date of `paidAt`.',
    }),
    source: t.expose('source', { type: TransferSource, description: 'Who told of it.' }),
    bankReference: t.exposeString('bankReference', { description: 'The source’s own id for it.' }),
    receivingAccount: t.relation('receivingAccount', { description: 'The account of yours it came to.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

export const TransferFilter = builder.inputType('TransferFilter', {
  description: 'Which transfers. Members left out do not restrict.',
  fields: (t) => ({
    status: t.field({ type: [TransferStatus], description: 'Only those with one of these.' }),
    reason: t.field({ type: [TransferExceptionReason], description: 'Only exceptions for one of these.' }),
    direction: t.field({ type: TransferDirection, description: 'Only those that went this way.' }),
    source: t.field({ type: [TransferSource], description: 'Only those one of these told of.' }),
    receivingAccountId: t.id({ description: 'Only those on this account, `acc_…`.' }),
    statementId: t.id({ description: 'Only those that this statement told of first, `st_…`.' }),
    paidSince: t.field({ type: 'DateTime', description: 'Only those paid then or later.' }),
    paidUntil: t.field({ type: 'DateTime', description: 'Only those paid then or before.' }),
    search: t.string({
      description:
        'Only those with these letters in the reference, the payer’s name or the bank’s reference.',
    }),
  }),
});

export const TransferConnection = connectionOf(TransferType, 'Transfer');

builder.queryFields((t) => ({
  transfer: t.prismaField({
    type: TransferType,
    nullable: true,
    description: 'One transfer.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `tr_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.transfer.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  transfers: t.prismaConnection(
    {
      type: TransferType,
      ...pagedById,
      description: 'The transfers to your accounts, those recorded last first.',
      args: { filter: t.arg({ type: TransferFilter, description: 'Which ones.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.transfer.findMany(keyset(query, 'Transfer', transferWhere(context, filter))),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.transfer.count({ where: transferWhere(context, filter) }),
    },
    TransferConnection,
  ),
}));

export function transferWhere(
  context: GraphqlContext,
  filter: typeof TransferFilter.$inferInput | null | undefined,
): Prisma.TransferWhereInput {
  const { status, reason, direction, source, receivingAccountId, statementId, paidSince, paidUntil, search } =
    filter ?? {};
  const holds = search ? { contains: search, mode: 'insensitive' as const } : null;
  return {
    ...owned(context),
    ...(status && { status: { in: status } }),
    ...(reason && { reason: { in: reason } }),
    ...(direction && { direction }),
    ...(source && { source: { in: source } }),
    ...(receivingAccountId != null && { receivingAccountId }),
    ...(statementId != null && { statementId }),
    ...((paidSince || paidUntil) && {
      paidAt: { ...(paidSince && { gte: paidSince }), ...(paidUntil && { lte: paidUntil }) },
    }),
    ...(holds && { OR: [{ reference: holds }, { payerName: holds }, { bankReference: holds }] }),
  };
}
