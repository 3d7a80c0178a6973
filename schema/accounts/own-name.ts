import { changeName } from '../../src/domain/accounts/user/change-name.ts';
import { builder } from '../kit/builder.ts';
import { self } from '../kit/graphql-context.ts';
import { MerchantUserType } from './user.ts';

const ChangeNameInput = builder.inputType('ChangeNameInput', {
  description: 'What to call you.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name, at most 80 characters.' }),
  }),
});

const ChangeNameSuccess = builder
  .objectRef<{ user: Awaited<ReturnType<typeof changeName>> }>('ChangeNameSuccess')
  .implement({
    description: 'The audit log and the list of users name you so from now on.',
    fields: (t) => ({ user: t.expose('user', { type: MerchantUserType, description: 'You.' }) }),
  });

builder.mutationField('changeName', (t) =>
  t.field({
    type: ChangeNameSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Changes what you are called.',
    args: { input: t.arg({ type: ChangeNameInput, required: true, description: 'What.' }) },
    resolve: async (_root, { input }, context) => ({
      user: await changeName(context.service, { ...self(context), ...input }),
    }),
  }),
);
