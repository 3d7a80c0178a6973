import type { ApiKey } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';

/** `lastUsedAt` is written at most this often, not on every request. */
const precisionMs = 5 * minuteMs;

/**
 * Updates the key's last use, at most every five minutes over all processes. Also updates `apiKey` itself,
 * which may be cached.
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
