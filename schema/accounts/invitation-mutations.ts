import { acceptInvitation } from '../../src/domain/accounts/invitation/accept-invitation.ts';
import { inviteUser } from '../../src/domain/accounts/invitation/invite-user.ts';
import { resendInvitation } from '../../src/domain/accounts/invitation/resend-invitation.ts';
import {
  type InvitationWithMerchant,
  resolveInvitation,
} from '../../src/domain/accounts/invitation/resolve-invitation.ts';
import { withdrawInvitation } from '../../src/domain/accounts/invitation/withdraw-invitation.ts';
import { ownerOnlyDescription } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { requireBrowser, toRequestContext } from '../kit/graphql-context.ts';
import { redactOnReplay } from '../kit/idempotency-plugin.ts';
import { successType } from '../kit/success-type.ts';
import { InvitationType } from './invitation.ts';
import { UserRole } from './user.ts';
import { startBrowserSession, toSessionStart, ViewerType } from './viewer.ts';

/** The field of an invitation's link, which is shown once. */
export const invitationUrlField = {
  ...redactOnReplay,
  property: 'url',
  type: 'String',
  nullable: true,
  description:
    'The link with which the invited person joins. Share it only with this person. It is returned only once: it is null if the response is repeated for an `Idempotency-Key`.',
} as const;
const invitationIdArg = { required: true, description: 'The ID of the invitation, `inv_…`.' } as const;

const InviteUserInput = builder.inputType('InviteUserInput', {
  description: 'The email address and the role of the invited user.',
  fields: (t) => ({
    email: t.string({
      required: true,
      description: 'The email address to which the invitation is sent. The user signs in with this address.',
    }),
    role: t.field({
      type: UserRole,
      required: true,
      description: 'The role that the user will have: any except `operator`.',
    }),
  }),
});

const InviteUserSuccess = successType('InviteUserSuccess', {
  description:
    'The result of inviting a user. The user receives an email with a single-use link, which is valid for 7 days.',
  fields: {
    invitation: { type: InvitationType, description: 'The created invitation.' },
    invitationUrl: invitationUrlField,
  },
});

builder.mutationField('inviteUser', (t) =>
  t.field({
    type: InviteUserSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { merchant: true },
    description: `Invites a user to your dashboard by email. The mutation fails with \`invalid_request\` if the email address belongs to one of your users or is already invited, and with \`rate_limited\` after 50 invitations per day. ${ownerOnlyDescription}`,
    args: { input: t.arg({ type: InviteUserInput, required: true, description: 'The user to invite.' }) },
    resolve: (_root, { input }, context) =>
      inviteUser(context.service, { ...toRequestContext(context), input }),
  }),
);

const ResendInvitationInput = builder.inputType('ResendInvitationInput', {
  description: 'The invitation to resend.',
  fields: (t) => ({ id: t.id(invitationIdArg) }),
});

const ResendInvitationSuccess = successType('ResendInvitationSuccess', {
  description:
    'The result of resending an invitation. The user receives an email with a new link, and the earlier link is no longer valid.',
  fields: {
    invitation: {
      type: InvitationType,
      description: 'The invitation, with its new `sentAt` and `expiresAt`.',
    },
    invitationUrl: invitationUrlField,
  },
});

builder.mutationField('resendInvitation', (t) =>
  t.field({
    type: ResendInvitationSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { merchant: true },
    description: `Resends an invitation by email with a new link. The mutation fails with \`invitation_not_found\` if the invitation was accepted or withdrawn, and with \`rate_limited\` after 50 invitations per day. ${ownerOnlyDescription}`,
    args: {
      input: t.arg({ type: ResendInvitationInput, required: true, description: 'The invitation to resend.' }),
    },
    resolve: (_root, { input }, context) =>
      resendInvitation(context.service, { ...toRequestContext(context), ...input }),
  }),
);

