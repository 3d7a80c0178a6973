import type { Tx } from '../kit/db.ts';

/**
 * Expires pending messages whose content is no longer true. A message that a worker is already sending is still sent.
 */
export async function withdrawMessages(tx: Tx, dedupeKeys: readonly string[], now: Date): Promise<void> {
  await tx.message.updateMany({
    where: { dedupeKey: { in: [...dedupeKeys] }, status: 'pending' },
    data: { expiresAt: now, nextAttemptAt: now },
  });
}
