import type { Merchant, MerchantUser, Mode, UserSession } from '../../prisma/client/client.ts';
import { authenticateKey } from '../domain/accounts/api-key/authenticate-key.ts';
import type { MerchantCaller } from '../domain/accounts/api-key/permissions.ts';
import { isTwoFactorSetupRequired } from '../domain/accounts/user/require-recent-two-factor.ts';
import { rolePermissions } from '../domain/accounts/user/roles.ts';
import { findUserSession, type UserWithMerchant } from '../domain/accounts/user/user-session.ts';
import { authenticateClientToken } from '../domain/payments/session/authenticate-client-token.ts';
import type { Service } from '../domain/platform/service.ts';
import { DomainError } from '../kit/errors.ts';
import { basicAuthenticationHint, parseBasicCredentials } from './basic-credentials.ts';
import type { Browser } from './browser.ts';
import { toVisitorKey } from './limit-rate.ts';

export type KeyCaller = MerchantCaller & { kind: 'key' };

/** A merchant's page in a customer's browser, which can access only one session with its charge, or one charge. */
export type PageCaller = {
  kind: 'clientToken';
  merchant: Merchant;
  mode: Mode;
  objectType: 'session' | 'charge';
  id: string;
};

/** A dashboard user, in the selected mode and with the permissions of their role. */
export type UserCaller = MerchantCaller & { kind: 'user'; user: MerchantUser; session: UserSession };

/** An operator in the dashboard, who acts for no merchant. */
export type OperatorCaller = { kind: 'operator'; user: MerchantUser; session: UserSession; actor: string };

/** A browser with the dashboard open and no signed-in user. */
type VisitorCaller = { kind: 'visitor'; actor: string };

/**
 * Keys and users act for a merchant, within their permissions. Pages act for a customer of a merchant. Operators and
 * visitors act for no merchant.
 */
export type Caller = KeyCaller | UserCaller | PageCaller | OperatorCaller | VisitorCaller;

/**
 * Unverified credentials. `authorization` is the Authorization header, or the value in a WebSocket's
 * connectionParams. `browser` is used only if `authorization` is undefined.
 */
export type CallerCredentials = { authorization: string | undefined; browser?: Browser | undefined };

/**
 * Authenticates an API key (`Basic base64(key:secret)`), a client token (`Bearer <clientToken>`) or a dashboard
 * session.
 */
export async function authenticateCaller(
  service: Service,
  { authorization, browser }: CallerCredentials,
  now: Date,
): Promise<Caller> {
  if (authorization === undefined && browser) return authenticateUser(service, browser, now);
  const [, clientToken] = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization ?? '') ?? [];
  if (clientToken !== undefined) {
    return { kind: 'clientToken', ...(await authenticateClientToken(service, clientToken, now)) };
  }
  const credentials = parseBasicCredentials({ authorization }, authenticationHint);
  return { kind: 'key', ...(await authenticateKey(service, credentials, now)) };
}

const authenticationHint = `${basicAuthenticationHint}, or send a client token as a Bearer token`;

async function authenticateUser(service: Service, browser: Browser, now: Date): Promise<Caller> {
  const { token, mode, viewer } = browser;
  const userSession = token === undefined ? undefined : await findUserSession(service, { token, now });
  if (!userSession) throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  if (viewer !== undefined && viewer !== userSession.user.id)
    throw new DomainError(
      'unauthenticated',
      'A different user is now signed in on this browser; reload the page',
    );
  return toUserCaller(userSession, mode);
}

/**
 * Returns a signed-in user as caller. A user who must first enable two-factor authentication has no permissions
 * until then.
 */
export function toUserCaller(
  { user, session }: { user: UserWithMerchant; session: UserSession },
  mode: Mode,
): UserCaller | OperatorCaller {
  const { merchant, role } = user;
  if (!merchant) return { kind: 'operator', user, session, actor: `operator:${user.id}` };
  const permissions = new Set(
    isTwoFactorSetupRequired({ user, merchant }) ? [] : rolePermissions[role][mode],
  );
  return { kind: 'user', user, session, merchant, mode, permissions, actor: `user:${user.id}` };
}

export function isMerchantScoped(caller: Caller): caller is KeyCaller | UserCaller | PageCaller {
  return caller.kind === 'key' || caller.kind === 'user' || caller.kind === 'clientToken';
}

/**
 * Returns the key under which requests are counted. Pages are counted by client network, because anyone can get many
 * client tokens, and visitors, because they have no credentials.
 */
export function toRateLimitKey(caller: Caller, ip: string): string {
  return caller.kind === 'clientToken' || caller.kind === 'visitor' ? toVisitorKey({ ip }) : caller.actor;
}
