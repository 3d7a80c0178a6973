import { type TableOwner, tableOwners } from '../../src/domain/operations/backup/table-owners.ts';
import type { Queryable } from '../../src/kit/with-client.ts';

type StoredRow = Record<string, unknown>;

/** The rows lack the columns whose values differ between installations. */
export async function readMerchantRows(
  db: Queryable,
  merchantId: string,
): Promise<Record<string, StoredRow[]>> {
  const tables: Record<string, StoredRow[]> = {};
  for (const [table, owner] of Object.entries(tableOwners)) {
    const condition = toCondition(owner);
    if (!condition) continue;
    const { rows } = await db.query<{ row: StoredRow }>(
      `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE ${condition} ORDER BY to_jsonb(t)::text COLLATE "C"`,
      [merchantId],
    );
    tables[table] = rows.map(({ row }) => {
      for (const column of listOmittedColumns(owner)) delete row[column];
      return row;
    });
  }
  return tables;
}

function listOmittedColumns(owner: TableOwner): readonly string[] {
  return typeof owner === 'object' && 'merchantColumn' in owner ? (owner.omittedColumns ?? []) : [];
}

function toCondition(owner: TableOwner): string | undefined {
  if (typeof owner === 'string') return undefined;
  if ('merchantColumn' in owner) return `"${owner.merchantColumn}" = $1`;
  return `"${owner.parentColumn}" IN (SELECT id FROM "${owner.parentTable}" WHERE merchant_id = $1)`;
}
