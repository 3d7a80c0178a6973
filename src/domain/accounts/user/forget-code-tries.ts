import type { Tx } from '../../../kit/db.ts';
import { hashOfTried, triesKeptMs } from './open-try.ts';

/**
 * In the caller's transaction: codes that were tried to sign in as a user no longer stand in the user's way, since
 * whoever tried them has not what is needed any more. They count on for the networks they came from. Once a day, or
 * whoever reads the user's mail could guess without end by one new password after another; `isAlways`: an operator does
 * it.
 */
export async function forgetCodeTries(
  tx: Tx,
  { userId, now, isAlways = false }: { userId: string; now: Date; isAlways?: boolean },
): Promise<void> {
  const forgotten = hashOfTried('forgotten', userId);
  const createdAt = { gt: new Date(now.getTime() - triesKeptMs) };
  const failed = { kind: 'proof', failed: true, createdAt } as const;
  const isAgain = await tx.signInAttempt.findFirst({ where: { ...failed, accountHash: forgotten } });
  if (isAgain && !isAlways) return;
  await tx.signInAttempt.updateMany({
    where: { ...failed, accountHash: hashOfTried('proof', userId) },
    data: { accountHash: forgotten },
  });
}