const WithdrawInvitationInput = builder.inputType('WithdrawInvitationInput', {
  description: 'The invitation to withdraw.',
  fields: (t) => ({ id: t.id(invitationIdArg) }),
});

const WithdrawInvitationSuccess = successType('WithdrawInvitationSuccess', {
  description: 'The result of withdrawing an invitation. The link in the email is no longer valid.',
  fields: {
    withdrawnInvitationId: { property: 'id', type: 'ID', description: 'The ID of the withdrawn invitation.' },
  },
});

builder.mutationField('withdrawInvitation', (t) =>
  t.field({
    type: WithdrawInvitationSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { merchant: true },
    description: `Withdraws an invitation that has not been accepted. The mutation fails with \`invitation_not_found\` if the invitation was accepted or already withdrawn. ${ownerOnlyDescription}`,
    args: {
      input: t.arg({
        type: WithdrawInvitationInput,
        required: true,
        description: 'The invitation to withdraw.',
      }),
    },
    resolve: (_root, { input }, context) =>
      withdrawInvitation(context.service, { ...toRequestContext(context), ...input }),
  }),
);

const InvitationPreview = builder.objectRef<InvitationWithMerchant>('InvitationPreview').implement({
  description: 'The details of an invitation that the invited person sees before accepting it.',
  fields: (t) => ({
    merchantName: t.string({
      description: 'The name of the merchant to whose dashboard the user is invited.',
      resolve: ({ merchant }) => merchant.name,
    }),
    email: t.exposeString('email', {
      description: 'The email address that the invited user will sign in with.',
    }),
    role: t.expose('role', { type: UserRole, description: 'The role that the invited user will have.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The time at which the link expires.',
    }),
  }),
});

const tokenDescription = 'The token in the emailed link, which is the part of the URL after the `#`.';

builder.queryField('invitationPreview', (t) =>
  t.field({
    type: InvitationPreview,
    nullable: true,
    twoFactor: 'account',
    skipTypeScopes: true,
    authScopes: { browser: true },
    description:
      'Returns the details of the invitation to which the link belongs. Available only to the pages of the dashboard. A link that is no longer valid returns the error `link_invalid`.',
    args: { token: t.arg.string({ required: true, description: tokenDescription }) },
    resolve: (_root, { token }, context) => {
      const { ipAddress } = requireBrowser(context);
      return resolveInvitation(context.service, { token, ipAddress, now: context.clock.now() });
    },
  }),
);

const AcceptInvitationInput = builder.inputType('AcceptInvitationInput', {
  description: 'The token of the invitation, and the name and password of the new user.',
  fields: (t) => ({
    token: t.string({ required: true, description: tokenDescription }),
    name: t.string({ required: true, description: 'Your display name, at most 80 characters.' }),
    password: t.string({
      required: true,
      description:
        'The password, 12 to 128 characters. Common passwords, and passwords that contain your name, the name of the merchant, or your email address, are rejected.',
    }),
  }),
});

const AcceptInvitationSuccess = successType('AcceptInvitationSuccess', {
  description:
    'The result of accepting an invitation. You are signed in, and the response sets the session cookie.',
  fields: { viewer: { type: ViewerType, description: 'The new user, who is now signed in.' } },
});

builder.mutationField('acceptInvitation', (t) =>
  t.field({
    type: AcceptInvitationSuccess,
    errors: {},
    twoFactor: 'account',
    ignoresIdempotencyKey: true,
    authScopes: { browser: true },
    description:
      'Accepts an invitation with the token in its link. The mutation fails with `link_invalid` if the link has expired or was already used, with `invitation_email_used` if the email address already belongs to a user, with `account_disabled` if the merchant account is disabled, and with `rate_limited` after too many attempts. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({
        type: AcceptInvitationInput,
        required: true,
        description: 'The token of the invitation, and the name and password of the new user.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const options = { ...input, ...toSessionStart(context), now: context.clock.now() };
      return startBrowserSession(context, await acceptInvitation(context.service, options));
    },
  }),
);
