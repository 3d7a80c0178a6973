import type { Merchant, MerchantUser } from '../prisma/client/client.ts';
import { permissions } from '../src/domain/api-key/permissions.ts';
import { signIn } from '../src/domain/user/sign-in.ts';
import { signOut } from '../src/domain/user/sign-out.ts';
import { DomainError } from '../src/kit/errors.ts';
import { builder } from './builder.ts';
import { type OperatorCaller, type UserCaller, userCaller } from './caller.ts';
import { type BrowserSession, type GraphqlContext, owned } from './graphql-context.ts';
import { MerchantType } from './merchant.ts';

const Role = builder.enumType('UserRole', {
  description: 'What a user of the dashboard is for.',
  values: {
    owner: { description: 'May do everything for the merchant.' },
    developer: { description: 'Builds the integration: everything in the sandbox, no money in live mode.' },
    support: { description: 'Helps customers: sees, makes links, cancels.' },
    operator: { description: 'Runs this installation; acts for no merchant.' },
  },
});

export const PermissionEnum = builder.enumType('Permission', {
  description: 'What credentials may do.',
  values: {
    read: { description: 'Read everything.' },
    write: { description: 'Create charges, sessions and links, and cancel.' },
    refund: { description: 'Give money back.' },
    transfers: { description: 'Record money that came, and say what it counts for.' },
    manage: { description: 'Change receiving accounts, plans, webhooks, certificates and settings.' },
  },
});

const MerchantUserType = builder.prismaNode('MerchantUser', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, merchantId: owned(context).merchantId }),
  description: 'Somebody who signs in to the dashboard.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The e-mail address they sign in with.' }),
    role: t.expose('role', { type: Role, description: 'What they are for.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were added.' }),
  }),
});

type Viewer = UserCaller | OperatorCaller;

const ViewerType = builder.objectRef<Viewer>('Viewer').implement({
  description: 'Who is signed in to the dashboard.',
  fields: (t) => ({
    user: t.field({
      type: MerchantUserType,
      description: 'They.',
      resolve: ({ user }): MerchantUser => user,
    }),
    merchant: t.field({
      type: MerchantType,
      nullable: true,
      description: 'The merchant they act for, in the mode the request names; null for an operator.',
      resolve: (viewer): Merchant | null => (viewer.kind === 'user' ? viewer.merchant : null),
    }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'What they may do for the merchant, in the mode the request names.',
      resolve: (viewer) =>
        viewer.kind === 'user' ? permissions.filter((one) => viewer.permissions.has(one)) : [],
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    nullable: true,
    skipTypeScopes: true,
    description: 'Who is signed in to the dashboard; null for everybody else.',
    resolve: (_root, _args, { caller }) =>
      caller.kind === 'user' || caller.kind === 'operator' ? caller : null,
  }),
);

const SignInInput = builder.inputType('SignInInput', {
  description: 'Who signs in.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'The e-mail address; letter case does not matter.' }),
    password: t.string({ required: true, description: 'The password.' }),
  }),
});

const SignInSuccess = builder.objectRef<{ viewer: Viewer }>('SignInSuccess').implement({
  description: 'A session of 14 days has begun; the browser keeps its cookie.',
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'Who is signed in now.' }) }),
});

builder.mutationField('signIn', (t) =>
  t.field({
    type: SignInSuccess,
    errors: {},
    description: 'Signs in to the dashboard. Only for its own pages: anything else uses an API key.',
    args: { input: t.arg({ type: SignInInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input }, context) => {
      const browser = requireBrowser(context);
      const { service, clock } = context;
      const session = await signIn(service, { ...input, address: browser.address, now: clock.now() });
      browser.keep(session);
      const viewer = userCaller(session.user, browser.mode);
      // What is selected of the answer is theirs to see already.
      context.caller = viewer;
      return { viewer };
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

function requireBrowser({ browser }: GraphqlContext): BrowserSession {
  if (browser) return browser;
  throw new DomainError('permission_denied', 'Only the pages of the dashboard sign in and out');
}
