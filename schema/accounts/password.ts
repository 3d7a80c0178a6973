import { changePassword } from '../../src/domain/accounts/user/change-password.ts';
import { requestPasswordReset } from '../../src/domain/accounts/user/request-password-reset.ts';
import { resetPassword } from '../../src/domain/accounts/user/reset-password.ts';
import { builder } from '../kit/builder.ts';
import { requireBrowser, self } from '../kit/graphql-context.ts';
import { type Viewer, ViewerType } from './viewer.ts';

const rules =
  'at least 12 characters; refused are your e-mail address and the passwords that are guessed first';

const RequestPasswordResetInput = builder.inputType('RequestPasswordResetInput', {
  description: 'Who has forgotten the password.',
  fields: (t) => ({ email: t.string({ required: true, description: 'The e-mail address of a user.' }) }),
});

const RequestPasswordResetSuccess = builder
  .objectRef<{ email: string }>('RequestPasswordResetSuccess')
  .implement({
    description: 'The same answer whether or not somebody signs in with the address.',
    fields: (t) => ({
      email: t.exposeString('email', { description: 'Where a mail goes if it is that of a user.' }),
    }),
  });

builder.mutationField('requestPasswordReset', (t) =>
  t.field({
    type: RequestPasswordResetSuccess,
    errors: {},
    authScopes: { browser: true },
    description:
      'Mails a user a link to set a new password, for one use within an hour. Only for the pages of the dashboard.',
    args: { input: t.arg({ type: RequestPasswordResetInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input }, context) => {
      const { address } = requireBrowser(context);
      const { service, clock } = context;
      return { email: await requestPasswordReset(service, { ...input, address, now: clock.now() }) };
    },
  }),
);

const ResetPasswordInput = builder.inputType('ResetPasswordInput', {
  description: 'The new password.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'What the link of the mail carries after `#`.' }),
    password: t.string({ required: true, description: `The password: ${rules}.` }),
  }),
});

const ResetPasswordSuccess = builder.objectRef<{ email: string }>('ResetPasswordSuccess').implement({
  description: 'The password is set; every session of the user has ended.',
  fields: (t) => ({ email: t.exposeString('email', { description: 'With which they sign in.' }) }),
});

builder.mutationField('resetPassword', (t) =>
  t.field({
    type: ResetPasswordSuccess,
    errors: {},
    authScopes: { browser: true },
    description: 'Sets a new password by the link that was mailed. Only for the pages of the dashboard.',
    args: { input: t.arg({ type: ResetPasswordInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const browser = requireBrowser(context);
      const { service, clock } = context;
      const { address } = browser;
      const email = await resetPassword(service, { ...input, address, now: clock.now() });
      browser.remember(email);
      return { email };
    },
  }),
);

const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  description: 'The present password and the new one.',
  fields: (t) => ({
    password: t.string({ required: true, description: 'The present password.' }),
    newPassword: t.string({ required: true, description: `The new one: ${rules}.` }),
    code: t.string({ description: 'A code of the second factor, where it is on.' }),
  }),
});

const ChangePasswordSuccess = builder.objectRef<{ viewer: Viewer }>('ChangePasswordSuccess').implement({
  description: 'It is changed; all other sessions have ended.',
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'You.' }) }),
});

builder.mutationField('changePassword', (t) =>
  t.field({
    type: ChangePasswordSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Changes your password.',
    args: { input: t.arg({ type: ChangePasswordInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input: { newPassword, ...proof } }, context) => {
      await changePassword(context.service, { ...self(context), proof, newPassword });
      return { viewer: context.caller as Viewer };
    },
  }),
);
