import { transact } from '../../../event/unit-of-work.ts';
import type { Service } from '../../platform/service.ts';
import { endSessions } from './end-sessions.ts';
import type { Self } from './prove.ts';

/** Ends one session of the user's own, on any device; false when it has ended already. */
export async function endSession(service: Service, options: Self & { id: string }): Promise<boolean> {
  const { user, id } = options;
  return transact(service, async (uow) => (await endSessions(uow, { user, only: id })) === 1);
}
