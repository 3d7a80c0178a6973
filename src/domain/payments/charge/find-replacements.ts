import type { Charge } from '../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../kit/db.ts';

/** Returns, for each charge that was replaced, the IDs of all charges that replaced it, directly or indirectly. */
export async function findReplacements(db: Db, chargeIds: readonly string[]): Promise<Map<string, string[]>> {
  if (chargeIds.length === 0) return new Map();
  const rows = await db.prisma.$queryRaw<{ replacedId: string; id: string }[]>`
    WITH RECURSIVE chain (replaced_id, id) AS (
      SELECT replaces_id, id FROM charge WHERE replaces_id = ANY(${[...chargeIds]}::text[])
      UNION ALL
      SELECT chain.replaced_id, charge.id FROM charge JOIN chain ON charge.replaces_id = chain.id)
    SELECT replaced_id AS "replacedId", id FROM chain`;
  const groups = Map.groupBy(rows, ({ replacedId }) => replacedId);
  return new Map([...groups].map(([id, group]) => [id, group.map((row) => row.id)]));
}

/**
 * Returns the expired charges that were replaced. They are not completed automatically, because the customer may
 * also pay the new charge.
 */
export async function findReplacedIds(tx: Tx, charges: readonly Charge[]): Promise<Set<string>> {
  const expiredIds = charges.filter(({ status }) => status === 'expired').map(({ id }) => id);
  if (expiredIds.length === 0) return new Set();
  const replacements = await tx.charge.findMany({
    where: { replacesId: { in: expiredIds } },
    select: { replacesId: true },
  });
  return new Set(replacements.map(({ replacesId }) => replacesId!));
}
