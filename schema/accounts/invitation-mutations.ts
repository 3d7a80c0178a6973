import type { UserInvitation } from '../../prisma/client/client.ts';
import { acceptInvitation } from '../../src/domain/accounts/invitation/accept-invitation.ts';
import { inviteUser } from '../../src/domain/accounts/invitation/invite-user.ts';
import { type OpenInvitation, openInvitation } from '../../src/domain/accounts/invitation/open-invitation.ts';
import { resendInvitation } from '../../src/domain/accounts/invitation/resend-invitation.ts';
import { withdrawInvitation } from '../../src/domain/accounts/invitation/withdraw-invitation.ts';
import { onlyOwners } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { acting, requireBrowser } from '../kit/graphql-context.ts';
import { InvitationType } from './invitation.ts';
import { UserRole } from './user.ts';
import { sessionStart, type Viewer, ViewerType, welcome } from './viewer.ts';

type Answer = { invitation: UserInvitation };
const invitationText = 'The invitation.';
const idInput = { required: true, description: 'The invitation, `inv_…`.' } as const;

const InviteUserInput = builder.inputType('InviteUserInput', {
  description: 'Whom to invite.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Where the invitation is mailed.' }),
    role: t.field({ type: UserRole, required: true, description: 'What they are to be: not `operator`.' }),
  }),
});

const InviteUserSuccess = builder.objectRef<Answer>('InviteUserSuccess').implement({
  description: 'A mail with a link for one use within 7 days is on its way.',
  fields: (t) => ({
    invitation: t.expose('invitation', { type: InvitationType, description: invitationText }),
  }),
});

builder.mutationField('inviteUser', (t) =>
  t.field({
    type: InviteUserSuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Invites somebody to your dashboard. ${onlyOwners}`,
    args: { input: t.arg({ type: InviteUserInput, required: true, description: 'Whom.' }) },
    resolve: async (_root, { input }, context) => ({
      invitation: await inviteUser(context.service, { ...acting(context), input }),
    }),
  }),
);

const ResendInvitationInput = builder.inputType('ResendInvitationInput', {
  description: 'Which invitation to mail again.',
  fields: (t) => ({ id: t.id(idInput) }),
});

const ResendInvitationSuccess = builder.objectRef<Answer>('ResendInvitationSuccess').implement({
  description: 'A mail with a new link is on its way; the earlier link counts no more.',
  fields: (t) => ({
    invitation: t.expose('invitation', { type: InvitationType, description: invitationText }),
  }),
});

builder.mutationField('resendInvitation', (t) =>
  t.field({
    type: ResendInvitationSuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Mails an invitation again. ${onlyOwners}`,
    args: { input: t.arg({ type: ResendInvitationInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => ({
      invitation: await resendInvitation(context.service, { ...acting(context), ...input }),
    }),
  }),
);

const WithdrawInvitationInput = builder.inputType('WithdrawInvitationInput', {
  description: 'Which invitation to take back.',
  fields: (t) => ({ id: t.id(idInput) }),
});

const WithdrawInvitationSuccess = builder.objectRef<Answer>('WithdrawInvitationSuccess').implement({
  description: 'Its link counts no more.',
  fields: (t) => ({
    invitation: t.expose('invitation', { type: InvitationType, description: invitationText }),
  }),
});

builder.mutationField('withdrawInvitation', (t) =>
  t.field({
    type: WithdrawInvitationSuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Takes an invitation back. ${onlyOwners}`,
    args: { input: t.arg({ type: WithdrawInvitationInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => ({
      invitation: await withdrawInvitation(context.service, { ...acting(context), ...input }),
    }),
  }),
);

const InvitationOffer = builder.objectRef<OpenInvitation>('InvitationOffer').implement({
  description: 'What an invitation’s link offers to whoever opens it.',
  fields: (t) => ({
    merchantName: t.string({ description: 'Whose dashboard.', resolve: ({ merchant }) => merchant.name }),
    email: t.exposeString('email', { description: 'The e-mail address they will sign in with.' }),
    role: t.expose('role', { type: UserRole, description: 'What they are to be.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when the link counts.' }),
  }),
});

const tokenText = 'What the link of the mail carries after `#`.';

builder.queryField('invitationOffer', (t) =>
  t.field({
    type: InvitationOffer,
    skipTypeScopes: true,
    authScopes: { browser: true },
    description:
      'What an invitation’s link offers. Only for the pages of the dashboard; `link_invalid` for a link that counts no more.',
    args: { token: t.arg.string({ required: true, description: tokenText }) },
    resolve: (_root, { token }, context) => {
      const { address } = requireBrowser(context);
      return openInvitation(context.service, { token, address, now: context.clock.now() });
    },
  }),
);

const AcceptInvitationInput = builder.inputType('AcceptInvitationInput', {
  description: 'Who one will be.',
  fields: (t) => ({
    token: t.string({ required: true, description: tokenText }),
    name: t.string({ required: true, description: 'How the others may call you; at most 80 characters.' }),
    password: t.string({
      required: true,
      description:
        'The password: at least 12 characters; refused are your e-mail address and the passwords that are guessed first.',
    }),
  }),
});

const AcceptInvitationSuccess = builder.objectRef<{ viewer: Viewer }>('AcceptInvitationSuccess').implement({
  description: 'You are a user now, and signed in; the browser keeps the cookie.',
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'You.' }) }),
});

builder.mutationField('acceptInvitation', (t) =>
  t.field({
    type: AcceptInvitationSuccess,
    errors: {},
    authScopes: { browser: true },
    description: 'Accepts an invitation by its link. Only for the pages of the dashboard.',
    args: { input: t.arg({ type: AcceptInvitationInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input }, context) => {
      const options = { ...input, ...sessionStart(context), now: context.clock.now() };
      return welcome(context, await acceptInvitation(context.service, options));
    },
  }),
);
