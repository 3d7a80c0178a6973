import type { Merchant, MerchantUser, Mode, UserSession } from '../../../../prisma/client/client.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { isAccountOperation, twoFactorRules } from './two-factor-rules.ts';

/** For operators, who have no merchant setting. */
const operatorMinutes = 15;

/** A caller of any kind: an API key has no user, an operator has neither merchant nor mode. */
type TwoFactorCaller = {
  user?: MerchantUser;
  session?: UserSession;
  merchant?: Merchant;
  mode?: Mode;
};

type TwoFactorCheck = { operation: string; kind?: unknown; now: Date; message?: string };

/**
 * Requires a recent code where `twoFactorRules` says so, because a stolen session must not be enough to move
 * live money. API keys and users without two-factor authentication pass. `kind` is the kind of an export;
 * `message` says where to enter a code. Throws `second_factor_required`.
 */
export function requireRecentTwoFactor(
  caller: TwoFactorCaller,
  { operation, kind, now, message = 'Enter a code from your authenticator app to do this' }: TwoFactorCheck,
): void {
  const rule = twoFactorRules[operation] ?? 'live';
  // Operators have no mode, but their operations concern live money too.
  const isLive = caller.mode !== 'sandbox';
  const isRequired =
    rule === 'always' || (isLive && (rule === 'live' || (rule === 'payouts' && kind === 'payouts')));
  if (!isRequired || hasRecentTwoFactor(caller, now)) return;
  throw new DomainError('second_factor_required', message);
}

/**
 * Returns whether the caller has entered a code recently. True for API keys and for users without two-factor
 * authentication.
 */
export function hasRecentTwoFactor(caller: TwoFactorCaller, now: Date): boolean {
  return caller.user?.totpEncrypted == null || isReauthenticated(caller, now);
}

/** Returns whether the user has re-authenticated recently, by code or password. True for API keys. */
export function isReauthenticated(caller: TwoFactorCaller, now: Date): boolean {
  return !caller.user || getReauthenticatedUntil(caller, now) !== null;
}

/** Returns when the session's re-authentication expires; null if there is none or it has expired. */
export function getReauthenticatedUntil({ session, merchant }: TwoFactorCaller, now: Date): Date | null {
  if (!session?.reauthenticatedAt) return null;
  const minutes = merchant?.reauthenticationMinutes ?? operatorMinutes;
  const until = new Date(session.reauthenticatedAt.getTime() + minutes * minuteMs);
  return now < until ? until : null;
}

/** Returns whether the merchant requires two-factor authentication and the user has not enabled it. */
export function mustEnableTwoFactor({ user, merchant }: TwoFactorCaller): boolean {
  return user !== undefined && user.totpEncrypted === null && merchant?.requireTwoFactor === true;
}

/**
 * Throws `two_factor_setup_required` for all but account operations of a user who must enable two-factor
 * authentication.
 */
export function requireTwoFactorSetup(caller: TwoFactorCaller, operation: string): void {
  if (isAccountOperation(operation) || !mustEnableTwoFactor(caller)) return;
  throw new DomainError(
    'two_factor_setup_required',
    'Enable two-factor authentication under Your account first',
  );
}
