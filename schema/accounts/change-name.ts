import { changeName } from '../../src/domain/accounts/user/change-name.ts';
import { builder } from '../kit/builder.ts';
import { requireSessionUser } from '../kit/graphql-context.ts';
import { MerchantUserType } from './user.ts';

const UpdateViewerInput = builder.inputType('UpdateViewerInput', {
  description: 'Your new display name.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Your display name, at most 80 characters.' }),
  }),
});

const UpdateViewerSuccess = builder
  .objectRef<{ user: Awaited<ReturnType<typeof changeName>> }>('UpdateViewerSuccess')
  .implement({
    description: 'Your display name was changed. The audit log and the list of users now show it.',
    fields: (t) => ({ user: t.expose('user', { type: MerchantUserType, description: 'Your user.' }) }),
  });

builder.mutationField('updateViewer', (t) =>
  t.field({
    type: UpdateViewerSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Changes your display name.',
    args: { input: t.arg({ type: UpdateViewerInput, required: true, description: 'The new display name.' }) },
    resolve: async (_root, { input }, context) => ({
      user: await changeName(context.service, { ...requireSessionUser(context), ...input }),
    }),
  }),
);
