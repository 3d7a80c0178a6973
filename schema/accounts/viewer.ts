import type { Merchant, MerchantUser } from '../../prisma/client/client.ts';
import { userPermissions } from '../../src/domain/accounts/api-key/permissions.ts';
import { getChatHost } from '../../src/domain/accounts/notice/chat-address.ts';
import { listNoticeChoices } from '../../src/domain/accounts/notice/notice-topics.ts';
import { changeName } from '../../src/domain/accounts/user/change-name.ts';
import { describeDevice } from '../../src/domain/accounts/user/describe-device.ts';
import {
  getReauthenticatedUntil,
  isTwoFactorSetupRequired,
} from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import type { NewUserSession, SessionClient } from '../../src/domain/accounts/user/user-session.ts';
import { type Caller, type OperatorCaller, toUserCaller, type UserCaller } from '../../src/http/caller.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, requireBrowser, requireSessionUser } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { MerchantType } from './merchant.ts';
import { NoticeSettingType } from './notice-setting.ts';
import { MerchantUserType, PermissionEnum } from './user.ts';

const sessionsMax = 50;

export type Viewer = UserCaller | OperatorCaller;

/** Returns the ID of the signed-in user, or an empty ID, which matches no row. */
function getUserId(caller: Caller): string {
  return caller.kind === 'user' || caller.kind === 'operator' ? caller.user.id : '';
}

const UserSessionType = builder.prismaNode('UserSession', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, { caller }) => ({ id, AND: [{ userId: getUserId(caller) }] }),
  description: 'A session in which you are signed in to the dashboard.',
  fields: (t) => ({
    isCurrent: t.boolean({
      description: 'Whether the current request belongs to this session.',
      resolve: ({ id }, _args, { caller }) => 'session' in caller && caller.session?.id === id,
    }),
    device: t.string({
      description: 'The browser and operating system, such as `Firefox on Windows`.',
      resolve: ({ userAgent }) => describeDevice(userAgent),
    }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'The IP address from which the session was started. Null if it was not recorded.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the session started.',
    }),
    lastSeenAt: t.expose('lastSeenAt', {
      type: 'DateTime',
      description: 'The time at which the session was last used, accurate to five minutes.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The time at which the session expires and the user must sign in again.',
    }),
  }),
});

export const ViewerType = builder.objectRef<Viewer>('Viewer').implement({
  description: 'The user who is signed in to the dashboard, with their permissions and sessions.',
  fields: (t) => ({
    user: t.field({
      type: MerchantUserType,
      description: 'The user account, with its name, email address and role.',
      resolve: ({ user }): MerchantUser => user,
    }),
    merchant: t.field({
      type: MerchantType,
      nullable: true,
      description: 'The merchant to which the user belongs. Null for an operator.',
      resolve: (viewer): Merchant | null => (viewer.kind === 'user' ? viewer.merchant : null),
    }),
    permissions: t.field({
      type: [PermissionEnum],
      description:
        'The permissions of the user in the mode of the request. The list is empty for an operator.',
      resolve: (viewer) =>
        viewer.kind === 'user'
          ? userPermissions.filter((permission) => viewer.permissions.has(permission))
          : [],
    }),
    isTwoFactorSetupRequired: t.boolean({
      description:
        'Whether the merchant requires two-factor authentication and the user has not enabled it. If true, all operations except the setup return the error `two_factor_setup_required`.',
      resolve: isTwoFactorSetupRequired,
    }),
    reauthenticatedUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The time until which the re-authentication of this session is valid. Null if there is no valid re-authentication.',
      resolve: (viewer, _args, { clock }) => getReauthenticatedUntil(viewer, clock.now()),
    }),
    noticeSettings: t.field({
      type: [NoticeSettingType],
      description:
        'The frequency with which the user is notified about each topic, by email and by chat. The list is empty for a cashier or an operator.',
      resolve: async ({ user, kind }, _args, { service }) =>
        kind === 'user'
          ? listNoticeChoices(
              user.role,
              await service.prisma.noticeSetting.findMany({ where: { userId: user.id } }),
            )
          : [],
    }),
    chatHost: t.string({
      nullable: true,
      description:
        'The host of the chat address that receives notifications, such as `hooks.slack.com`. The address is a secret and is never returned. Null if there is none.',
      resolve: ({ user }, _args, { service }) => getChatHost(service, user),
    }),
    pendingEmail: t.string({
      nullable: true,
      description:
        'The new email address that the user has requested but not yet confirmed. Null if there is none, or if its link has expired.',
      resolve: async ({ user }, _args, { service, clock }) => {
        const where = { userId: user.id, expiresAt: { gt: clock.now() } };
        return (await service.prisma.emailChange.findFirst({ where }))?.email ?? null;
      },
    }),
    remainingRecoveryCodeCount: t.int({
      description:
        'The number of remaining recovery codes. It is 0 if two-factor authentication is disabled.',
      resolve: ({ user }, _args, { service }) =>
        service.prisma.recoveryCode.count({ where: { userId: user.id } }),
    }),
    sessions: t.field({
      type: [UserSessionType],
      description: 'The open sessions of the user, most recently used first, at most 50.',
      resolve: ({ user }, _args, { service, clock }) =>
        service.prisma.userSession.findMany({
          where: { userId: user.id, expiresAt: { gt: clock.now() } },
          orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
          take: sessionsMax,
        }),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    nullable: true,
    twoFactor: 'account',
    isAlwaysEnabled: true,
    skipTypeScopes: true,
    description: 'Returns the user who is signed in to the dashboard. Null for all other credentials.',
    resolve: (_root, _args, { caller }) =>
      caller.kind === 'user' || caller.kind === 'operator' ? caller : null,
  }),
);

/** Returns the data about the client that starts a new session. */
export function toSessionStart(context: GraphqlContext): SessionClient {
  const { ipAddress, userAgent, token, trustedBrowserToken } = requireBrowser(context);
  return { ipAddress, userAgent, previousToken: token, trustedBrowserToken: trustedBrowserToken };
}

/**
 * Sets the cookies of the new session and switches the request to its user, so that the selected fields
 * resolve.
 */
export function startBrowserSession(context: GraphqlContext, newSession: NewUserSession): { viewer: Viewer } {
  const browser = requireBrowser(context);
  browser.setSessionCookie(newSession);
  browser.setTrustedBrowserCookie(newSession.user.email);
  const viewer = toUserCaller(newSession, browser.mode);
  context.caller = viewer;
  return { viewer };
}

const UpdateViewerInput = builder.inputType('UpdateViewerInput', {
  description: 'The changes to your user. Omitted fields remain unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Your display name, at most 80 characters. Null removes it.' }),
  }),
});

const UpdateViewerSuccess = successType('UpdateViewerSuccess', {
  description:
    'The result of updating your user. The audit trail and the list of users show your display name.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('updateViewer', (t) =>
  t.field({
    type: UpdateViewerSuccess,
    errors: {},
    twoFactor: 'account',
    authScopes: { self: true },
    description: 'Changes or removes your display name. Available only to the pages of the dashboard.',
    args: {
      input: t.arg({ type: UpdateViewerInput, required: true, description: 'The changes to your user.' }),
    },
    resolve: async (_root, { input: { name } }, context) => {
      const session = requireSessionUser(context);
      const viewer = context.caller as Viewer;
      if (name === undefined) return { viewer };
      return { viewer: { ...viewer, user: await changeName(context.service, { ...session, name }) } };
    },
  }),
);
