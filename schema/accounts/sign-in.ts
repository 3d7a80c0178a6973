import { endSession } from '../../src/domain/accounts/user/end-session.ts';
import { signIn } from '../../src/domain/accounts/user/sign-in.ts';
import { signOut } from '../../src/domain/accounts/user/sign-out.ts';
import { signOutEverywhere } from '../../src/domain/accounts/user/sign-out-everywhere.ts';
import { builder } from '../kit/builder.ts';
import { requireBrowser, self } from '../kit/graphql-context.ts';
import { takesTime } from '../kit/operations-plugin.ts';
import { sessionStart, type Viewer, ViewerType, welcome } from './viewer.ts';

const SignInInput = builder.inputType('SignInInput', {
  description: 'Who signs in.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'The e-mail address; letter case does not matter.' }),
    password: t.string({ required: true, description: 'The password.' }),
    code: t.string({
      description:
        'A code of the second factor, or a recovery code: needed where the answer without it is `second_factor_required`.',
    }),
  }),
});

const SignInSuccess = builder.objectRef<{ viewer: Viewer }>('SignInSuccess').implement({
  description: 'A session of 14 days has begun; the browser keeps its cookie.',
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'Who is signed in now.' }) }),
});

builder.mutationField('signIn', (t) =>
  t.field({
    ...takesTime,
    type: SignInSuccess,
    errors: {},
    description: 'Signs in to the dashboard. Only for its own pages: anything else uses an API key.',
    args: { input: t.arg({ type: SignInInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input }, context) => {
      const { service, clock } = context;
      const options = { ...input, ...sessionStart(context), now: clock.now() };
      return welcome(context, await signIn(service, options));
    },
  }),
);

const SignOutSuccess = builder.objectRef<{ viewer: null }>('SignOutSuccess').implement({
  description: 'The session is over.',
  fields: (t) => ({
    viewer: t.expose('viewer', { type: ViewerType, nullable: true, description: 'Nobody: null.' }),
  }),
});

builder.mutationField('signOut', (t) =>
  t.field({
    type: SignOutSuccess,
    errors: {},
    description: 'Ends the session of the dashboard, if there is one.',
    resolve: async (_root, _args, context) => {
      const browser = requireBrowser(context);
      if (browser.token !== undefined) await signOut(context.service, { token: browser.token });
      browser.forget();
      return { viewer: null };
    },
  }),
);

const EndSessionInput = builder.inputType('EndSessionInput', {
  description: 'Which session to end.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its id, `uss_…`.' }) }),
});

const EndSessionSuccess = builder
  .objectRef<{ viewer: Viewer; hasEnded: boolean }>('EndSessionSuccess')
  .implement({
    description: 'It is over, its open connections too.',
    fields: (t) => ({
      viewer: t.expose('viewer', { type: ViewerType, description: 'You.' }),
      hasEnded: t.exposeBoolean('hasEnded', { description: 'Whether it was still open until now.' }),
    }),
  });

builder.mutationField('endSession', (t) =>
  t.field({
    type: EndSessionSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Ends one of your sessions, wherever it is.',
    args: { input: t.arg({ type: EndSessionInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const hasEnded = await endSession(context.service, { ...self(context), ...input });
      return { hasEnded, viewer: context.caller as Viewer };
    },
  }),
);

const SignOutEverywhereInput = builder.inputType('SignOutEverywhereInput', {
  description: 'How far.',
  fields: (t) => ({
    keepThis: t.boolean({
      required: true,
      description: 'Whether the session that asks stays open, so that only the others end.',
    }),
  }),
});

const SignOutEverywhereSuccess = builder
  .objectRef<{ viewer: Viewer | null; ended: number }>('SignOutEverywhereSuccess')
  .implement({
    description: 'The sessions are over, their open connections too.',
    fields: (t) => ({
      viewer: t.expose('viewer', {
        type: ViewerType,
        nullable: true,
        description: 'You; null where this session has ended as well.',
      }),
      ended: t.exposeInt('ended', { description: 'How many ended.' }),
    }),
  });

builder.mutationField('signOutEverywhere', (t) =>
  t.field({
    type: SignOutEverywhereSuccess,
    errors: {},
    authScopes: { self: true },
    description: 'Ends all of your sessions.',
    args: { input: t.arg({ type: SignOutEverywhereInput, required: true, description: 'How far.' }) },
    resolve: async (_root, { input }, context) => {
      const ended = await signOutEverywhere(context.service, { ...self(context), ...input });
      if (!input.keepThis) requireBrowser(context).forget();
      return { ended, viewer: input.keepThis ? (context.caller as Viewer) : null };
    },
  }),
);
