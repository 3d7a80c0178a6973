import { transact } from '../../../event/unit-of-work.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { endSessions } from './end-sessions.ts';
import type { SessionContext } from './with-reauthentication.ts';

/**
 * Ends every session of a user, except the current one if `keepCurrent` is set. Returns the number of ended
 * sessions.
 */
export async function signOutEverywhere(
  service: Service,
  options: SessionContext & { keepCurrent: boolean },
): Promise<number> {
  const { user, session, keepCurrent, ipAddress, now } = options;
  return transact(service, async (uow) => {
    const endedCount = await endSessions(uow, { user, keepSessionId: keepCurrent ? session.id : undefined });
    const { id, merchantId } = user;
    const entry = { merchantId, actor: `user:${id}`, ipAddress, objectId: id, detail: { endedCount }, now };
    await recordAudit(uow, { ...entry, action: 'user.signed_out_everywhere' });
    return endedCount;
  });
}
