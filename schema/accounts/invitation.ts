import { requireUserReader } from '../../src/domain/accounts/user/roles.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { ActorType } from '../platform/actor.ts';
import { UserRole } from './user.ts';

function buildVisibleInvitationFilter(context: GraphqlContext) {
  requireUserReader(requireMerchantCaller(context));
  return { merchantId: getMerchantScope(context).merchantId };
}

export const InvitationType = builder.prismaNode('UserInvitation', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, AND: [buildVisibleInvitationFilter(context)] }),
  description: 'An invitation to the dashboard that has not been accepted yet.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The email address to which the invitation was sent.' }),
    role: t.expose('role', { type: UserRole, description: 'The role that the invited user will have.' }),
    invitedBy: t.expose('invitedBy', { type: ActorType, description: 'The actor that sent the invitation.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the invitation was created.',
    }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      description: 'The time at which the invitation was last emailed.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description:
        'The time at which the link in the email expires. After that time, the invitation can be resent.',
    }),
  }),
});

const InvitationConnection = createConnectionType(InvitationType, 'UserInvitation');

builder.queryFields((t) => ({
  userInvitation: t.prismaField({
    type: InvitationType,
    nullable: true,
    description:
      'Returns the invitation with this ID, or null if it does not exist. Requires an owner, or a live key with the permission `manage`.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the invitation, `inv_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.userInvitation.findFirst({
        ...query,
        where: { id, ...buildVisibleInvitationFilter(context) },
      }),
  }),
  userInvitations: t.prismaConnection(
    {
      type: InvitationType,
      nullable: true,
      ...idPagingOptions,
      description:
        'Returns the invitations that were neither accepted nor withdrawn, newest first. Requires an owner, or a live key with the permission `manage`.',
      resolve: (query, _root, _args, context) =>
        context.service.prisma.userInvitation.findMany(
          toKeysetQuery(query, 'UserInvitation', buildVisibleInvitationFilter(context)),
        ),
      totalCount: (_root, _args, context) =>
        context.service.prisma.userInvitation.count({ where: buildVisibleInvitationFilter(context) }),
    },
    InvitationConnection,
  ),
}));
