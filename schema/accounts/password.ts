import { requestPasswordReset, resetPassword } from '../../src/domain/accounts/user/reset-password.ts';
import { changePassword } from '../../src/domain/accounts/user/set-password.ts';
import { builder } from '../kit/builder.ts';
import { requireBrowser, requireSessionUser } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { type Viewer, ViewerType } from './viewer.ts';

const passwordRules =
  '12 to 128 characters. Common passwords, and passwords that contain your name, the name of the merchant, or your email address, are rejected';

const RequestPasswordResetInput = builder.inputType('RequestPasswordResetInput', {
  description: 'The user whose password is to be reset.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'The email address that the user signs in with.' }),
  }),
});

const RequestPasswordResetSuccess = successType('RequestPasswordResetSuccess', {
  description:
    'The result of requesting a password reset. It is the same whether or not a user has this email address.',
  fields: {
    email: {
      type: 'String',
      description: 'The email address. An email is sent to it if it belongs to a user.',
    },
  },
});

builder.mutationField('requestPasswordReset', (t) =>
  t.field({
    type: RequestPasswordResetSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { browser: true },
    description:
      'Emails a user a single-use link for setting a new password. The link is valid for one hour. The mutation fails with `rate_limited` after too many requests from one network. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: RequestPasswordResetInput,
        required: true,
        description: 'The user whose password is reset.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { ipAddress } = requireBrowser(context);
      const { service, clock } = context;
      return { email: await requestPasswordReset(service, { ...input, ipAddress, now: clock.now() }) };
    },
  }),
);

const ResetPasswordInput = builder.inputType('ResetPasswordInput', {
  description: 'The token of the emailed link, and the new password.',
  fields: (t) => ({
    token: t.string({
      required: true,
      description: 'The token in the emailed link, which is the part of the URL after the `#`.',
    }),
    newPassword: t.string({ required: true, description: `The new password, ${passwordRules}.` }),
  }),
});

const ResetPasswordSuccess = successType('ResetPasswordSuccess', {
  description: 'The result of setting a new password. All sessions of the user have ended.',
  fields: {
    email: { type: 'String', description: 'The email address of the user, with which they can now sign in.' },
  },
});

builder.mutationField('resetPassword', (t) =>
  t.field({
    type: ResetPasswordSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { browser: true },
    description:
      'Sets a new password with the token of an emailed link. The mutation fails with `link_invalid` if the link has expired or was already used, with `invalid_request` if the password is not accepted, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: ResetPasswordInput,
        required: true,
        description: 'The token and the new password.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const browser = requireBrowser(context);
      const { service, clock } = context;
      const { ipAddress } = browser;
      const email = await resetPassword(service, { ...input, ipAddress, now: clock.now() });
      browser.setTrustedBrowserCookie(email);
      return { email };
    },
  }),
);

const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  description: 'The current password and the new password.',
  fields: (t) => ({
    password: t.string({
      required: true,
      description: 'Your current password, which confirms your identity.',
    }),
    newPassword: t.string({ required: true, description: `The new password, ${passwordRules}.` }),
    code: t.string({
      description:
        'A code from the authenticator app, or a recovery code. Required if you have enabled two-factor authentication.',
    }),
  }),
});

const ChangePasswordSuccess = successType('ChangePasswordSuccess', {
  description: 'The result of changing the password. All other user sessions of the user have ended.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('changePassword', (t) =>
  t.field({
    type: ChangePasswordSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Changes your password. The mutation fails with `invalid_request` if the new password breaks the rules, with `permission_denied` if the current password is wrong, with `two_factor_code_required` or `verification_code_invalid` if the code is missing or wrong, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: ChangePasswordInput,
        required: true,
        description: 'The current password and the new password.',
      }),
    },
    resolve: async (_root, { input: { password, newPassword, code } }, context) => {
      const credentials = { password, code };
      await changePassword(context.service, { ...requireSessionUser(context), credentials, newPassword });
      return { viewer: context.caller as Viewer };
    },
  }),
);
