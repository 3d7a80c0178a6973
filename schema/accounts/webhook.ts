import type { Webhook } from '../../prisma/client/client.ts';
import { countPendingNotifications } from '../../src/domain/accounts/notification/count-pending-notifications.ts';
import type { EventType, NotificationVersion } from '../../src/event/catalog.ts';
import type { WebhookDisabledReason } from '../../src/notification/endpoint-health.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { buildNotDeletedFilter } from '../kit/graphql-context.ts';
import { createLoader, createRowLoader } from '../kit/loader.ts';
import { EventTypeEnum, NotificationVersionEnum } from '../platform/event-type.ts';

const DisabledReason = builder.enumType('WebhookDisabledReason', {
  description: 'The reason why a webhook was disabled. More values may be added.',
  values: {
    manual: { description: 'A user or API key disabled the webhook.' },
    endpoint_gone: { description: 'The endpoint responded with the status 410 Gone.' },
    delivery_failures: { description: 'All deliveries failed for 5 days.' },
  } satisfies Record<WebhookDisabledReason, object>,
});

export const WebhookType = builder.prismaNode('Webhook', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...buildNotDeletedFilter(context) }),
  description:
    'One of your endpoints, which receives notifications as HTTP POST requests with Basic authentication.',
  fields: (t) => ({
    name: t.string({
      nullable: true,
      description: 'The name that you gave the webhook. Null if it has none.',
      resolve: ({ name }) => name || null,
    }),
    url: t.exposeString('url', { description: 'The URL to which notifications are sent.' }),
    username: t.exposeString('username', {
      description: 'The username that notifications carry for HTTP Basic authentication.',
    }),
    notificationVersion: t.field({
      type: NotificationVersionEnum,
      description: 'The notification version, which notifications carry as `0.8`, `0.9` or `1.0`.',
      resolve: ({ version }) => version as NotificationVersion,
    }),
    eventTypes: t.field({
      type: [EventTypeEnum],
      description:
        'The event types that the webhook receives. If the list is empty, the webhook receives all event types of the notification version.',
      resolve: ({ eventTypes }) => eventTypes as EventType[],
    }),
    concurrency: t.exposeInt('concurrency', {
      nullable: true,
      description:
        'The maximum number of concurrent deliveries to the webhook. If null, each worker sends up to 10 at a time.',
    }),
    ratePerSecond: t.exposeInt('ratePerSecond', {
      nullable: true,
      description: 'The maximum number of attempts that are started per second. Null if there is no limit.',
    }),
    isSigned: t.boolean({
      description:
        'Whether notifications carry a `webhook-signature` as defined by the Standard Webhooks specification.',
      resolve: ({ signingSecretEncrypted }) => signingSecretEncrypted !== null,
    }),
    previousSecretExpiresAt: t.expose('previousSigningSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time until which notifications are also signed with the previous signing secret. Null if they are signed only with the current one.',
    }),
    consecutiveFailureCount: t.exposeInt('consecutiveFailures', {
      description: 'The number of failed attempts since the last successful attempt.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time since which all attempts have failed. The webhook is disabled after 5 days of failures. Null while deliveries succeed.',
    }),
    pendingNotificationCount: t.int({
      description: 'The number of notifications that are waiting for delivery to the webhook.',
      resolve: async ({ id }, _args, context) => (await loadPendingCount(context, id)) ?? 0,
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the webhook was disabled. Null while it is enabled.',
    }),
    disabledReason: t.field({
      type: DisabledReason,
      nullable: true,
      description: 'The reason why the webhook was disabled. Null while it is enabled.',
      resolve: (webhook) => webhook.disabledReason as WebhookDisabledReason | null,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the webhook was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the webhook was last updated.',
    }),
  }),
});

const loadPendingCount = createLoader<number>((context, ids) =>
  countPendingNotifications(context.service, ids),
);

const WebhookConnection = createConnectionType(WebhookType, 'Webhook');

builder.queryFields((t) => ({
  webhook: t.prismaField({
    type: WebhookType,
    nullable: true,
    description: 'Returns the webhook with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the webhook, `wh_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.webhook.findFirst({
        ...query,
        where: { id, ...buildNotDeletedFilter(context) },
      }),
  }),
  webhooks: t.prismaConnection(
    {
      type: WebhookType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your webhooks, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.webhook.findMany(
          toKeysetQuery(query, 'Webhook', buildNotDeletedFilter(context)),
        ),
      totalCount: (_root, _args, context) =>
        context.service.prisma.webhook.count({ where: buildNotDeletedFilter(context) }),
    },
    WebhookConnection,
  ),
}));

/** Loads webhooks, except deleted ones. */
export const loadWebhook = createRowLoader<Webhook>((context, where) =>
  context.service.prisma.webhook.findMany({ where: { ...where, deletedAt: null } }),
);
