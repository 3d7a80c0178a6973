import type { Tx } from '../../../kit/db.ts';
import { attemptRetentionMs, hashAccount } from './record-attempt.ts';

/**
 * Stops counting a user's earlier failed codes against the user. Called after a credential change, which
 * locks out the attacker who tried the codes. The attempts still count against the networks they came from.
 *
 * Has an effect only once a day, unless an operator sets `isForced`. Otherwise an attacker who can read the
 * user's email could reset the password after each series of guesses and continue without limit.
 */
export async function clearCodeAttempts(
  tx: Tx,
  { userId, now, isForced = false }: { userId: string; now: Date; isForced?: boolean },
): Promise<void> {
  const clearedHash = hashAccount('cleared_attempts', userId);
  const createdAt = { gt: new Date(now.getTime() - attemptRetentionMs) };
  const failedAttempts = { kind: 'reauthentication', failed: true, createdAt } as const;
  const previousClear = await tx.authenticationAttempt.findFirst({
    where: { ...failedAttempts, accountHash: clearedHash },
  });
  if (previousClear && !isForced) return;
  await tx.authenticationAttempt.updateMany({
    where: { ...failedAttempts, accountHash: hashAccount('reauthentication', userId) },
    data: { accountHash: clearedHash },
  });
}
