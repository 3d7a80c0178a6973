import type { ApiKey } from '../../prisma/client/client.ts';
import { isUsable } from '../../src/domain/accounts/api-key/authenticate-key.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { owned } from '../kit/graphql-context.ts';
import { Mode } from './merchant.ts';
import { PermissionEnum } from './user.ts';

export const ApiKeyKind = builder.enumType('ApiKeyKind', {
  description: 'What an API key is for.',
  values: {
    secret: { description: 'For your server, with a secret: within its permissions.' },
    publishable: {
      description: 'For checkout links and the checkout address: it can only start a checkout.',
    },
  },
});

const ApiKeyStatus = builder.enumType('ApiKeyStatus', {
  description: 'Whether an API key works.',
  values: {
    active: { description: 'It works.' },
    ending: { description: 'It works until `expiresAt`: it was replaced by another.' },
    expired: { description: 'Its time is over.' },
    revoked: { description: 'It was revoked.' },
  },
});

export const ApiKeyType = builder.prismaNode('ApiKey', {
  id: { field: 'id' },
  nullable: true,
  authScopes: merchantOnly.authScopes,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'Credentials of your server, or the key that checkout addresses carry. Of one mode.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is for, in your words.' }),
    kind: t.expose('kind', { type: ApiKeyKind, description: 'What kind of key it is.' }),
    mode: t.expose('mode', { type: Mode, description: 'Of which mode it is.' }),
    key: t.exposeString('key', { description: 'The key itself: the user name of HTTP Basic, no secret.' }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'What it may do; nothing is here for a publishable key.',
      resolve: ({ permissions }) => permissions as (typeof PermissionEnum.$inferType)[],
    }),
    allowedOrigins: t.exposeStringList('allowedOrigins', {
      description: 'Origins a publishable key accepts in notifyUrl and redirectUrl; an empty list: any.',
    }),
    status: t.field({
      type: ApiKeyStatus,
      description: 'Whether it works.',
      resolve: (apiKey, _args, { clock }) => statusAt(apiKey, clock.now()),
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to within five minutes; null when never.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it works; null when there is no end.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null when it was not.',
    }),
    replacedById: t.exposeID('replacedById', {
      nullable: true,
      description: 'The key that took its place when it was rotated; null when none did.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

function statusAt(apiKey: ApiKey, now: Date) {
  if (apiKey.revokedAt) return 'revoked' as const;
  if (!isUsable(apiKey, now)) return 'expired' as const;
  return apiKey.expiresAt ? ('ending' as const) : ('active' as const);
}

const ApiKeyConnection = connectionOf(ApiKeyType, 'ApiKey');

builder.queryFields((t) => ({
  apiKey: t.prismaField({
    type: ApiKeyType,
    nullable: true,
    description: 'One API key, without its secret.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `key_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.apiKey.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  apiKeys: t.prismaConnection(
    {
      type: ApiKeyType,
      ...pagedById,
      description: 'Your API keys of this mode, newest first, without their secrets.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.apiKey.findMany(keyset(query, 'ApiKey', owned(context))),
      totalCount: (_root, _args, context) => context.service.prisma.apiKey.count({ where: owned(context) }),
    },
    ApiKeyConnection,
  ),
}));
