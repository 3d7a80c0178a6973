import { requireUserReader } from '../../src/domain/accounts/user/require-user-reader.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, merchantCaller, owned } from '../kit/graphql-context.ts';
import { loadActorName } from './audit-entry.ts';
import { UserRole } from './user.ts';

/** Errors: as requireUserReader. */
function visibleInvitations(context: GraphqlContext) {
  requireUserReader(merchantCaller(context));
  return { merchantId: owned(context).merchantId };
}

export const InvitationType = builder.prismaNode('UserInvitation', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, AND: [visibleInvitations(context)] }),
  description: 'Somebody who is invited to the dashboard and has not accepted yet.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'Where the invitation was mailed.' }),
    role: t.expose('role', { type: UserRole, description: 'What they are to be.' }),
    invitedBy: t.string({
      description: 'Who invites, in words: the e-mail address of an owner, or `operator`.',
      resolve: async ({ invitedBy }, _args, context) =>
        (await loadActorName(context, invitedBy)) ?? invitedBy,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were invited.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', description: 'When the mail was sent last.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when its link counts; after that it can be sent again.',
    }),
  }),
});

const InvitationConnection = connectionOf(InvitationType, 'UserInvitation');

builder.queryFields((t) => ({
  userInvitation: t.prismaField({
    type: InvitationType,
    nullable: true,
    description: 'One invitation. For owners, and live keys with the permission `manage`.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `inv_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.userInvitation.findFirst({
        ...query,
        where: { id, ...visibleInvitations(context) },
      }),
  }),
  userInvitations: t.prismaConnection(
    {
      type: InvitationType,
      ...pagedById,
      description:
        'The invitations that were neither accepted nor withdrawn, newest first. For owners, and live keys with the permission `manage`.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.userInvitation.findMany(
          keyset(query, 'UserInvitation', visibleInvitations(context)),
        ),
      totalCount: (_root, _args, context) =>
        context.service.prisma.userInvitation.count({ where: visibleInvitations(context) }),
    },
    InvitationConnection,
  ),
}));
