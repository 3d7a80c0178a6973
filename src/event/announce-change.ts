import type { Mode } from '../../prisma/client/client.ts';
import { formatNotice } from './notice.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** A changed object and its owner. `merchantId` is missing for objects of no merchant, such as exchange rates. */
type ChangedObject = { objectId: string; merchantId?: string | null; mode?: Mode | null | undefined };

/** Notifies all processes after the commit that an object changed. */
export function announceChange(
  uow: Pick<UnitOfWork, 'afterCommit' | 'announce'>,
  { objectId, merchantId, mode }: ChangedObject,
): void {
  const notice = formatNotice({ objectId, merchantId: merchantId ?? 'none', mode: mode ?? 'live' });
  uow.afterCommit(() => uow.announce(notice));
}
