import type { MerchantUser } from '../../prisma/client/client.ts';
import { requireUserReader } from '../../src/domain/accounts/user/require-user-reader.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, merchantCaller, owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';

export const UserRole = builder.enumType('UserRole', {
  description: 'What a user of the dashboard is for.',
  values: {
    owner: { description: 'May do everything for the merchant.' },
    developer: { description: 'Builds the integration: everything in the sandbox, no money in live mode.' },
    support: { description: 'Helps customers: sees, makes links, cancels.' },
    operator: { description: 'Runs this installation; acts for no merchant.' },
  },
});

export const PermissionEnum = builder.enumType('Permission', {
  description: 'What credentials may do.',
  values: {
    read: { description: 'Read everything.' },
    write: { description: 'Create charges, sessions and links, and cancel.' },
    refund: { description: 'Give money back.' },
    transfers: { description: 'Record money that came, and say what it counts for.' },
    manage: { description: 'Change receiving accounts, plans, webhooks, certificates and settings.' },
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

/** Errors: as requireUserReader. */
function visibleUsers(context: GraphqlContext) {
  requireUserReader(merchantCaller(context));
  return { merchantId: owned(context).merchantId, disabledAt: null };
}

export const MerchantUserType = builder.prismaNode('MerchantUser', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, AND: [visibleUsers(context)] }),
  description: 'Somebody who signs in to the dashboard.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The e-mail address they sign in with.' }),
    name: t.exposeString('name', {
      description: 'What they call themselves; empty where they have not said.',
    }),
    role: t.expose('role', { type: UserRole, description: 'What they are for.' }),
    hasSecondFactor: t.boolean({
      description: 'Whether signing in takes a code besides the password. For owners, and of oneself.',
      resolve: (user, _args, context) => {
        requireOwnerOrSelf(user, context);
        return user.totpEncrypted !== null;
      },
    }),
    lastSeenAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When they were last at the dashboard, to within five minutes; null when no session is open. For owners, and of oneself.',
      resolve: (user, _args, context) => {
        requireOwnerOrSelf(user, context);
        return loadLastSeen(context, user.id);
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were added.' }),
  }),
});

/** Error: `permission_denied`. */
function requireOwnerOrSelf({ id }: MerchantUser, { caller }: GraphqlContext): void {
  const isSelf = (caller.kind === 'user' || caller.kind === 'operator') && caller.user.id === id;
  if (isSelf || (caller.kind === 'user' && caller.user.role === 'owner')) return;
  throw new DomainError('permission_denied', 'Only an owner sees how others sign in');
}

const UserConnection = connectionOf(MerchantUserType, 'MerchantUser');

const UserFilter = builder.inputType('UserFilter', {
  description: 'Which users.',
  fields: (t) => ({ role: t.field({ type: UserRole, description: 'Only those with this role.' }) }),
});

builder.queryFields((t) => ({
  user: t.prismaField({
    type: MerchantUserType,
    nullable: true,
    description: 'One user of your dashboard. For owners, and live keys with the permission `manage`.',
    args: { id: t.arg.id({ required: true, description: 'Their id, `usr_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.merchantUser.findFirst({ ...query, where: { id, ...visibleUsers(context) } }),
  }),
  users: t.prismaConnection(
    {
      type: MerchantUserType,
      ...pagedById,
      description:
        'The users of your dashboard, newest first. For owners, and live keys with the permission `manage`.',
      args: { filter: t.arg({ type: UserFilter, description: 'Which.' }) },
      resolve: (query, _root, { filter }, context) => {
        const where = { ...visibleUsers(context), ...(filter?.role && { role: filter.role }) };
        return context.service.prisma.merchantUser.findMany(keyset(query, 'MerchantUser', where));
      },
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.merchantUser.count({
          where: { ...visibleUsers(context), ...(filter?.role && { role: filter.role }) },
        }),
    },
    UserConnection,
  ),
}));
