import { transact } from '../../../event/unit-of-work.ts';
import type { Service } from '../../platform/service.ts';
import { endSessions } from './end-sessions.ts';
import type { SessionContext } from './with-reauthentication.ts';

/** Ends one of the user's own sessions. Returns false if it has already ended. */
export async function endUserSession(
  service: Service,
  options: SessionContext & { id: string },
): Promise<boolean> {
  const { user, id } = options;
  return transact(service, async (uow) => (await endSessions(uow, { user, onlySessionId: id })) === 1);
}
