import type { FeedDelivery, Prisma, Statement, Transfer } from '../../prisma/client/client.ts';
import {
  decryptDeliveryBody,
  decryptDeliveryHeaders,
} from '../../src/domain/money-in/feed/decrypt-delivery.ts';
import type { FeedItemResult } from '../../src/domain/money-in/feed/record-feed-items.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { createRowLoader } from '../kit/loader.ts';
import { inList } from '../list-filters.ts';
import { BankFeedType } from './bank-feed.ts';
import { StatementType } from './statement.ts';
import { TransferDirection, TransferType } from './transfer.ts';

const FeedDeliveryStatusType = builder.enumType('FeedDeliveryStatus', {
  description: 'Whether a delivery of a bank feed is waiting, was processed, or could not be recorded.',
  values: {
    rejected: { description: 'The delivery was not authenticated. Only its size and hash are stored.' },
    received: { description: 'The delivery is stored, and will be processed.' },
    processed: { description: 'All transfers of the delivery are recorded.' },
    ignored: { description: 'The delivery contains no transaction, or is a test message from the sender.' },
    observed: { description: 'The transfers are not recorded until you confirm the feed.' },
    failed: { description: 'At least one transfer could not be recorded. `reason` gives the cause.' },
  },
});

const FeedResultStatus = builder.enumType('FeedResultStatus', {
  description: 'The outcome of processing one transfer of a delivery.',
  values: {
    matched: { description: 'The transfer completed its charge.' },
    partial: { description: 'The transfer paid its charge in part.' },
    over: { description: 'The transfer overpaid its charge.' },
    exception: { description: 'The transfer is recorded and needs review.' },
    duplicate: { description: 'The transfer was already recorded, and is not counted again.' },
    returned: { description: 'The transfer was returned to the payer or reversed by the bank.' },
    outgoing: { description: 'The transfer left your account.' },
    dismissed: { description: 'A rule of the account ignores the transfer.' },
    invalid: { description: 'The transfer is not recorded, because a value is invalid.' },
    observed: { description: 'The transfer is not recorded until you confirm the feed.' },
    unknown_account: {
      description:
        'The transfer is not recorded, because its account is not a receiving account of the feed.',
    },
  } satisfies Record<FeedItemResult['status'], object>,
});

const loadStatement = createRowLoader<Statement>((context, where) =>
  context.service.prisma.statement.findMany({ where }),
);

const loadTransfer = createRowLoader<Transfer>((context, where) =>
  context.service.prisma.transfer.findMany({ where }),
);

const FeedDeliveryResult = builder.objectRef<FeedItemResult>('FeedDeliveryResult').implement({
  description: 'The result of one transfer of a delivery.',
  fields: (t) => ({
    bankReference: t.exposeString('id', { description: 'The ID that the sender gave the transfer.' }),
    status: t.expose('status', {
      type: FeedResultStatus,
      description: 'The outcome of processing the transfer.',
    }),
    amount: t.exposeString('amount', { description: 'The amount, as the sender writes it.' }),
    currency: t.exposeString('currency', { description: 'The currency, as the sender writes it.' }),
    direction: t.expose('direction', {
      type: TransferDirection,
      description: 'Whether the money was received (`credit`) or sent (`debit`).',
    }),
    account: t.string({
      nullable: true,
      description:
        'The account that received or sent the money, as the sender writes it. Null if the sender names none.',
      resolve: ({ account }) => account,
    }),
    detail: t.string({
      nullable: true,
      description: 'The reason why the transfer is invalid. Null if it is valid.',
      resolve: ({ detail }) => detail,
    }),
    transfer: t.field({
      type: TransferType,
      nullable: true,
      description: 'The recorded transfer. Null if the transfer is not recorded.',
      resolve: ({ transferId }, _args, context) => loadTransfer(context, transferId ?? null),
    }),
  }),
});

