import { changeName } from '../../src/domain/accounts/user/change-name.ts';
import { builder } from '../kit/builder.ts';
import { requireSessionUser } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { type Viewer, ViewerType } from './viewer.ts';

const UpdateViewerInput = builder.inputType('UpdateViewerInput', {
  description: 'The changes to your user. Omitted fields remain unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Your display name, at most 80 characters. Null removes it.' }),
  }),
});

const UpdateViewerSuccess = successType('UpdateViewerSuccess', {
  description:
    'The result of updating your user. The audit trail and the list of users show your display name.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('updateViewer', (t) =>
  t.field({
    type: UpdateViewerSuccess,
    errors: {},
    twoFactor: 'account',
    authScopes: { self: true },
    description: 'Changes or removes your display name. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({ type: UpdateViewerInput, required: true, description: 'The changes to your user.' }),
    },
    resolve: async (_root, { input: { name } }, context) => {
      const session = requireSessionUser(context);
      const viewer = context.caller as Viewer;
      if (name === undefined) return { viewer };
      return { viewer: { ...viewer, user: await changeName(context.service, { ...session, name }) } };
    },
  }),
);
