import type { Prisma } from '../../prisma/client/client.ts';
import {
  type TransferReason,
  transferReasons,
} from '../../src/domain/money-in/transfer/record/record-outgoing.ts';
import { getBankReference } from '../../src/domain/payments/allocation/bank-reference.ts';
import { getUnallocatedAmount } from '../../src/domain/payments/allocation/lock-transfer.ts';
import { inRange } from '../../src/domain/platform/amount-range.ts';
import { escapeLike } from '../../src/kit/escape-like.ts';
import { AmountRangeInput, parseAmountRange } from '../amount-range.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, reverseArg, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { markAsSent, watchListChanges } from '../kit/live.ts';
import { readStale } from '../kit/stale-reader.ts';
import { filterArg, inList, toEndOfSecond } from '../list-filters.ts';
import { toDecimalScalar } from '../scalars.ts';

export const TransferStatus = builder.enumType('TransferStatus', {
  description: 'The outcome of matching a transfer.',
  values: {
    matched: { description: 'The transfer completed its charge.' },
    partial: { description: 'The transfer paid its charge in part.' },
    over: { description: 'The transfer overpaid its charge.' },
    exception: {
      description:
        'The transfer could not be matched automatically and needs review. `reason` gives the cause.',
    },
    duplicate: {
      description: 'The transfer reports a payment that was already recorded, and is not counted.',
    },
    returned: { description: 'The transfer was returned to the payer or reversed by the bank.' },
    dismissed: {
      description:
        'The transfer is not a customer payment, such as interest. You or one of your rules dismissed it.',
    },
    outgoing: {
      description:
        'The transfer left your account. `reason` gives the cause if it is not the payout of a refund.',
    },
    undone: {
      description: 'The statement that reported the transfer was undone. The transfer is not counted.',
    },
  },
});

const reasons = Object.entries(transferReasons) as [TransferReason, string][];

export const TransferExceptionReason = builder.enumType('TransferExceptionReason', {
  description:
    'The reason why a transfer has the status `exception`, or why an outgoing transfer is not the payout of a refund. More values may be added.',
  values: Object.fromEntries(
    reasons.map(([reason, text]) => [reason, { description: `${text}.` }]),
  ) as Record<TransferReason, { description: string }>,
});

const TransferSource = builder.enumType('TransferSource', {
  description: 'The kind of source that first reported a transfer.',
  values: {
    feed: {
      description:
        'A bank feed reported the transfer, or your own code through `POST /transfers` or `recordTransfers`.',
    },
    statement: { description: 'A bank statement file contained the transfer.' },
    manual: { description: 'A person entered the transfer in the dashboard.' },
    simulation: { description: 'The transfer was simulated in the sandbox.' },
  },
});

export const TransferDirection = builder.enumType('TransferDirection', {
  description: 'Whether the money of a transfer was received or sent.',
  values: {
    credit: { description: 'The transfer brought money to your account.' },
    debit: { description: 'The transfer took money from your account.' },
  },
});

export const TransferType = builder.prismaNode('Transfer', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'Money that arrived or left an account, as a bank reported it. A transfer is never deleted and never counted twice.',
  fields: (t) => ({
    status: t.expose('status', {
      type: TransferStatus,
      description: 'The outcome of matching the transfer, such as `matched` or `exception`.',
    }),
    reason: t.field({
      type: TransferExceptionReason,
      nullable: true,
      description:
        'The reason why the status is `exception`, or why an outgoing transfer is not the payout of a refund. Null otherwise.',
      resolve: (transfer) => transfer.reason as TransferReason | null,
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of the transfer, in `currency`.',
      resolve: (transfer) => toDecimalScalar(transfer.amount, transfer.currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the transfer.' }),
    amountUnallocated: t.field({
      type: 'Decimal',
      description:
        'The part of the amount that is not allocated yet, in `currency`. You can apply it to charges or return it.',
      resolve: (transfer) => toDecimalScalar(getUnallocatedAmount(transfer), transfer.currency),
    }),
    direction: t.expose('direction', {
      type: TransferDirection,
      description: 'Whether the money was received (`credit`) or sent (`debit`).',
    }),
    reference: t.exposeString('reference', {
      description: 'The text that the payer wrote, which is searched for the payment reference.',
    }),
    payerName: t.exposeString('payerName', {
      nullable: true,
      description: 'The name of the payer. Null if the bank does not report it.',
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      description:
        'The time of the payment. If `isPaidAtDateOnly` is true, it is midnight UTC of the reported date.',
    }),
    isPaidAtDateOnly: t.exposeBoolean('isPaidAtDateOnly', {
      description: 'Whether the bank reported only the date of the payment, not the time.',
    }),
    source: t.expose('source', {
      type: TransferSource,
      description: 'The kind of source that first reported the transfer.',
    }),
    bankReference: t.string({
      nullable: true,
      description:
        'The bank’s own reference of the transfer, such as its transaction ID. Null if the bank gave none.',
      resolve: getBankReference,
    }),
    receivingAccount: t.relation('receivingAccount', {
      description: 'The receiving account to which the bank booked the transfer.',
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'The note of your team. Null if there is none.',
    }),
    undoneAt: t.expose('undoneAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which the statement that reported the transfer was undone. Since then, the transfer is not counted. Null if the statement was not undone.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the transfer was recorded.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the transfer was last updated.',
    }),
  }),
});

export const TransferFilter = builder.inputType('TransferFilter', {
  description:
    'The conditions that the transfers of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    statuses: t.field({
      type: [TransferStatus],
      description: 'Returns only transfers with one of these statuses.',
    }),
    reasons: t.field({
      type: [TransferExceptionReason],
      description: 'Returns only transfers with one of these reasons.',
    }),
    direction: t.field({ type: TransferDirection, description: 'Returns only transfers in this direction.' }),
    sources: t.field({
      type: [TransferSource],
      description: 'Returns only transfers from one of these sources.',
    }),
    receivingAccountId: t.id({
      description: 'Returns only transfers of the receiving account with this ID, `acc_…`.',
    }),
    amount: t.field({
      type: AmountRangeInput,
      description: 'Returns only transfers whose `amount` is in this range.',
    }),
    statementId: t.id({
      description: 'Returns only transfers that were first reported by the statement with this ID, `st_…`.',
    }),
    assigneeId: t.id({
      description: 'Returns only transfers that the user with this ID, `usr_…`, reviews.',
    }),
    paidFrom: t.field({
      type: 'DateTime',
      description: 'Returns only transfers paid at or after this time.',
    }),
    paidTo: t.field({
      type: 'DateTime',
      description:
        'Returns only transfers paid at or before this time. A time without milliseconds includes that entire second.',
    }),
    search: t.string({
      description:
        'Returns only transfers with this text in the reference, the payer’s name or the bank reference. Letter case is ignored.',
    }),
  }),
});

