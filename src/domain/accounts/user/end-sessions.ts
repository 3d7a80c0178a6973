import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';

/**
 * Ends a user's sessions in the caller's transaction, all but `keep`, and has every process look at the user's open
 * connections once that is committed. Answers how many ended.
 */
export async function endSessions(
  uow: UnitOfWork,
  options: {
    user: { id: string; merchantId: string | null };
    keepSessionId?: string | undefined;
    onlySessionId?: string;
  },
): Promise<number> {
  const { user, keepSessionId, onlySessionId } = options;
  const { count } = await uow.tx.userSession.deleteMany({
    where: {
      userId: user.id,
      ...(keepSessionId !== undefined && { id: { not: keepSessionId } }),
      ...(onlySessionId !== undefined && { id: onlySessionId }),
    },
  });
  announceUser(uow, user);
  return count;
}

/** Connections of a user look who that is, and what they may do, anew. */
export function announceUser(
  uow: UnitOfWork,
  { id, merchantId }: { id: string; merchantId: string | null },
): void {
  announceChange(uow, { objectId: id, merchantId });
}
