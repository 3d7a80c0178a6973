import type { EncryptedColumn, RowKey, Secrets } from '../../src/kit/secrets.ts';
import type { Queryable } from '../../src/kit/with-client.ts';

/** A value of an encrypted column with its location. */
export type EncryptedValue = { column: EncryptedColumn; row: RowKey<EncryptedColumn>; value: string };

/** Reads all encrypted values, using the catalog of the database. */
export async function readEncryptedValues(db: Queryable): Promise<EncryptedValue[]> {
  const values: EncryptedValue[] = [];
  for (const { name, table, column, key } of await readEncryptedColumns(db)) {
    const { rows } = await db.query(
      `SELECT "${column}" AS value, ARRAY[${key.map((part) => `"${part}"::text`)}] AS key FROM "${table}"
       WHERE "${column}" IS NOT NULL`,
    );
    for (const { value, key } of rows)
      values.push({ column: name as EncryptedColumn, row: key.length === 1 ? key[0] : key, value });
  }
  return values;
}

type CatalogColumn = { name: string; table: string; column: string; key: string[] };

/** Returns the columns whose name ends in `_encrypted`, with the primary keys of their tables. */
export async function readEncryptedColumns(db: Queryable): Promise<CatalogColumn[]> {
  const { rows } = await db.query<CatalogColumn>(
    `SELECT c.relname || '.' || a.attname AS name, c.relname AS table, a.attname AS column,
       (SELECT array_agg(k.attname::text ORDER BY array_position(i.indkey::int2[], k.attnum)) FROM pg_attribute k
        WHERE k.attrelid = c.oid AND k.attnum = ANY (i.indkey)) AS key
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
     WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
       AND a.attname LIKE '%\\_encrypted' ORDER BY 1`,
  );
  return rows;
}

/** Decrypts all values. */
export const decryptAll = ({ decrypt }: Secrets, values: EncryptedValue[]) =>
  Promise.all(values.map(({ column, row, value }) => decrypt(value, column, row)));
