import type { ApiKey } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';

/** The minimum time between two updates of `lastUsedAt`, so that not every request writes. */
const lastUsedPrecisionMs = 5 * minuteMs;

/**
 * Records when a key was last used, at most once every five minutes across all processes. Also updates the
 * object `apiKey`, which may be cached.
 */
export async function recordKeyUse(db: Pick<Db, 'prisma'>, apiKey: ApiKey, now: Date): Promise<void> {
  const { id, lastUsedAt } = apiKey;
  const before = new Date(now.getTime() - lastUsedPrecisionMs);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  apiKey.lastUsedAt = now;
  await db.prisma.apiKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
    data: { lastUsedAt: now },
  });
}
