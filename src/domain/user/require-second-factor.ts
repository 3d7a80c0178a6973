import { DomainError } from '../../kit/errors.ts';
import type { Caller } from '../api-key/permissions.ts';

/** A code counts so long for what asks for it again. */
const provedForMs = 5 * 60_000;

/**
 * For what a stolen session must not do: a user with a second factor has given it again within the last five minutes.
 * Keys, and users without one, pass. Error: `second_factor_required`.
 */
export function requireSecondFactor({ user, session }: Caller, now: Date): void {
  if (!user || user.totpSealed === null) return;
  const provedAt = session?.provedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (now.getTime() - provedAt < provedForMs) return;
  throw new DomainError('second_factor_required', 'Enter a code of your authenticator app to do this');
}
