import type { MerchantUser } from '../../prisma/client/client.ts';
import { requireUserReader } from '../../src/domain/accounts/user/roles.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { filterArg } from '../list-filters.ts';

export const UserRole = builder.enumType('UserRole', {
  description: 'The role of a dashboard user, which determines their permissions.',
  values: {
    owner: {
      description: 'Owners have all permissions in both modes, and manage users, API keys and settings.',
    },
    developer: {
      description:
        'Developers build the integration. They have all permissions in the sandbox, but only `read`, `write` and `sell` in live mode.',
    },
    accountant: {
      description:
        'Accountants keep the books. They have the permissions `read` and `transfers` in both modes: they can view and export data, import statements, and assign transfers.',
    },
    support: {
      description:
        'Support users help customers. They have the permissions `read`, `write` and `sell` in both modes: they can view data, create links, sell at the counter, and cancel charges, sessions and subscriptions.',
    },
    cashier: {
      description: 'Cashiers sell at the counter. They have only the permission `sell` in both modes.',
    },
    read_only: { description: 'Read-only users have the permission `read` in both modes.' },
    operator: { description: 'Operators run this installation of Causeway. They belong to no merchant.' },
  },
});

export const PermissionEnum = builder.enumType('Permission', {
  description: 'A permission of an API key or a user. Operations name the permission that they require.',
  values: {
    read: { description: 'The caller can read all data except bank details, users and the audit trail.' },
    write: { description: 'The caller can create and cancel charges, sessions, links and subscriptions.' },
    refund: {
      description: 'The caller can create and cancel refunds, and read and enter their bank details.',
    },
    transfers: {
      description: 'The caller can record and import transfers, allocate them to charges, and pay refunds.',
    },
    manage: {
      description:
        'The caller can change receiving accounts, plans, webhooks, certificates and settings. API keys also need this permission to read users and the audit trail.',
    },
    sell: {
      description:
        'The user can sell at the counter and see their own sales. API keys cannot have this permission.',
    },
  },
});

const loadLastSeen = createLoader<Date>(async ({ service: { prisma } }, ids) => {
  const rows = await prisma.userSession.groupBy({
    by: ['userId'],
    where: { userId: { in: ids } },
    _max: { lastSeenAt: true },
  });
  return new Map(
    rows.flatMap(({ userId, _max: { lastSeenAt } }) => (lastSeenAt ? [[userId, lastSeenAt]] : [])),
  );
});

function buildVisibleUserFilter(context: GraphqlContext) {
  requireUserReader(requireMerchantCaller(context));
  return { merchantId: getMerchantScope(context).merchantId, removedAt: null };
}

export const MerchantUserType = builder.prismaNode('MerchantUser', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, AND: [buildVisibleUserFilter(context)] }),
  description: 'A user who can sign in to the dashboard.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The email address that the user signs in with.' }),
    name: t.string({
      nullable: true,
      description: 'The display name of the user. Null if the user has not set one.',
      resolve: ({ name }) => name || null,
    }),
    role: t.expose('role', {
      type: UserRole,
      description: 'The role of the user, which determines their permissions.',
    }),
    hasTwoFactor: t.boolean({
      nullable: true,
      description:
        'Whether the user has enabled two-factor authentication. Only owners and the user can read it. Null for all other callers.',
      resolve: (user, _args, context) => {
        requireOwnerOrSelf(user, context);
        return user.totpEncrypted !== null;
      },
    }),
    lastSeenAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which the user last used the dashboard, accurate to five minutes. Null if the user has no open session. Only owners and the user can read it. Null for all other callers.',
      resolve: (user, _args, context) => {
        requireOwnerOrSelf(user, context);
        return loadLastSeen(context, user.id);
      },
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the user was added.',
    }),
  }),
});

function requireOwnerOrSelf({ id }: MerchantUser, { caller }: GraphqlContext): void {
  const isSelf = (caller.kind === 'user' || caller.kind === 'operator') && caller.user.id === id;
  if (isSelf || (caller.kind === 'user' && caller.user.role === 'owner')) return;
  throw new DomainError('permission_denied', 'Only an owner can view how other users sign in');
}

const UserConnection = createConnectionType(MerchantUserType, 'MerchantUser');

const UserFilter = builder.inputType('UserFilter', {
  description:
    'The conditions that the users of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({ role: t.field({ type: UserRole, description: 'Returns only users with this role.' }) }),
});

builder.queryFields((t) => ({
  user: t.prismaField({
    type: MerchantUserType,
    nullable: true,
    description:
      'Returns the user of your dashboard with this ID, or null if it does not exist. Requires an owner, or a live key with the permission `manage`.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the user, `usr_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.merchantUser.findFirst({
        ...query,
        where: { id, ...buildVisibleUserFilter(context) },
      }),
  }),
  users: t.prismaConnection(
    {
      type: MerchantUserType,
      nullable: true,
      ...idPagingOptions,
      description:
        'Returns the users of your dashboard, newest first. Requires an owner, or a live key with the permission `manage`.',
      args: {
        filter: t.arg(filterArg(UserFilter)),
      },
      resolve: (query, _root, { filter }, context) => {
        const where = { ...buildVisibleUserFilter(context), ...(filter?.role && { role: filter.role }) };
        return context.service.prisma.merchantUser.findMany(toKeysetQuery(query, 'MerchantUser', where));
      },
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.merchantUser.count({
          where: { ...buildVisibleUserFilter(context), ...(filter?.role && { role: filter.role }) },
        }),
    },
    UserConnection,
  ),
}));
