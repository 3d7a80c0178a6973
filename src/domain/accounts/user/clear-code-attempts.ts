import type { Tx } from '../../../kit/db.ts';
import { attemptRetentionMs, hashAccount } from './record-attempt.ts';

/**
 * In the caller's transaction: codes that were tried to sign in as a user no longer stand in the user's way, since
 * whoever tried them has not what is needed any more. They count on for the networks they came from. Once a day, or
 * whoever reads the user's mail could guess without end by one new password after another; `isAlways`: an operator does
 * it.
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
