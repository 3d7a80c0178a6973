import { removeUser } from '../../src/domain/accounts/user/remove-user.ts';
import { updateUser } from '../../src/domain/accounts/user/update-user.ts';
import { ownerOnlyDescription } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { toRequestContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { MerchantUserType, UserRole } from './user.ts';

const userIdArg = { required: true, description: 'The ID of the user, `usr_…`.' } as const;

const UpdateUserInput = builder.inputType('UpdateUserInput', {
  description: 'The user and their new role.',
  fields: (t) => ({
    id: t.id(userIdArg),
    role: t.field({
      type: UserRole,
      required: true,
      description: 'The new role: any except `operator`.',
    }),
  }),
});

const UpdateUserSuccess = successType('UpdateUserSuccess', {
  description: 'The result of changing the role of a user. The change applies from the next request on.',
  fields: { user: { type: MerchantUserType, description: 'The user with the new role.' } },
});

builder.mutationField('updateUser', (t) =>
  t.field({
    type: UpdateUserSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { merchant: true },
    description: `Changes the role of a user. The mutation fails with \`user_not_found\`, or with \`last_owner\` if the user is the last owner. ${ownerOnlyDescription}`,
    args: {
      input: t.arg({ type: UpdateUserInput, required: true, description: 'The user and their new role.' }),
    },
    resolve: async (_root, { input }, context) => ({
      user: await updateUser(context.service, { ...toRequestContext(context), ...input }),
    }),
  }),
);

const RemoveUserInput = builder.inputType('RemoveUserInput', {
  description: 'The user to remove.',
  fields: (t) => ({ id: t.id(userIdArg) }),
});

const RemoveUserSuccess = successType('RemoveUserSuccess', {
  description:
    'The result of removing a user. The sessions of the user have ended, and their open connections are closed.',
  fields: { removedUserId: { property: 'id', type: 'ID', description: 'The ID of the removed user.' } },
});

builder.mutationField('removeUser', (t) =>
  t.field({
    type: RemoveUserSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { merchant: true },
    description: `Removes a user from your dashboard. The mutation fails with \`user_not_found\`, or with \`last_owner\` if the user is the last owner. ${ownerOnlyDescription}`,
    args: { input: t.arg({ type: RemoveUserInput, required: true, description: 'The user to remove.' }) },
    resolve: (_root, { input }, context) =>
      removeUser(context.service, { ...toRequestContext(context), ...input }),
  }),
);