export const FeedDeliveryType = builder.prismaNode('FeedDelivery', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'A request that a bank feed received, or a transaction or file that it fetched. It is stored for 90 days.',
  fields: (t) => ({
    status: t.expose('status', {
      type: FeedDeliveryStatusType,
      description: 'Whether the delivery is waiting, was processed, or could not be recorded.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description:
        'The reason why the delivery was rejected, ignored or failed, or is not processed yet, as a code such as `unknown_account`. Null if there is none.',
    }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'The details of the reason, such as the invalid value. Null if there are none.',
    }),
    bankFeed: t.relation('feed', {
      type: BankFeedType,
      description: 'The bank feed that received or fetched the delivery.',
    }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'The IP address of the sender. Null if the delivery was fetched.',
    }),
    fileName: t.exposeString('fileName', {
      nullable: true,
      description: 'The name of the fetched file. Null if the delivery is not a file.',
    }),
    statements: t.field({
      type: [StatementType],
      description: 'The statements that were imported from the file. Empty if the delivery is not a file.',
      resolve: async ({ statementIds }, _args, context) => {
        const statements = await Promise.all(statementIds.toSorted().map((id) => loadStatement(context, id)));
        return statements.filter((statement) => statement !== null);
      },
    }),
    sizeBytes: t.exposeInt('size', { description: 'The size of the body in bytes.' }),
    sha256: t.exposeString('bodyHash', { description: 'The SHA-256 hash of the body, in hexadecimal.' }),
    headersJson: t.string({
      nullable: true,
      description:
        'The headers as JSON, without credentials. Null for a rejected or erased delivery, and without the permission `transfers`.',
      resolve: (delivery, _args, context) =>
        canReadContent(context) ? decryptDeliveryHeaders(context.service.secrets, delivery) : null,
    }),
    body: t.string({
      nullable: true,
      description:
        'The body as text. Null for a rejected or erased delivery, and without the permission `transfers`.',
      resolve: (delivery, _args, context) => readBody(context, delivery),
    }),
    results: t.field({
      type: [FeedDeliveryResult],
      description: 'The results of the transfers, in the order of the body.',
      resolve: ({ results }) => results as FeedItemResult[],
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the delivery was received or fetched.',
    }),
    processedAt: t.expose('processedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the delivery was last processed. Null if it has not been processed.',
    }),
  }),
});

function canReadContent(context: GraphqlContext): boolean {
  return requireMerchantCaller(context).permissions.has('transfers');
}

async function readBody(context: GraphqlContext, delivery: FeedDelivery): Promise<string | null> {
  if (!canReadContent(context)) return null;
  const body = await decryptDeliveryBody(context.service.secrets, delivery);
  return body?.toString('utf8') ?? null;
}

const FeedDeliveryFilter = builder.inputType('FeedDeliveryFilter', {
  description:
    'The conditions that the deliveries of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    bankFeedId: t.id({ description: 'Returns only deliveries of the bank feed with this ID, `feed_…`.' }),
    statuses: t.field({
      type: [FeedDeliveryStatusType],
      description: 'Returns only deliveries with one of these statuses.',
    }),
  }),
});

const FeedDeliveryConnection = createConnectionType(FeedDeliveryType, 'FeedDelivery');

builder.queryFields((t) => ({
  feedDelivery: t.prismaField({
    type: FeedDeliveryType,
    nullable: true,
    description: 'Returns the delivery with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the delivery, `fdl_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.feedDelivery.findFirst({
        ...query,
        where: { id, ...getMerchantScope(context) },
      }),
  }),
  feedDeliveries: t.prismaConnection(
    {
      type: FeedDeliveryType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns the deliveries of your bank feeds of the last 90 days, newest first.',
      args: {
        filter: t.arg({
          type: FeedDeliveryFilter,
          description:
            'The conditions that the returned objects must meet. If omitted, all objects are returned.',
        }),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.feedDelivery.findMany(
          toKeysetQuery(query, 'FeedDelivery', feedDeliveryWhere(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.feedDelivery.count({ where: feedDeliveryWhere(context, filter) }),
    },
    FeedDeliveryConnection,
  ),
}));

function feedDeliveryWhere(
  context: GraphqlContext,
  filter: InferInput<typeof FeedDeliveryFilter> | null | undefined,
): Prisma.FeedDeliveryWhereInput {
  const { bankFeedId, statuses } = filter ?? {};
  const status = inList(statuses);
  return {
    ...getMerchantScope(context),
    ...(bankFeedId != null && { feedId: bankFeedId }),
    ...(status && { status }),
  };
}
