import type { ApiKey } from '../../prisma/client/client.ts';
import { isUsable } from '../../src/domain/accounts/api-key/authenticate-key.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { Mode } from './merchant.ts';
import { PermissionEnum } from './user.ts';

export const ApiKeyKind = builder.enumType('ApiKeyKind', {
  description: 'The kind of an API key.',
  values: {
    secret: { description: 'A key with a secret for use on your server. Its permissions limit its access.' },
    publishable: {
      description:
        'A key without a secret for checkout links and checkout URLs. It can only start a checkout.',
    },
  },
});

const ApiKeyStatus = builder.enumType('ApiKeyStatus', {
  description: 'The status of an API key.',
  values: {
    active: { description: 'The key works.' },
    expiring: { description: 'The key was replaced by another key and works until `expiresAt`.' },
    expired: { description: 'The key has expired.' },
    revoked: { description: 'The key was revoked.' },
  },
});

export const ApiKeyType = builder.prismaNode('ApiKey', {
  id: { field: 'id' },
  nullable: true,
  authScopes: merchantOnly.authScopes,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'An API key: the credentials of your server, or the publishable key of checkout URLs. Each key belongs to one mode.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the key.' }),
    kind: t.expose('kind', { type: ApiKeyKind, description: 'The kind of the key.' }),
    mode: t.expose('mode', { type: Mode, description: 'The mode of the key.' }),
    key: t.exposeString('key', {
      description: 'The key itself, which is the username for HTTP Basic authentication. It is not secret.',
    }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'The permissions of the key. Empty for a publishable key.',
      resolve: ({ permissions }) => permissions as (typeof PermissionEnum.$inferType)[],
    }),
    allowedOrigins: t.exposeStringList('allowedOrigins', {
      description:
        'The origins that a publishable key accepts in `notifyUrl` and `redirectUrl`. An empty list allows any origin.',
    }),
    status: t.field({
      type: ApiKeyStatus,
      description: 'The status of the key.',
      resolve: (apiKey, _args, { clock }) => getApiKeyStatus(apiKey, clock.now()),
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which the key was last used, accurate to five minutes; null if it was never used.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the key expires; null if it does not expire.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the key was revoked; null if it was not revoked.',
    }),
    replacedById: t.exposeID('replacedById', {
      nullable: true,
      description: 'The ID of the key that replaced this key in a rotation; null if it was not rotated.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the key was created.',
    }),
  }),
});

function getApiKeyStatus(apiKey: ApiKey, now: Date) {
  if (apiKey.revokedAt) return 'revoked' as const;
  if (!isUsable(apiKey, now)) return 'expired' as const;
  return apiKey.expiresAt ? ('expiring' as const) : ('active' as const);
}

const ApiKeyConnection = createConnectionType(ApiKeyType, 'ApiKey');

builder.queryFields((t) => ({
  apiKey: t.prismaField({
    type: ApiKeyType,
    nullable: true,
    description: 'A single API key, without its secret.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the key, `key_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.apiKey.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  apiKeys: t.prismaConnection(
    {
      type: ApiKeyType,
      nullable: true,
      ...idPagingOptions,
      description: 'Your API keys of this mode, newest first, without their secrets.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.apiKey.findMany(toKeysetQuery(query, 'ApiKey', getMerchantScope(context))),
      totalCount: (_root, _args, context) =>
        context.service.prisma.apiKey.count({ where: getMerchantScope(context) }),
    },
    ApiKeyConnection,
  ),
}));
