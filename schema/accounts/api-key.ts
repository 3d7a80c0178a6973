import type { ApiKey } from '../../prisma/client/client.ts';
import { isUsable } from '../../src/domain/accounts/api-key/authenticate-key.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { createRowLoader } from '../kit/loader.ts';
import { Mode } from './merchant.ts';
import { PermissionEnum } from './user.ts';

export const ApiKeyKind = builder.enumType('ApiKeyKind', {
  description: 'Whether an API key is a secret key or a publishable key.',
  values: {
    secret: { description: 'A key with a secret, for use on your server. Its permissions limit its access.' },
    publishable: {
      description:
        'A key without a secret, which identifies you in checkout links and checkout URLs. It can only start a checkout.',
    },
  },
});

const ApiKeyStatus = builder.enumType('ApiKeyStatus', {
  description: 'Whether an API key can still be used.',
  values: {
    active: { description: 'The key is valid and has not been replaced.' },
    expiring: { description: 'The key was replaced by another key and remains valid until `expiresAt`.' },
    expired: { description: 'The time `expiresAt` has passed, and the key is rejected.' },
    revoked: { description: 'The key was revoked and is rejected.' },
  },
});

const loadApiKey = createRowLoader<ApiKey>((context, where) =>
  context.service.prisma.apiKey.findMany({ where }),
);

export const ApiKeyType = builder.prismaNode('ApiKey', {
  id: { field: 'id' },
  nullable: true,
  authScopes: merchantOnly.authScopes,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'An API key. A secret key authenticates your server, and a publishable key identifies you in checkout URLs. Each key belongs to one mode.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The name that your users gave the key, such as `Web shop`.',
    }),
    kind: t.expose('kind', {
      type: ApiKeyKind,
      description: 'Whether the key is a secret key or a publishable key.',
    }),
    mode: t.expose('mode', {
      type: Mode,
      description: 'The mode in which the key can be used, `live` or `sandbox`.',
    }),
    key: t.exposeString('key', {
      description:
        'The public identifier of the key. For a secret key, it is the username for HTTP Basic authentication; a publishable key (`pk_…`) appears in checkout URLs. It is not confidential.',
    }),
    permissions: t.field({
      type: [PermissionEnum],
      description:
        'The permissions that requests with the key have. The list is empty for a publishable key.',
      resolve: ({ permissions }) => permissions as (typeof PermissionEnum.$inferType)[],
    }),
    allowedOrigins: t.exposeStringList('allowedOrigins', {
      description:
        'The allowed origins of the `notifyUrl` of checkout URLs, and of the `redirectUrl` of checkout links, that use this publishable key. An empty list allows any origin.',
    }),
    status: t.field({
      type: ApiKeyStatus,
      description:
        'Whether the key can still be used. An `active` or `expiring` key is valid; an `expired` or `revoked` key is rejected.',
      resolve: (apiKey, _args, { clock }) => getApiKeyStatus(apiKey, clock.now()),
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which the key was last used, accurate to five minutes. Null if it was never used.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the key expires. Null if it does not expire.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the key was revoked. Null if it was not revoked.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the key was created.',
    }),
  }),
});

builder.prismaObjectField(ApiKeyType, 'replacedBy', (t) =>
  t.field({
    type: ApiKeyType,
    nullable: true,
    description: 'The key that replaced this key in a rotation. Null if this key has not been rotated.',
    resolve: ({ replacedById }, _args, context) => loadApiKey(context, replacedById),
  }),
);

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
    description: 'Returns the API key with this ID, without its secret, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the key, `key_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.apiKey.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  apiKeys: t.prismaConnection(
    {
      type: ApiKeyType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your API keys in the mode of the request, newest first, without their secrets.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.apiKey.findMany(toKeysetQuery(query, 'ApiKey', getMerchantScope(context))),
      totalCount: (_root, _args, context) =>
        context.service.prisma.apiKey.count({ where: getMerchantScope(context) }),
    },
    ApiKeyConnection,
  ),
}));
