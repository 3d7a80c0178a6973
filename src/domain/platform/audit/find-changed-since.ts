import { findChangedObjects } from '../../../event/find-changed-objects.ts';
import type { Db } from '../../../kit/db.ts';
import { type IdNoun, idPrefixes, lowestIdAt } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/** A position in the merchant's event log, and a time of the machine's clock. */
type LogPosition = { sequence: bigint; time: Date };

/**
 * Returns the IDs of objects of a kind with a recorded change since a position: objects with an event or an
 * audit entry, and charges with a reversed or unassigned transfer. Automatic changes without an event, of which
 * merchants are not notified, are not included.
 */
export async function findChangedSince(
  db: Db,
  options: MerchantScope & { noun: IdNoun; since: LogPosition },
): Promise<Set<string>> {
  const changedIds = await findRecordedChanges(db, options);
  if (options.noun !== 'charge') return new Set(changedIds);
  const transferIds = await findRecordedChanges(db, { ...options, noun: 'transfer' });
  const reversals = await db.prisma.allocation.findMany({
    where: { transferId: { in: transferIds }, chargeId: { not: null }, amount: { lt: 0n } },
    select: { chargeId: true },
  });
  return new Set([...changedIds, ...reversals.flatMap(({ chargeId }) => chargeId ?? [])]);
}

async function findRecordedChanges(
  db: Db,
  { merchantId, mode, noun, since }: MerchantScope & { noun: IdNoun; since: LogPosition },
): Promise<string[]> {
  const idPrefix = idPrefixes[noun];
  const events = await findChangedObjects(db, { merchantId, mode, idPrefix, since: since.sequence });
  const auditEntries = await db.prisma.auditEntry.findMany({
    where: {
      merchantId,
      mode,
      id: { gte: lowestIdAt('audit', since.time) },
      objectId: { startsWith: `${idPrefix}_` },
    },
    select: { objectId: true },
  });
  return [...events, ...auditEntries.flatMap(({ objectId }) => objectId ?? [])];
}
