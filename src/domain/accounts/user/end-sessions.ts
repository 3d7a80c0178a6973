import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';

/**
 * Ends a user's sessions in the caller's transaction: all, all except `keepSessionId`, or only
 * `onlySessionId`. On commit, every process checks the user's open connections again. Returns the number of
 * ended sessions.
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
  announceUserChange(uow, user);
  return count;
}

/** Makes every process check the identity and permissions of the user's open connections again on commit. */
export function announceUserChange(
  uow: UnitOfWork,
  { id, merchantId }: { id: string; merchantId: string | null },
): void {
  announceChange(uow, { objectId: id, merchantId });
}
