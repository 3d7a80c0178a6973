import type { Tx } from '../../../kit/db.ts';
import { attemptRetentionMs, hashAccount } from './record-attempt.ts';

/**
 * Stops counting earlier failed codes against the user after a credential change, which locks out the
 * attacker who tried them. They still count against their networks.
 *
 * Works once a day, unless `isForced` is set by an operator. Otherwise an attacker who reads the user's mail
 * could reset the password after each batch of guesses, without limit.
 */
export async function clearCodeAttempts(
  tx: Tx,
  { userId, now, isForced = false }: { userId: string; now: Date; isForced?: boolean },
): Promise<void> {
  const clearedHash = hashAccount('forgotten', userId);
  const createdAt = { gt: new Date(now.getTime() - attemptRetentionMs) };
  const failedProofs = { kind: 'reauthentication', failed: true, createdAt } as const;
  const previousClear = await tx.authenticationAttempt.findFirst({
    where: { ...failedProofs, accountHash: clearedHash },
  });
  if (previousClear && !isForced) return;
  await tx.authenticationAttempt.updateMany({
    where: { ...failedProofs, accountHash: hashAccount('reauthentication', userId) },
    data: { accountHash: clearedHash },
  });
}
