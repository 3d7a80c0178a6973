import type { MerchantUser } from '../../prisma/client/client.ts';
import { removeUser } from '../../src/domain/accounts/user/remove-user.ts';
import { updateUser } from '../../src/domain/accounts/user/update-user.ts';
import { onlyOwners } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { acting } from '../kit/graphql-context.ts';
import { MerchantUserType, UserRole } from './user.ts';

const idOfUser = { required: true, description: 'The user, `usr_…`.' } as const;

const UpdateUserInput = builder.inputType('UpdateUserInput', {
  description: 'Whose role, and which.',
  fields: (t) => ({
    id: t.id(idOfUser),
    role: t.field({ type: UserRole, required: true, description: 'The role: not `operator`.' }),
  }),
});

const UpdateUserSuccess = builder.objectRef<{ user: MerchantUser }>('UpdateUserSuccess').implement({
  description: 'It holds from the next request on.',
  fields: (t) => ({ user: t.expose('user', { type: MerchantUserType, description: 'The user.' }) }),
});

builder.mutationField('updateUser', (t) =>
  t.field({
    type: UpdateUserSuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Gives a user another role. The last owner stays one. ${onlyOwners}`,
    args: { input: t.arg({ type: UpdateUserInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => ({
      user: await updateUser(context.service, { ...acting(context), ...input }),
    }),
  }),
);

const RemoveUserInput = builder.inputType('RemoveUserInput', {
  description: 'Who is to go.',
  fields: (t) => ({ id: t.id(idOfUser) }),
});

const RemoveUserSuccess = builder.objectRef<{ user: MerchantUser }>('RemoveUserSuccess').implement({
  description: 'Their sessions and open connections have ended.',
  fields: (t) => ({ user: t.expose('user', { type: MerchantUserType, description: 'Who was removed.' }) }),
});

builder.mutationField('removeUser', (t) =>
  t.field({
    type: RemoveUserSuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Removes a user. The last owner stays. ${onlyOwners}`,
    args: { input: t.arg({ type: RemoveUserInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input }, context) => ({
      user: await removeUser(context.service, { ...acting(context), ...input }),
    }),
  }),
);
