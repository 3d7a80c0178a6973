import type { Tx } from './db.ts';

/** Tables that are written many rows at a time. */
type Table = 'allocation' | 'charge' | 'event' | 'invoice' | 'transfer';

/**
 * Inserts any number of rows in one statement with one parameter: several times quicker than createMany, which names
 * every value of every row. Members are named as in Prisma's model and the same in all rows; those left out are null or
 * the column's default only when all rows leave them out. With `skipDuplicates` those that a unique index refuses are left out.
 */
export async function insertRows(
  tx: Tx,
  table: Table,
  rows: readonly object[],
  { skipDuplicates = false }: { skipDuplicates?: boolean } = {},
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const members = Object.keys(first);
  const columns = members.map(columnOf).join(', ');
  const values = rows.map((row) =>
    Object.fromEntries(members.map((member) => [columnOf(member), row[member as keyof typeof row]])),
  );
  await tx.$executeRawUnsafe(
    `INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::"${table}", $1::json)
      ${skipDuplicates ? 'ON CONFLICT DO NOTHING' : ''}`,
    JSON.stringify(values, (_name, value) => (typeof value === 'bigint' ? String(value) : value)),
  );
}

/** `paidAtIsDate` is the column `paid_at_is_date`. */
function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
