import type { ApiKey } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';

/** A key's last use is told to this, so that a busy key is written once in a while and not with every request. */
const precisionMs = 5 * minuteMs;

/**
 * Says on the key that it was used, unless that has been said within the last five minutes, by any process: on the row,
 * and on the key given, which may be kept.
 */
export async function recordKeyUse(db: Pick<Db, 'prisma'>, apiKey: ApiKey, now: Date): Promise<void> {
  const { id, lastUsedAt } = apiKey;
  const before = new Date(now.getTime() - precisionMs);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  apiKey.lastUsedAt = now;
  await db.prisma.apiKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
    data: { lastUsedAt: now },
  });
}
