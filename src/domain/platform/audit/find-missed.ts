import { findChangedObjects } from '../../../event/find-changed-objects.ts';
import type { Db } from '../../../kit/db.ts';
import { type IdNoun, idPrefixes, timeBound } from '../../../kit/id.ts';
import type { Owner } from '../../../kit/owner.ts';

/** Since when: a place in the merchant's event log, and a time by the machine's clock. */
type Since = { sequence: bigint; time: Date };

/**
 * The ids of the objects of a kind that have changed since, as far as it was written down: those with an event, those
 * that people decided about, and charges from which money was taken back. The others changed by themselves, without an
 * event: what a merchant is not told of.
 */
export async function findMissed(
  db: Db,
  options: Owner & { noun: IdNoun; since: Since },
): Promise<Set<string>> {
  const written = await findWritten(db, options);
  if (options.noun !== 'charge') return new Set(written);
  const transferIds = await findWritten(db, { ...options, noun: 'transfer' });
  const takenBack = await db.prisma.allocation.findMany({
    where: { transferId: { in: transferIds }, chargeId: { not: null }, amount: { lt: 0n } },
    select: { chargeId: true },
  });
  return new Set([...written, ...takenBack.flatMap(({ chargeId }) => chargeId ?? [])]);
}

async function findWritten(
  db: Db,
  { merchantId, mode, noun, since }: Owner & { noun: IdNoun; since: Since },
): Promise<string[]> {
  const idPrefix = idPrefixes[noun];
  const changed = await findChangedObjects(db, { merchantId, mode, idPrefix, since: since.sequence });
  const decided = await db.prisma.auditEntry.findMany({
    where: {
      merchantId,
      mode,
      id: { gte: timeBound('audit', since.time) },
      objectId: { startsWith: `${idPrefix}_` },
    },
    select: { objectId: true },
  });
  return [...changed, ...decided.flatMap(({ objectId }) => objectId ?? [])];
}
