import type { Mode } from '../../prisma/client/client.ts';
import { afterCommit, type Tx } from '../kit/db.ts';
import { formatNotice } from './notice.ts';

/** What changed, and whose it is: left out or null, nobody's. */
export type Changed = { objectId: string; merchantId?: string | null; mode?: Mode | null | undefined };

/** Has the processes told, once the transaction has committed, that an object changed. */
export function announceChange(tx: Tx, { objectId, merchantId, mode }: Changed): void {
  const notice = formatNotice({ objectId, merchantId: merchantId ?? 'none', mode: mode ?? 'live' });
  afterCommit(tx, (db) => db.announce(notice));
}
