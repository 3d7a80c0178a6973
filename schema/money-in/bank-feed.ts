import type { FeedDelivery, Prisma } from '../../prisma/client/client.ts';
import type { FeedSettings } from '../../src/domain/money-in/feed/feed-settings.ts';
import { getBankFeedTrust } from '../../src/domain/money-in/feed/open-bank-feed.ts';
import type { FeedTrust } from '../../src/feed/authentication.ts';
import { type FeedKind, getFeedDefinition } from '../../src/feed/catalog.ts';
import type { FeedEvidence } from '../../src/feed/feed-definition.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { buildNotDeletedFilter, type GraphqlContext } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { BankFeedPullType } from './bank-feed-pull.ts';

export const BankFeedKind = builder.enumType('BankFeedKind', {
  description: 'The sender of a bank feed. More values may be added.',
  values: {
    airwallex: { description: 'Airwallex, which reports deposits to its accounts.' },
    akahu: { description: 'Akahu, which reads accounts at banks in New Zealand.' },
    anz: { description: 'ANZ Real-Time Notification, in Australia and Singapore.' },
    casso_v1: { description: 'The Vietnamese provider Casso, with version 1 of its webhook.' },
    casso_v2: { description: 'The Vietnamese provider Casso, with version 2 of its webhook.' },
    custom: { description: 'Another sender of JSON, whose format and signature you describe.' },
    folder: { description: 'Statement files in a folder on the server of this installation.' },
    monoova: { description: 'The Australian provider Monoova.' },
    popbill: { description: 'Popbill EasyFinBank, which reads accounts at banks in South Korea.' },
    scb: { description: 'SCB Payment Confirmation, in Thailand.' },
    sepay: { description: 'The Vietnamese provider SePay.' },
    sftp: { description: 'Statement files on an SFTP server of the bank.' },
    snap: { description: 'SNAP, the open API standard of Bank Indonesia.' },
    wise: { description: 'Wise, whose API returns the statements of your balances.' },
  } satisfies Record<FeedKind, object>,
});

const BankFeedStatusType = builder.enumType('BankFeedStatus', {
  description: 'Whether a bank feed works, has a problem or is paused.',
  values: {
    new: { description: 'No delivery has been accepted yet.' },
    connected: { description: 'Deliveries arrive and are recorded.' },
    late: { description: 'No delivery has arrived for longer than `silenceMinutes` allows.' },
    failing: { description: 'Deliveries are rejected or cannot be recorded, or polls fail.' },
    paused: {
      description: 'You paused the feed. Its deliveries are stored, and recorded when you resume it.',
    },
  },
});

const BankFeedEvidence = builder.enumType('BankFeedEvidence', {
  description: 'The evidence on which the support for a sender is based.',
  values: {
    verified: { description: 'The sender published a test vector or its complete interface.' },
    documented: { description: 'The sender has public documentation.' },
    unverified: {
      description:
        'The sender has published nothing. The feed only observes deliveries until you confirm it (`confirmBankFeed`).',
    },
  } satisfies Record<FeedEvidence, object>,
});

const BankFeedTrust = builder.enumType('BankFeedTrust', {
  description: 'The way in which the deliveries of a bank feed are authenticated.',
  values: {
    signature: { description: 'A signature authenticates the sender and the content.' },
    key: { description: 'A static key authenticates the sender. It is weaker than a signature.' },
    connection: { description: 'Causeway itself fetches the transfers over an authenticated connection.' },
    none: {
      description:
        'Deliveries are not authenticated. Payments are recorded only if the bank’s API confirms them.',
    },
  } satisfies Record<FeedTrust, object>,
});

builder.prismaObject('BankFeedAccount', {
  description: 'A receiving account whose transfers a bank feed reports.',
  fields: (t) => ({
    receivingAccount: t.relation('receivingAccount', {
      description: 'The receiving account whose transfers are reported.',
    }),
    bankAccount: t.exposeString('bankAccount', {
      nullable: true,
      description:
        'The account as the sender writes it, or `*` if all transfers of the feed belong to the receiving account. Null if the sender writes the number of the receiving account.',
    }),
  }),
});

