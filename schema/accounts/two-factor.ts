import { disableTwoFactor } from '../../src/domain/accounts/user/disable-two-factor.ts';
import { reauthenticate } from '../../src/domain/accounts/user/reauthenticate.ts';
import { regenerateRecoveryCodes } from '../../src/domain/accounts/user/regenerate-recovery-codes.ts';
import {
  beginTwoFactorSetup,
  confirmTwoFactorSetup,
} from '../../src/domain/accounts/user/set-up-two-factor.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, requireSessionUser } from '../kit/graphql-context.ts';
import { redactOnReplay } from '../kit/idempotency-plugin.ts';
import { successType } from '../kit/success-type.ts';
import { type Viewer, ViewerType } from './viewer.ts';

const codeDescription = 'A code from the authenticator app, or a recovery code.';

/** Authenticates the request again, because the row of the user has changed. */
async function reloadViewer(context: GraphqlContext): Promise<{ viewer: Viewer }> {
  return { viewer: (await context.authenticate()) as Viewer };
}

const BeginTwoFactorSetupInput = builder.inputType('BeginTwoFactorSetupInput', {
  description: 'The credentials that confirm your identity.',
  fields: (t) => ({
    password: t.string({
      required: true,
      description: 'Your current password, which confirms your identity.',
    }),
    code: t.string({
      description:
        'A code from the current authenticator app, or a recovery code. Required if two-factor authentication is already enabled and you want to use another app.',
    }),
  }),
});

const BeginTwoFactorSetupSuccess = successType('BeginTwoFactorSetupSuccess', {
  description:
    'The secret for an authenticator app. It takes effect after you confirm it with a code (`confirmTwoFactorSetup`).',
  fields: {
    secret: {
      type: 'String',
      ...redactOnReplay,
      description:
        'The secret in Base32, for entering it in the authenticator app if the app cannot scan the QR code.',
    },
    otpauthUri: {
      property: 'uri',
      type: 'String',
      ...redactOnReplay,
      description:
        'The URI `otpauth://…`, which you show as a QR code to be scanned with the authenticator app.',
    },
  },
});

builder.mutationField('beginTwoFactorSetup', (t) =>
  t.field({
    type: BeginTwoFactorSetupSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Starts the setup of two-factor authentication with time-based codes (RFC 6238) from an authenticator app. The mutation fails with `permission_denied` if the password is wrong, with `two_factor_code_required` or `verification_code_invalid` if a required code is missing or wrong, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: BeginTwoFactorSetupInput,
        required: true,
        description: 'The credentials that confirm your identity.',
      }),
    },
    resolve: (_root, { input }, context) =>
      beginTwoFactorSetup(context.service, { ...requireSessionUser(context), credentials: input }),
  }),
);

/** Creates a separate input type for each mutation, so that fields can be added to one of them. */
const createCodeInput = (name: string, text: string) =>
  builder.inputType(name, {
    description: 'The code that confirms the operation.',
    fields: (t) => ({ code: t.string({ required: true, description: text }) }),
  });

const recoveryCodesDescription =
  'The recovery codes. Each can be used once to sign in without the authenticator app. They are shown only once; print them or store them in a password manager.';

const ConfirmTwoFactorSetupSuccess = successType('ConfirmTwoFactorSetupSuccess', {
  description:
    'The result of enabling two-factor authentication. All other user sessions of the user have ended, and signing in now requires a code.',
  fields: {
    viewer: { type: ViewerType, description: 'The signed-in user.' },
    recoveryCodes: { type: ['String'], ...redactOnReplay, description: recoveryCodesDescription },
  },
});

builder.mutationField('confirmTwoFactorSetup', (t) =>
  t.field({
    type: ConfirmTwoFactorSetupSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Enables two-factor authentication with a code from the authenticator app that was set up. The mutation fails with `verification_code_invalid` if the code is wrong or no setup was started, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: createCodeInput(
          'ConfirmTwoFactorSetupInput',
          'A code from the authenticator app that you set up.',
        ),
        required: true,
        description: 'A code from the authenticator app.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const recoveryCodes = await confirmTwoFactorSetup(context.service, {
        ...requireSessionUser(context),
        ...input,
      });
      return { ...(await reloadViewer(context)), recoveryCodes };
    },
  }),
);

const RegenerateRecoveryCodesSuccess = successType('RegenerateRecoveryCodesSuccess', {
  description: 'The result of creating new recovery codes. The earlier codes are no longer valid.',
  fields: {
    viewer: { type: ViewerType, description: 'The signed-in user.' },
    recoveryCodes: { type: ['String'], ...redactOnReplay, description: recoveryCodesDescription },
  },
});

builder.mutationField('regenerateRecoveryCodes', (t) =>
  t.field({
    type: RegenerateRecoveryCodesSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Creates new recovery codes, which replace the earlier ones. The mutation fails with `two_factor_not_enabled` if two-factor authentication is not enabled, with `verification_code_invalid` if the code is wrong, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: createCodeInput('RegenerateRecoveryCodesInput', codeDescription),
        required: true,
        description: 'The code that confirms the operation.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const recoveryCodes = await regenerateRecoveryCodes(context.service, {
        ...requireSessionUser(context),
        ...input,
      });
      return { ...(await reloadViewer(context)), recoveryCodes };
    },
  }),
);

const ReauthenticateInput = builder.inputType('ReauthenticateInput', {
  description:
    'The credentials that confirm your identity: a code if you have enabled two-factor authentication, otherwise your password.',
  fields: (t) => ({
    code: t.string({
      description: `${codeDescription} Required if you have enabled two-factor authentication.`,
    }),
    password: t.string({
      description: 'Your password. Required if you have not enabled two-factor authentication.',
    }),
  }),
});

const ReauthenticateSuccess = successType('ReauthenticateSuccess', {
  description:
    'The result of re-authenticating. The re-authentication stays valid for `Merchant.reauthenticationMinutes` minutes.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('reauthenticate', (t) =>
  t.field({
    type: ReauthenticateSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Confirms your identity again in the current session. Afterwards, retry the operation that was rejected with `two_factor_code_required`. The mutation fails with `permission_denied` if the password is wrong, with `verification_code_invalid` if the code is wrong, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({ type: ReauthenticateInput, required: true, description: 'The code or the password.' }),
    },
    resolve: async (_root, { input }, context) => {
      const credentials = { ...(input.password != null && { password: input.password }), code: input.code };
      await reauthenticate(context.service, { ...requireSessionUser(context), credentials });
      return reloadViewer(context);
    },
  }),
);

const DisableTwoFactorInput = builder.inputType('DisableTwoFactorInput', {
  description: 'The credentials that confirm your identity.',
  fields: (t) => ({
    password: t.string({
      required: true,
      description: 'Your current password, which confirms your identity.',
    }),
    code: t.string({ required: true, description: codeDescription }),
  }),
});

const DisableTwoFactorSuccess = successType('DisableTwoFactorSuccess', {
  description:
    'The result of disabling two-factor authentication. The recovery codes were deleted, and signing in requires only the password.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('disableTwoFactor', (t) =>
  t.field({
    type: DisableTwoFactorSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Disables two-factor authentication for your user. The mutation fails with `permission_denied` if the password is wrong, with `verification_code_invalid` if the code is wrong, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: DisableTwoFactorInput,
        required: true,
        description: 'The credentials that confirm your identity.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      await disableTwoFactor(context.service, { ...requireSessionUser(context), credentials: input });
      return reloadViewer(context);
    },
  }),
);
