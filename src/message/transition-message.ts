import type { Db } from '../kit/db.ts';
import type { MessageClaim } from './claim-messages.ts';
import type { MessageNextState } from './message-state.ts';

/**
 * Moves a claimed message on, provided the claim still holds: the one writer of a message's status. What is handed over
 * or given up loses its content in the same statement. `isAttempt`: it counts as a try to send.
 */
export async function transitionMessage(
  db: Db,
  options: { claim: MessageClaim; next: MessageNextState; isAttempt: boolean; now: Date },
): Promise<boolean> {
  const { claim, next, isAttempt, now } = options;
  const isEnded = next.status === 'sent' || next.status === 'failed';
  const { count } = await db.prisma.message.updateMany({
    where: { id: claim.id, status: 'pending', claimedUntil: claim.claimedUntil },
    data: {
      status: next.status,
      attemptsMade: { increment: isAttempt ? 1 : 0 },
      nextAttemptAt: next.status === 'pending' ? next.nextAttemptAt : null,
      claimedUntil: null,
      lastError: 'error' in next ? next.error : null,
      finishedAt: next.status === 'pending' ? null : now,
      ...(isEnded && { contentEncrypted: null }),
    },
  });
  return count === 1;
}
