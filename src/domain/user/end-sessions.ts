import { announceChange } from '../../event/announce-change.ts';
import type { Tx } from '../../kit/db.ts';

/**
 * Ends a user's sessions in the caller's transaction, all but `keep`, and has every process look at the user's open
 * connections once that is committed. Answers how many ended.
 */
export async function endSessions(
  tx: Tx,
  options: { user: { id: string; merchantId: string | null }; keep?: string | undefined; only?: string },
): Promise<number> {
  const { user, keep, only } = options;
  const { count } = await tx.userSession.deleteMany({
    where: {
      userId: user.id,
      ...(keep !== undefined && { id: { not: keep } }),
      ...(only !== undefined && { id: only }),
    },
  });
  announceUser(tx, user);
  return count;
}

/** Connections of a user look who that is, and what they may do, anew. */
export function announceUser(tx: Tx, { id, merchantId }: { id: string; merchantId: string | null }): void {
  announceChange(tx, { objectId: id, merchantId });
}
