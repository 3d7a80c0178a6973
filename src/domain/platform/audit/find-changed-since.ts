import { findChangedObjects } from '../../../event/find-changed-objects.ts';
import type { Db } from '../../../kit/db.ts';
import { getLowestId, type IdType, idPrefixes } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/** A position in the merchant's event log, and the system time at which it was read. */
type LogPosition = { sequence: bigint; time: Date };

/**
 * Returns the IDs of the objects of a type that changed after a position: objects with an event or an audit entry, and
 * charges from which money of a changed transfer was removed. Excludes automatic changes without an event, because
 * merchants are not notified of them.
 */
export async function findChangedSince(
  db: Db,
  options: MerchantScope & { objectType: IdType; since: LogPosition },
): Promise<Set<string>> {
  const changedIds = await findRecordedChanges(db, options);
  if (options.objectType !== 'charge') return new Set(changedIds);
  const transferIds = await findRecordedChanges(db, { ...options, objectType: 'transfer' });
  const reversals = await db.prisma.allocation.findMany({
    where: { transferId: { in: transferIds }, chargeId: { not: null }, amount: { lt: 0n } },
    select: { chargeId: true },
  });
  return new Set([...changedIds, ...reversals.flatMap(({ chargeId }) => chargeId ?? [])]);
}

async function findRecordedChanges(
  db: Db,
  { merchantId, mode, objectType, since }: MerchantScope & { objectType: IdType; since: LogPosition },
): Promise<string[]> {
  const idPrefix = idPrefixes[objectType];
  const events = await findChangedObjects(db, { merchantId, mode, idPrefix, since: since.sequence });
  const auditEntries = await db.prisma.auditEntry.findMany({
    where: {
      merchantId,
      mode,
      id: { gte: getLowestId('audit', since.time) },
      objectId: { startsWith: `${idPrefix}_` },
    },
    select: { objectId: true },
  });
  return [...events, ...auditEntries.flatMap(({ objectId }) => objectId ?? [])];
}
