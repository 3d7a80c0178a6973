import { countWaiting } from '../../src/domain/accounts/notification/count-waiting.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';

export const WebhookType = builder.prismaNode('Webhook', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...present(context) }),
  description: 'An address of yours that is told of events, by HTTP POST with Basic authentication.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Where the notifications go.' }),
    username: t.exposeString('username', { description: 'The user name they carry.' }),
    version: t.exposeString('version', { description: 'The notification version: `0.8`, `0.9` or `1.0`.' }),
    messages: t.exposeStringList('messages', {
      description: 'The messages it wants; an empty list: all of its version.',
    }),
    concurrency: t.exposeInt('concurrency', {
      nullable: true,
      description: 'How many deliveries go to it side by side; null: 10 from each worker.',
    }),
    ratePerSecond: t.exposeInt('ratePerSecond', {
      nullable: true,
      description: 'How many attempts begin in a second at most; null: no limit.',
    }),
    signed: t.boolean({
      description:
        'Whether notifications carry `webhook-signature` after the Standard Webhooks specification.',
      resolve: ({ signingSecretEncrypted }) => signingSecretEncrypted !== null,
    }),
    lastSecretSignsUntil: t.expose('lastSigningSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the last rotation signs too; null when there is none.',
    }),
    failuresInRow: t.exposeInt('failuresInRow', {
      description: 'How many attempts have failed since the last success.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'Since when there is nothing but failures; after 5 days it is switched off. Null while it works.',
    }),
    waiting: t.int({
      description: 'How many notifications are still to be delivered to it.',
      resolve: async ({ id }, _args, context) => (await loadWaiting(context, id)) ?? 0,
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was switched off; null while it is on.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why it was switched off.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

/** Counted together for a page of webhooks. */
const loadWaiting = createLoader<number>((context, ids) => countWaiting(context.service, ids));

const WebhookConnection = connectionOf(WebhookType, 'Webhook');

builder.queryFields((t) => ({
  webhook: t.prismaField({
    type: WebhookType,
    nullable: true,
    description: 'One webhook.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `wh_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.webhook.findFirst({ ...query, where: { id, ...present(context) } }),
  }),
  webhooks: t.prismaConnection(
    {
      type: WebhookType,
      ...pagedById,
      description: 'Your webhooks, newest first.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.webhook.findMany(keyset(query, 'Webhook', present(context))),
      totalCount: (_root, _args, context) =>
        context.service.prisma.webhook.count({ where: present(context) }),
    },
    WebhookConnection,
  ),
}));

/** A deleted webhook is kept for its notifications, and not found any more. */
function present(context: GraphqlContext) {
  return { ...owned(context), deletedAt: null };
}
