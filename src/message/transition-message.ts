import type { Db } from '../kit/db.ts';
import type { MessageClaim } from './claim-messages.ts';
import type { MessageNextState } from './message-state.ts';

/**
 * Moves a claimed message to its next state, and returns whether the claim was still valid. No other function
 * changes the status of a message after its creation. Sent and failed messages lose their content in the same
 * statement. `isAttempt` increments the number of attempts.
 */
export async function transitionMessage(
  db: Db,
  options: { claim: MessageClaim; next: MessageNextState; isAttempt: boolean; now: Date },
): Promise<boolean> {
  const { claim, next, isAttempt, now } = options;
  const isEnded = next.status === 'sent' || next.status === 'failed';
  const { count } = await db.prisma.message.updateMany({
    where: { id: claim.id, status: 'pending', leasedUntil: claim.leasedUntil },
    data: {
      status: next.status,
      attemptCount: { increment: isAttempt ? 1 : 0 },
      nextAttemptAt: next.status === 'pending' ? next.nextAttemptAt : null,
      leasedUntil: null,
      lastError: 'error' in next ? next.error : null,
      finishedAt: next.status === 'pending' ? null : now,
      ...(isEnded && { contentEncrypted: null }),
    },
  });
  return count === 1;
}
