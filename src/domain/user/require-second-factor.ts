import { minuteMs } from '../../kit/duration.ts';
import { DomainError } from '../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/** A code counts so long for what asks for it again. */
const provedForMs = 5 * minuteMs;

/**
 * For what a stolen session must not do: a user with a second factor has given it again within the last five minutes.
 * Keys, and users without one, pass. Error: `second_factor_required`.
 */
export function requireSecondFactor(caller: MerchantCaller, now: Date): void {
  if (hasProved(caller, now)) return;
  throw new DomainError('second_factor_required', 'Enter a code of your authenticator app to do this');
}

/** Whether `requireSecondFactor` lets somebody pass. */
export function hasProved({ user, session }: Pick<MerchantCaller, 'user' | 'session'>, now: Date): boolean {
  if (!user || user.totpSealed === null) return true;
  const provedAt = session?.provedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return now.getTime() - provedAt < provedForMs;
}