export const TransferConnection = createConnectionType(TransferType, 'Transfer');

builder.queryFields((t) => ({
  transfer: t.prismaField({
    type: TransferType,
    nullable: true,
    description: 'Returns the transfer with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the transfer, `tr_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.transfer.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  transfers: t.prismaConnection(
    {
      type: TransferType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns the transfers of your accounts, most recently recorded first.',
      args: {
        filter: t.arg(filterArg(TransferFilter)),
        reverse: t.arg.boolean(reverseArg),
      },
      resolve: (query, _root, { filter, reverse }, context) =>
        context.service.prisma.transfer.findMany(
          toKeysetQuery(query, 'Transfer', buildTransferFilter(context, filter), { reverse }),
        ),
      // The total of a search reads all transfers of the merchant, because no index supports it.
      totalCount: (_root, { filter }, context) => {
        const where = buildTransferFilter(context, filter);
        if (!filter?.search) return context.service.prisma.transfer.count({ where });
        return readStale(context, ({ stale }) => stale.transfer.count({ where }));
      },
    },
    TransferConnection,
  ),
}));

export function buildTransferFilter(
  context: GraphqlContext,
  filter: typeof TransferFilter.$inferInput | null | undefined,
): Prisma.TransferWhereInput {
  const {
    statuses,
    reasons,
    direction,
    sources,
    receivingAccountId,
    amount,
    statementId,
    assigneeId,
    paidFrom,
    paidTo,
    search,
  } = filter ?? {};
  const [status, reason, source] = [inList(statuses), inList(reasons), inList(sources)];
  const containsSearch = search ? { contains: escapeLike(search), mode: 'insensitive' as const } : null;
  const scope = getMerchantScope(context);
  const range = amount ? parseAmountRange(amount, '/filter/amount') : undefined;
  return {
    ...scope,
    ...(status && { status }),
    ...(reason && { reason }),
    ...(direction && { direction }),
    ...(source && { source }),
    ...(receivingAccountId != null && { receivingAccountId }),
    // The index of amounts begins with the receiving account.
    ...(range && { receivingAccount: scope, currency: range.currency, amount: inRange(range) }),
    ...(statementId != null && { statementId }),
    ...(assigneeId != null && { assigneeId }),
    ...((paidFrom || paidTo) && {
      paidAt: { ...(paidFrom && { gte: paidFrom }), ...(paidTo && { lte: toEndOfSecond(paidTo) }) },
    }),
    ...(containsSearch && {
      OR: [{ reference: containsSearch }, { payerName: containsSearch }, { bankReference: containsSearch }],
    }),
  };
}

builder.subscriptionField('transfersUpdated', (t) =>
  t.prismaField({
    type: TransferType,
    description:
      'Sends your newest transfer immediately, if there is one. Then sends each transfer whose status becomes `exception`, and each transfer that changes after it was recorded.',
    subscribe: (_root, _args, context) => watchListChanges(context, 'transfer'),
    resolve: async (query, change, _args, context) => {
      const where = { id: change.id, ...getMerchantScope(context) };
      const transfer = await context.service.prisma.transfer.findFirstOrThrow({ ...query, where });
      return markAsSent(change, transfer);
    },
  }),
);
