import { countPending } from '../../src/domain/accounts/notification/count-pending.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';

export const WebhookType = builder.prismaNode('Webhook', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...existingWebhookWhere(context) }),
  description: 'One of your endpoints, which receives events by HTTP POST with Basic authentication.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The URL to which notifications are sent.' }),
    username: t.exposeString('username', { description: 'The username for HTTP Basic authentication.' }),
    notificationVersion: t.exposeString('version', {
      description: 'The notification version: `0.8`, `0.9` or `1.0`.',
    }),
    eventTypes: t.exposeStringList('eventTypes', {
      description:
        'The event types that the webhook receives. An empty list means all event types of its version.',
    }),
    concurrency: t.exposeInt('concurrency', {
      nullable: true,
      description:
        'The maximum number of concurrent deliveries to the webhook. If null, each worker sends up to 10.',
    }),
    ratePerSecond: t.exposeInt('ratePerSecond', {
      nullable: true,
      description: 'The maximum number of attempts started per second; null if there is no limit.',
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
        'The time until which the previous signing secret also signs after the last rotation; null if there is none.',
    }),
    consecutiveFailureCount: t.exposeInt('consecutiveFailures', {
      description: 'The number of failed attempts since the last successful one.',
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
      description: 'The time at which the webhook was disabled; null while it is enabled.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'The reason why the webhook was disabled.',
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

const loadPendingCount = createLoader<number>((context, ids) => countPending(context.service, ids));

const WebhookConnection = createConnectionType(WebhookType, 'Webhook');

builder.queryFields((t) => ({
  webhook: t.prismaField({
    type: WebhookType,
    nullable: true,
    description: 'A single webhook.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the webhook, `wh_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.webhook.findFirst({ ...query, where: { id, ...existingWebhookWhere(context) } }),
  }),
  webhooks: t.prismaConnection(
    {
      type: WebhookType,
      nullable: true,
      ...idPagingOptions,
      description: 'Your webhooks, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.webhook.findMany(
          toKeysetQuery(query, 'Webhook', existingWebhookWhere(context)),
        ),
      totalCount: (_root, _args, context) =>
        context.service.prisma.webhook.count({ where: existingWebhookWhere(context) }),
    },
    WebhookConnection,
  ),
}));

/** Excludes deleted webhooks, which are stored only for their notifications. */
function existingWebhookWhere(context: GraphqlContext) {
  return { ...getMerchantScope(context), deletedAt: null };
}
