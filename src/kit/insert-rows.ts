import type { Sql } from './sql.ts';

type BulkTable =
  | 'alert'
  | 'allocation'
  | 'audit_entry'
  | 'charge'
  | 'event'
  | 'feed_delivery'
  | 'invoice'
  | 'message'
  | 'transfer';

/**
 * Inserts any number of rows in one statement with one parameter. This is several times faster than `createMany`, which
 * binds every value. Properties are named as in the Prisma model. The first row determines the columns to insert; all
 * other columns get their default. A property that a later row lacks is inserted as null. With `skipDuplicates`, rows
 * that violate a unique index are skipped.
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

/** Like `insertRows`, but skips rows that violate a unique index and returns the IDs of the inserted rows. */
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

/** Serializes rows for json_populate_recordset, which reads missing properties as null. */
export function toRowsJson(rows: readonly object[]): string {
  return `[${rows.map(toRowJson).join()}]`;
}

/** Returns the columns of an INSERT, separated by commas. */
export function toColumnList(properties: readonly string[]): string {
  return properties.map(toColumnName).join(', ');
}

function toRowJson(row: object): string {
  const parts: string[] = [];
  for (const [property, value] of Object.entries(row)) {
    if (value != null) parts.push(`"${toColumnName(property)}":${toValueJson(value)}`);
  }
  return `{${parts.join()}}`;
}

/** Amounts become strings, because JSON numbers cannot represent all bigints. */
function toValueJson(value: unknown): string {
  return typeof value === 'bigint' ? `"${value}"` : JSON.stringify(value);
}

/** Converts the name of a property to the name of its column: `isPaidAtDateOnly` to `is_paid_at_date_only`. */
export function toColumnName(property: string): string {
  const cachedColumn = columnNames.get(property);
  if (cachedColumn !== undefined) return cachedColumn;
  const column = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(property, column);
  return column;
}

const columnNames = new Map<string, string>();
