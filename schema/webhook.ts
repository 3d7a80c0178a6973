import { builder } from './builder.ts';
import { connectionOf, keyset, pagedById } from './connection.ts';
import { type GraphqlContext, owned } from './graphql-context.ts';

const WebhookType = builder.prismaNode('Webhook', {
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
