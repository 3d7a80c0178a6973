import type { Sql } from './sql.ts';

/** Tables that are written many rows at a time. */
type BulkTable = 'allocation' | 'audit_entry' | 'charge' | 'event' | 'invoice' | 'message' | 'transfer';

/**
 * Inserts any number of rows in one statement with one parameter: several times quicker than createMany, which names
 * every value of every row. Members are named as in Prisma's model and the same in all rows; those left out are null or
 * the column's default only when all rows leave them out. With `skipDuplicates` those that a unique index refuses are
 * left out.
 */
export async function insertRows(
  tx: Sql,
  table: BulkTable,
  rows: readonly object[],
  { skipDuplicates = false }: { skipDuplicates?: boolean } = {},
): Promise<void> {
  const [firstRow] = rows;
  if (!firstRow) return;
  const conflictClause = skipDuplicates ? 'ON CONFLICT DO NOTHING' : '';
  await tx.$executeRawUnsafe(`${toInsertSql(table, firstRow)} ${conflictClause}`, toRowsJson(rows));
}

/** The same for those that no unique index refuses; answers their ids. */
export async function insertNewRows(
  tx: Sql,
  table: BulkTable,
  rows: readonly (object & { id: string })[],
): Promise<string[]> {
  const [firstRow] = rows;
  if (!firstRow) return [];
  const sql = `${toInsertSql(table, firstRow)} ON CONFLICT DO NOTHING RETURNING id`;
  const insertedRows = await tx.$queryRawUnsafe<{ id: string }[]>(sql, toRowsJson(rows));
  return insertedRows.map(({ id }) => id);
}

function toInsertSql(table: BulkTable, firstRow: object): string {
  const columns = toColumnList(Object.keys(firstRow));
  return `INSERT INTO "${table}" (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::"${table}", $1::json)`;
}

/** Rows as PostgreSQL's json_populate_recordset reads them, for which what is left out is null. */
export function toRowsJson(rows: readonly object[]): string {
  return `[${rows.map(toRowJson).join()}]`;
}

/** The columns of these members, for the list of an INSERT. */
export function toColumnList(members: readonly string[]): string {
  return members.map(toColumnName).join(', ');
}

function toRowJson(row: object): string {
  const parts: string[] = [];
  for (const [member, value] of Object.entries(row)) {
    if (value != null) parts.push(`"${toColumnName(member)}":${toValueJson(value)}`);
  }
  return `{${parts.join()}}`;
}

/** Amounts as text: a column takes it, and JSON has no integers as large. */
function toValueJson(value: unknown): string {
  return typeof value === 'bigint' ? `"${value}"` : JSON.stringify(value);
}

/** `paidAtIsDate` is the column `paid_at_is_date`. */
export function toColumnName(member: string): string {
  const cachedColumn = columnNames.get(member);
  if (cachedColumn !== undefined) return cachedColumn;
  const column = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(member, column);
  return column;
}

const columnNames = new Map<string, string>();
