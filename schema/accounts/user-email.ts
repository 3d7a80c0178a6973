import { changeEmail } from '../../src/domain/accounts/user/change-email.ts';
import { builder } from '../kit/builder.ts';
import { requireSessionUser } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { type Viewer, ViewerType } from './viewer.ts';

const ChangeEmailInput = builder.inputType('ChangeEmailInput', {
  description: 'The new email address, and the password.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'The new email address, with which you then sign in.' }),
    currentPassword: t.string({
      required: true,
      description: 'Your current password, which confirms your identity.',
    }),
    code: t.string({
      description:
        'A code from the authenticator app, or a recovery code. Required if you have enabled two-factor authentication.',
    }),
  }),
});

const ChangeEmailSuccess = successType('ChangeEmailSuccess', {
  description:
    'The result of changing the email address. All other user sessions of the user have ended, and both addresses receive an email.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('changeEmail', (t) =>
  t.field({
    type: ChangeEmailSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Changes the email address with which you sign in and to which the service sends your email. The mutation fails with `invalid_request` if another user has this address, with `permission_denied` if the current password is wrong, with `two_factor_code_required` or `verification_code_invalid` if the code is missing or wrong, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: ChangeEmailInput,
        required: true,
        description: 'The new email address, and the password.',
      }),
    },
    resolve: async (_root, { input: { email, currentPassword, code } }, context) => {
      const credentials = { password: currentPassword, code };
      const user = await changeEmail(context.service, { ...requireSessionUser(context), credentials, email });
      const caller = context.caller as Viewer;
      return { viewer: { ...caller, user } };
    },
  }),
);
