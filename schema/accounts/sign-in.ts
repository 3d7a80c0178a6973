import { signIn } from '../../src/domain/accounts/user/sign-in.ts';
import { endUserSession, signOut, signOutEverywhere } from '../../src/domain/accounts/user/sign-out.ts';
import { builder } from '../kit/builder.ts';
import { requireBrowser, requireSessionUser } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { startBrowserSession, toSessionStart, type Viewer, ViewerType } from './viewer.ts';

const SignInInput = builder.inputType('SignInInput', {
  description: 'The credentials of a user.',
  fields: (t) => ({
    email: t.string({
      required: true,
      description: 'The email address of the user. Letter case is ignored.',
    }),
    password: t.string({ required: true, description: 'The password of the user.' }),
    code: t.string({
      description:
        'A code from the authenticator app, or a recovery code. Required if signing in without it returns `two_factor_code_required`.',
    }),
  }),
});

const SignInSuccess = successType('SignInSuccess', {
  description:
    'The result of signing in. The session lasts 14 days, and the response sets the session cookie.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('signIn', (t) =>
  t.field({
    type: SignInSuccess,
    errors: {},
    twoFactor: 'account',
    isAlwaysEnabled: true,
    isLongRunning: true,
    ignoresIdempotencyKey: true,
    description:
      'Signs a user in to the dashboard. The mutation fails with `permission_denied` if the email address or the password is wrong, with `two_factor_code_required` or `verification_code_invalid` if the code is missing or wrong, with `account_disabled`, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard; use an API key for everything else.',
    args: {
      input: t.arg({ type: SignInInput, required: true, description: 'The credentials of the user.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { service, clock } = context;
      const options = { ...input, ...toSessionStart(context), now: clock.now() };
      return startBrowserSession(context, await signIn(service, options));
    },
  }),
);

const SignOutSuccess = successType('SignOutSuccess', {
  description: 'The result of signing out. The response clears the session cookie.',
  fields: {
    viewer: { type: ViewerType, nullable: true, description: 'Always null, because no user is signed in.' },
  },
});

builder.mutationField('signOut', (t) =>
  t.field({
    type: SignOutSuccess,
    errors: {},
    twoFactor: 'account',
    isAlwaysEnabled: true,
    ignoresIdempotencyKey: true,
    description:
      'Ends the current dashboard session, if there is one. Available only to the pages of the dashboard.',
    resolve: async (_root, _args, context) => {
      const browser = requireBrowser(context);
      if (browser.token !== undefined) await signOut(context.service, { token: browser.token });
      browser.clearSessionCookie();
      return { viewer: null };
    },
  }),
);

const EndUserSessionInput = builder.inputType('EndUserSessionInput', {
  description: 'The session to end.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The ID of the session, `uss_…`.' }) }),
});

const EndUserSessionSuccess = successType('EndUserSessionSuccess', {
  description: 'The result of ending a session. Its open connections are closed.',
  fields: {
    viewer: { type: ViewerType, description: 'The signed-in user.' },
    endedUserSessionId: {
      type: 'ID',
      nullable: true,
      description:
        'The ID of the session that was ended. Null if the session had already ended or is not yours.',
    },
  },
});

builder.mutationField('endUserSession', (t) =>
  t.field({
    type: EndUserSessionSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description: 'Ends one of your sessions on any device. Available only to the pages of the dashboard.',
    args: { input: t.arg({ type: EndUserSessionInput, required: true, description: 'The session to end.' }) },
    resolve: async (_root, { input }, context) => {
      const hasEnded = await endUserSession(context.service, { ...requireSessionUser(context), ...input });
      return { endedUserSessionId: hasEnded ? input.id : null, viewer: context.caller as Viewer };
    },
  }),
);

const SignOutEverywhereInput = builder.inputType('SignOutEverywhereInput', {
  description: 'The sessions to end.',
  fields: (t) => ({
    keepCurrent: t.boolean({
      required: true,
      description: 'Whether to keep the current session and end only the others.',
    }),
  }),
});

const SignOutEverywhereSuccess = successType('SignOutEverywhereSuccess', {
  description: 'The result of ending your sessions. Their open connections are closed.',
  fields: {
    viewer: {
      type: ViewerType,
      nullable: true,
      description: 'The signed-in user. Null if the current session has ended too.',
    },
    endedSessionCount: {
      property: 'ended',
      type: 'Int',
      description: 'The number of sessions that were ended.',
    },
  },
});

builder.mutationField('signOutEverywhere', (t) =>
  t.field({
    type: SignOutEverywhereSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { self: true },
    description:
      'Ends all of your sessions, optionally except the current one. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({ type: SignOutEverywhereInput, required: true, description: 'The sessions to end.' }),
    },
    resolve: async (_root, { input }, context) => {
      const ended = await signOutEverywhere(context.service, { ...requireSessionUser(context), ...input });
      if (!input.keepCurrent) requireBrowser(context).clearSessionCookie();
      return { ended, viewer: input.keepCurrent ? (context.caller as Viewer) : null };
    },
  }),
);
