import { changeEmail } from '../../src/domain/accounts/user/change-email.ts';
import { confirmEmailChange } from '../../src/domain/accounts/user/confirm-email-change.ts';
import { builder } from '../kit/builder.ts';
import { requireSessionUser } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { type Viewer, ViewerType } from './viewer.ts';

const ChangeEmailInput = builder.inputType('ChangeEmailInput', {
  description: 'The new email address, and the password.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'The new email address, with which you then sign in.' }),
    password: t.string({
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
    'The result of requesting a new email address. With a mail server, `viewer.pendingEmail` is the new address until you confirm it with the emailed link. Without one, the address has changed, and all your other user sessions have ended.',
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
      'Changes the email address with which you sign in and to which the service sends your email. With a mail server, the change takes effect when you confirm it with the link that is emailed to the new address (`confirmEmailChange`). Without one, it takes effect immediately. A later request replaces a pending one; a request with your current address cancels it. If another user has the new address, this mutation fails with `invalid_request` only without a mail server, and otherwise `confirmEmailChange` does. It fails with `permission_denied` if the current password is wrong, with `two_factor_code_required` or `verification_code_invalid` if the code is missing or wrong, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: ChangeEmailInput,
        required: true,
        description: 'The new email address, and the password.',
      }),
    },
    resolve: async (_root, { input: { email, password, code } }, context) => {
      const credentials = { password, code };
      const user = await changeEmail(context.service, { ...requireSessionUser(context), credentials, email });
      const caller = context.caller as Viewer;
      return { viewer: { ...caller, user } };
    },
  }),
);

const ConfirmEmailChangeInput = builder.inputType('ConfirmEmailChangeInput', {
  description: 'The token of the emailed link.',
  fields: (t) => ({
    token: t.string({
      required: true,
      description: 'The token in the emailed link, which is the part of the URL after the `#`.',
    }),
  }),
});

const ConfirmEmailChangeSuccess = successType('ConfirmEmailChangeSuccess', {
  description:
    'The result of confirming a new email address. All your other user sessions have ended, and both addresses receive an email.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('confirmEmailChange', (t) =>
  t.field({
    type: ConfirmEmailChangeSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Changes your email address with the token of the link that was emailed to the new address. The link can be used once, within an hour, and only by the user who requested the change. The mutation fails with `link_invalid` if the link is not valid, with `invalid_request` if another user has the address, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: ConfirmEmailChangeInput,
        required: true,
        description: 'The token of the emailed link.',
      }),
    },
    resolve: async (_root, { input: { token } }, context) => {
      const user = await confirmEmailChange(context.service, { ...requireSessionUser(context), token });
      return { viewer: { ...(context.caller as Viewer), user } };
    },
  }),
);
