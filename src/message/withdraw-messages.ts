import type { Tx } from '../kit/db.ts';

/** Keeps what still waits to be sent from being sent: it says what is true no more. What a worker is sending goes out. */
export async function withdrawMessages(tx: Tx, dedupeKeys: readonly string[], now: Date): Promise<void> {
  await tx.message.updateMany({
    where: { dedupeKey: { in: [...dedupeKeys] }, status: 'pending' },
    data: { expiresAt: now, nextAttemptAt: now },
  });
}
