import type { Merchant, MerchantUser, Mode, UserSession } from '../../../../prisma/client/client.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { isAccountOperation, twoFactorRules } from './two-factor-rules.ts';

/** For operators, who belong to no merchant. */
const operatorMinutes = 15;

/** Who calls: an API key has no user, an operator no merchant and no mode. */
type TwoFactorCaller = {
  user?: MerchantUser;
  session?: UserSession;
  merchant?: Merchant;
  mode?: Mode;
};

type TwoFactorCheck = { operation: string; kind?: unknown; now: Date; message?: string };

/**
 * A stolen session must not be enough to move live money: users who have two-factor authentication must have entered a
 * code recently where `twoFactorRules` says so. API keys and users without it pass. `kind` is the kind of an export;
 * `howTo` says where a code is entered.
 * Error: `second_factor_required`.
 */
export function requireRecentTwoFactor(
  caller: TwoFactorCaller,
  { operation, kind, now, message = 'Enter a code from your authenticator app to do this' }: TwoFactorCheck,
): void {
  const rule = twoFactorRules[operation] ?? 'live';
  // Operators have no mode; what they do concerns live money too.
  const isLive = caller.mode !== 'sandbox';
  const isRequired =
    rule === 'always' || (isLive && (rule === 'live' || (rule === 'payouts' && kind === 'payouts')));
  if (!isRequired || hasRecentTwoFactor(caller, now)) return;
  throw new DomainError('second_factor_required', message);
}

/** Whether the caller has entered a code recently. True for API keys, and for users without two-factor authentication. */
export function hasRecentTwoFactor(caller: TwoFactorCaller, now: Date): boolean {
  return caller.user?.totpEncrypted == null || isReauthenticated(caller, now);
}

/** Whether the user has re-authenticated recently, by a code or by the password. True for API keys. */
export function isReauthenticated(caller: TwoFactorCaller, now: Date): boolean {
  return !caller.user || getReauthenticatedUntil(caller, now) !== null;
}

/** Until when the session's re-authentication counts; null where it does not. */
export function getReauthenticatedUntil({ session, merchant }: TwoFactorCaller, now: Date): Date | null {
  if (!session?.reauthenticatedAt) return null;
  const minutes = merchant?.reauthenticationMinutes ?? operatorMinutes;
  const until = new Date(session.reauthenticatedAt.getTime() + minutes * minuteMs);
  return now < until ? until : null;
}

/** Whether the merchant requires two-factor authentication of this user, who has not enabled it. */
export function mustEnableTwoFactor({ user, merchant }: TwoFactorCaller): boolean {
  return user !== undefined && user.totpEncrypted === null && merchant?.requireTwoFactor === true;
}

/** Error: `two_factor_setup_required`. */
export function requireTwoFactorSetup(caller: TwoFactorCaller, operation: string): void {
  if (isAccountOperation(operation) || !mustEnableTwoFactor(caller)) return;
  throw new DomainError(
    'two_factor_setup_required',
    'Enable two-factor authentication under Your account first',
  );
}
