import type { Merchant, MerchantUser, Mode, UserSession } from '../../../../prisma/client/client.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';

/**
 * When an operation requires a recent re-authentication from a user with two-factor authentication:
 * - `never`: for operations that neither move money out nor create a credential.
 * - `live`: in live mode.
 * - `payouts`: in live mode, for a file of refund payouts. The operation itself checks this.
 * - `always`: in both modes, for operations that change something that both modes share.
 * - `account`: for operations on the user's own sign-in, which verify the password or a code themselves. A user who
 *   must enable two-factor authentication first can use only these operations.
 */
export type TwoFactorRule = 'never' | 'live' | 'payouts' | 'always' | 'account';

/**
 * How many minutes a re-authentication of an operator lasts. For users of a merchant, a setting defines the
 * duration.
 */
const operatorMinutes = 15;

/** A caller of any kind: an API key has no user, an operator has neither merchant nor mode. */
type TwoFactorCaller = {
  user?: MerchantUser;
  session?: UserSession;
  merchant?: Merchant;
  mode?: Mode;
};

type TwoFactorCheck = { rule: TwoFactorRule; now: Date; message?: string };

/**
 * Requires a recent two-factor code if the rule demands one, because a stolen session must not be enough to move money
 * in live mode. API keys and users without two-factor authentication pass. `message` says where to enter a code. Throws
 * `two_factor_code_required`.
 */
export function requireRecentTwoFactor(
  caller: TwoFactorCaller,
  { rule, now, message = 'Enter a code from your authenticator app to do this' }: TwoFactorCheck,
): void {
  // Operators have no mode, but their operations affect live mode too.
  const isRequired = rule === 'always' || (rule === 'live' && caller.mode !== 'sandbox');
  if (!isRequired || passesTwoFactorCheck(caller, now)) return;
  throw new DomainError('two_factor_code_required', message);
}

/**
 * Returns whether the caller has entered a code recently. True for API keys and for users without two-factor
 * authentication.
 */
export function passesTwoFactorCheck(caller: TwoFactorCaller, now: Date): boolean {
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

/** Returns whether the user must enable two-factor authentication because the merchant requires it. */
export function isTwoFactorSetupRequired({ user, merchant }: TwoFactorCaller): boolean {
  return user !== undefined && user.totpEncrypted === null && merchant?.isTwoFactorRequired === true;
}

/** Throws `two_factor_setup_required` if the user must enable two-factor authentication first. */
export function requireTwoFactorSetup(caller: TwoFactorCaller): void {
  if (!isTwoFactorSetupRequired(caller)) return;
  throw new DomainError(
    'two_factor_setup_required',
    'Enable two-factor authentication first, on the page "Your account" of the dashboard',
  );
}
