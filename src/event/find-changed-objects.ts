import type { Db } from '../kit/db.ts';
import type { MerchantScope } from '../kit/merchant-scope.ts';

/** Returns the sequence number of the newest event in the merchant's log, or 0 if the log is empty. */
export async function readLastSequence(db: Db, scope: MerchantScope): Promise<bigint> {
  const counter = await db.prisma.eventCounter.findUnique({ where: { merchantId_mode: scope } });
  return counter?.last ?? 0n;
}

/** Returns the IDs of objects with an event after `since`, including events that the relay has not numbered yet. */
export async function findChangedObjects(
  db: Db,
  options: MerchantScope & { idPrefix: string; since: bigint },
): Promise<string[]> {
  const { merchantId, mode, idPrefix, since } = options;
  const events = await db.prisma.event.findMany({
    where: {
      merchantId,
      mode,
      objectId: { startsWith: `${idPrefix}_` },
      OR: [{ sequence: { gt: since } }, { relayedAt: null }],
    },
    distinct: ['objectId'],
    select: { objectId: true },
    orderBy: { id: 'asc' },
  });
  return events.map((event) => event.objectId);
}
