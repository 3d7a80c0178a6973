import type { Db } from '../../../kit/db.ts';

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
