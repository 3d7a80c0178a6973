import { beginSecondFactor } from '../../src/domain/accounts/user/begin-second-factor.ts';
import { confirmSecondFactor } from '../../src/domain/accounts/user/confirm-second-factor.ts';
import { disableSecondFactor } from '../../src/domain/accounts/user/disable-second-factor.ts';
import { reauthenticate } from '../../src/domain/accounts/user/reauthenticate.ts';
import { renewRecoveryCodes } from '../../src/domain/accounts/user/renew-recovery-codes.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, self } from '../kit/graphql-context.ts';
import { shownOnce } from '../kit/once-plugin.ts';
import { type Viewer, ViewerType } from './viewer.ts';

const codeText = 'A code of the authenticator app, or a recovery code.';

/** The one who asks, as they are now. */
async function viewerNow(context: GraphqlContext): Promise<{ viewer: Viewer }> {
  return { viewer: (await context.authenticate()) as Viewer };
}

const BeginSecondFactorInput = builder.inputType('BeginSecondFactorInput', {
  description: 'That it is you.',
  fields: (t) => ({
    password: t.string({ required: true, description: 'Your password.' }),
    code: t.string({ description: 'A code of the second factor that is on, to move it to another app.' }),
  }),
});

const BeginSecondFactorSuccess = builder
  .objectRef<{ secret: string; uri: string }>('BeginSecondFactorSuccess')
  .implement({
    description: 'A secret for an authenticator app; it counts once `confirmSecondFactor` was given a code.',
    fields: (t) => ({
      secret: t.exposeString('secret', { ...shownOnce, description: 'To type into the app.' }),
      uri: t.exposeString('uri', { ...shownOnce, description: 'To show as a QR code: `otpauth://…`.' }),
    }),
  });

builder.mutationField('beginSecondFactor', (t) =>
  t.field({
    type: BeginSecondFactorSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Begins to set a second factor up: codes by time (RFC 6238) of an authenticator app.',
    args: { input: t.arg({ type: BeginSecondFactorInput, required: true, description: 'Who.' }) },
    resolve: (_root, { input }, context) =>
      beginSecondFactor(context.service, { ...self(context), proof: input }),
  }),
);

/** Each mutation has an input of its own, that it may grow by itself. */
const codeInput = (name: string) =>
  builder.inputType(name, {
    description: 'A code.',
    fields: (t) => ({ code: t.string({ required: true, description: codeText }) }),
  });

type WithCodes = { viewer: Viewer; recoveryCodes: string[] };
const codesText =
  'Each signs in once in place of a code, when the app is lost. Shown this once: print them or keep them in a password manager.';

const ConfirmSecondFactorSuccess = builder.objectRef<WithCodes>('ConfirmSecondFactorSuccess').implement({
  description: 'From now on signing in takes a code; all other sessions have ended.',
  fields: (t) => ({
    viewer: t.expose('viewer', { type: ViewerType, description: 'You.' }),
    recoveryCodes: t.exposeStringList('recoveryCodes', { ...shownOnce, description: codesText }),
  }),
});

builder.mutationField('confirmSecondFactor', (t) =>
  t.field({
    type: ConfirmSecondFactorSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Turns the second factor on, with a code of the app that was set up.',
    args: {
      input: t.arg({ type: codeInput('ConfirmSecondFactorInput'), required: true, description: 'A code.' }),
    },
    resolve: async (_root, { input }, context) => {
      const recoveryCodes = await confirmSecondFactor(context.service, { ...self(context), ...input });
      return { ...(await viewerNow(context)), recoveryCodes };
    },
  }),
);

const RenewRecoveryCodesSuccess = builder.objectRef<WithCodes>('RenewRecoveryCodesSuccess').implement({
  description: 'The earlier codes no longer work.',
  fields: (t) => ({
    viewer: t.expose('viewer', { type: ViewerType, description: 'You.' }),
    recoveryCodes: t.exposeStringList('recoveryCodes', { ...shownOnce, description: codesText }),
  }),
});

builder.mutationField('renewRecoveryCodes', (t) =>
  t.field({
    type: RenewRecoveryCodesSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Makes new recovery codes in place of the earlier ones.',
    args: {
      input: t.arg({ type: codeInput('RenewRecoveryCodesInput'), required: true, description: 'A code.' }),
    },
    resolve: async (_root, { input }, context) => {
      const recoveryCodes = await renewRecoveryCodes(context.service, { ...self(context), ...input });
      return { ...(await viewerNow(context)), recoveryCodes };
    },
  }),
);

const ReauthenticateInput = builder.inputType('ReauthenticateInput', {
  description: 'Shows that it is you.',
  fields: (t) => ({
    code: t.string({ description: `${codeText} Required with two-factor authentication.` }),
    password: t.string({ description: 'Your password. Required without two-factor authentication.' }),
  }),
});

const ReauthenticateSuccess = builder.objectRef<{ viewer: Viewer }>('ReauthenticateSuccess').implement({
  description: 'This session has re-authenticated. It is valid for the merchant’s `reauthenticationMinutes`.',
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'You.' }) }),
});

builder.mutationField('reauthenticate', (t) =>
  t.field({
    type: ReauthenticateSuccess,
    errors: {},
    authScopes: { self: true },
    description:
      'Re-authenticates in this session. Repeat afterwards what was rejected with `second_factor_required`.',
    args: {
      input: t.arg({ type: ReauthenticateInput, required: true, description: 'The code or the password.' }),
    },
    resolve: async (_root, { input }, context) => {
      const proof = { ...(input.password != null && { password: input.password }), code: input.code };
      await reauthenticate(context.service, { ...self(context), proof });
      return viewerNow(context);
    },
  }),
);

const DisableSecondFactorInput = builder.inputType('DisableSecondFactorInput', {
  description: 'That it is you.',
  fields: (t) => ({
    password: t.string({ required: true, description: 'Your password.' }),
    code: t.string({ required: true, description: codeText }),
  }),
});

const DisableSecondFactorSuccess = builder
  .objectRef<{ viewer: Viewer }>('DisableSecondFactorSuccess')
  .implement({
    description: 'From now on the password is enough; the recovery codes are gone.',
    fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'You.' }) }),
  });

builder.mutationField('disableSecondFactor', (t) =>
  t.field({
    type: DisableSecondFactorSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Turns the second factor off.',
    args: { input: t.arg({ type: DisableSecondFactorInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input }, context) => {
      await disableSecondFactor(context.service, { ...self(context), proof: input });
      return viewerNow(context);
    },
  }),
);