export const BankFeedType = builder.prismaNode('BankFeed', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...buildNotDeletedFilter(context) }),
  description: 'A bank or provider that reports the transfers of your receiving accounts automatically.',
  fields: (t) => ({
    kind: t.field({
      type: BankFeedKind,
      description: 'The bank or provider that reports the transfers.',
      resolve: ({ kind }) => kind as FeedKind,
    }),
    name: t.exposeString('name', { description: 'The name that you gave the feed.' }),
    status: t.expose('status', {
      type: BankFeedStatusType,
      description: 'Whether the feed works, has a problem or is paused.',
    }),
    url: t.string({
      description: 'The URL to which the sender must send deliveries. Treat it as a secret.',
      resolve: ({ id }, _args, { service }) => `${service.settings.publicUrl}/feeds/${id}`,
    }),
    evidence: t.field({
      type: BankFeedEvidence,
      description: 'The evidence on which the support for the sender is based.',
      resolve: ({ kind, settings }) =>
        getFeedDefinition(kind as FeedKind, (settings as FeedSettings).custom).evidence,
    }),
    trust: t.field({
      type: BankFeedTrust,
      description: 'The way in which deliveries are authenticated.',
      resolve: (feed) => getBankFeedTrust(feed),
    }),
    authentication: t.string({
      description: 'The authentication method that you chose for the sender, such as `signature` or `key`.',
      resolve: ({ settings }) => (settings as FeedSettings).authentication,
    }),
    signedPath: t.string({
      nullable: true,
      description: 'The path that the sender signs. Null if it is the path of the request.',
      resolve: ({ settings }) => (settings as FeedSettings).signedPath,
    }),
    apiUrl: t.string({
      nullable: true,
      description: 'The URL of the bank’s API that confirms payments. Null if it is the public one.',
      resolve: ({ settings }) => (settings as FeedSettings).apiUrl,
    }),
    pull: t.field({
      type: BankFeedPullType,
      nullable: true,
      description:
        'The settings with which the feed is polled. Null for a feed that only receives deliveries.',
      resolve: (feed) => (feed.nextPollAt === null ? null : feed),
    }),
    customFormatJson: t.string({
      nullable: true,
      description:
        'The description of the format and signature of a custom feed, as JSON. Null for other kinds of feeds.',
      resolve: ({ settings }) => {
        const { custom } = settings as FeedSettings;
        return custom && JSON.stringify(custom);
      },
    }),
    allowedAddresses: t.exposeStringList('allowedAddresses', {
      description:
        'The IP addresses and networks that may send deliveries. If the list is empty, any address may.',
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time since which the feed records transfers. Null while its deliveries are only observed.',
    }),
    silenceMinutes: t.exposeInt('silenceMinutes', {
      nullable: true,
      description:
        'The number of minutes without a delivery after which the feed is late. If null, the limit is one and a half times the longest silence of the last 28 days, at least an hour. It applies once there are 20 deliveries on 7 different days.',
    }),
    consecutiveFailureCount: t.exposeInt('consecutiveFailures', {
      description:
        'The number of rejected deliveries, failed deliveries and failed polls since the last success.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time of the first of the failures that `consecutiveFailureCount` counts. Null if there is none.',
    }),
    lateSince: t.expose('lateSince', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the feed became late. Null while it is not late.',
    }),
    lastSuccessAt: t.expose('lastSuccessAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time of the last accepted delivery or successful poll, accurate to 10 seconds. Null if there was none.',
    }),
    lastTransferAt: t.expose('lastTransferAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time of the last delivery with a transfer, accurate to 10 seconds. Null if there was none.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'The reason why the last delivery or poll failed. Null after a success.',
    }),
    failedDeliveryCount: t.int({
      description: 'The number of deliveries that could not be recorded completely and need attention.',
      resolve: async ({ id }, _args, context) => (await loadFailedCount(context, id)) ?? 0,
    }),
    receivingAccounts: t.relation('accounts', {
      query: { orderBy: { receivingAccountId: 'asc' } },
      description: 'The receiving accounts whose transfers the feed reports.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the feed was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the feed was last updated.',
    }),
  }),
});

const loadFailedCount = createLoader<number>(async ({ service }, ids) => {
  const status: FeedDelivery['status'] = 'failed';
  const groups = await service.prisma.feedDelivery.groupBy({
    by: ['feedId'],
    where: { feedId: { in: ids }, status },
    _count: true,
  });
  return new Map(groups.map(({ feedId, _count }) => [feedId, _count]));
});

const BankFeedFilter = builder.inputType('BankFeedFilter', {
  description: 'The conditions that the bank feeds of a list must meet.',
  fields: (t) => ({
    receivingAccountId: t.id({
      description:
        'Returns only feeds that report the transfers of the receiving account with this ID, `acc_…`.',
    }),
  }),
});

const BankFeedConnection = createConnectionType(BankFeedType, 'BankFeed');

builder.queryFields((t) => ({
  bankFeed: t.prismaField({
    type: BankFeedType,
    nullable: true,
    description: 'Returns the bank feed with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the bank feed, `feed_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.bankFeed.findFirst({
        ...query,
        where: { id, ...buildNotDeletedFilter(context) },
      }),
  }),
  bankFeeds: t.prismaConnection(
    {
      type: BankFeedType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your bank feeds, newest first.',
      args: {
        filter: t.arg({
          type: BankFeedFilter,
          description:
            'The conditions that the returned objects must meet. If omitted, all objects are returned.',
        }),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.bankFeed.findMany(
          toKeysetQuery(query, 'BankFeed', buildBankFeedFilter(context, filter?.receivingAccountId)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.bankFeed.count({
          where: buildBankFeedFilter(context, filter?.receivingAccountId),
        }),
    },
    BankFeedConnection,
  ),
}));

function buildBankFeedFilter(
  context: GraphqlContext,
  receivingAccountId: string | null | undefined,
): Prisma.BankFeedWhereInput {
  return {
    ...buildNotDeletedFilter(context),
    ...(receivingAccountId != null && { accounts: { some: { receivingAccountId } } }),
  };
}
