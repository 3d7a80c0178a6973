import type { Tx } from '../../../kit/db.ts';
import { attemptRetentionMs, hashAccount } from './record-attempt.ts';

/**
 * Stops counting earlier failed codes of a sign-in against the user, because the new credentials made the
 * attacker's useless. They still count against their networks.
 *
 * Works once a day, unless `isForced` is set by an operator. Otherwise an attacker with access to the user's
 * mailbox could reset the password after each batch of guesses and guess codes without limit.
 */
export async function clearCodeAttempts(
  tx: Tx,
  { userId, now, isForced = false }: { userId: string; now: Date; isForced?: boolean },
): Promise<void> {
  const clearedHash = hashAccount('forgotten', userId);
  const createdAt = { gt: new Date(now.getTime() - attemptRetentionMs) };
  const failedProofs = { kind: 'proof', failed: true, createdAt } as const;
  const previousClear = await tx.signInAttempt.findFirst({
    where: { ...failedProofs, accountHash: clearedHash },
  });
  if (previousClear && !isForced) return;
  await tx.signInAttempt.updateMany({
    where: { ...failedProofs, accountHash: hashAccount('proof', userId) },
    data: { accountHash: clearedHash },
  });
}
