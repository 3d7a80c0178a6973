import type pg from 'pg';

/**
 * Copies objects that belong together so many times: each copy has ids of its own, by which its objects belong together
 * as the first ones do. Past triggers and foreign keys, so it is for reading alone.
 */
export async function copyTogether(pool: pg.Pool, ids: string[], copies: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
    const { rows: tables } = await client.query<{ name: string; unique: string[] }>(`
      SELECT c.relname AS name, coalesce(array_agg(DISTINCT a.attname::text) FILTER (WHERE a.attname IS NOT NULL), '{}') AS unique
      FROM pg_class c JOIN pg_attribute own ON own.attrelid = c.oid AND own.attname = 'id' AND own.atttypid = 'text'::regtype
      LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
        AND a.attname NOT IN ('id', 'merchant_id') AND a.atttypid IN ('text'::regtype, 'integer'::regtype, 'bigint'::regtype)
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY c.relname`);
    for (const { name, unique } of tables) {
      const { rows } = await client.query(`SELECT to_jsonb(t) AS row FROM "${name}" t WHERE id = ANY ($1)`, [
        ids,
      ]);
      for (const { row } of rows) {
        const variants = Array.from({ length: copies }, (_, i) =>
          variantOf(row, { ids, unique, number: i + 1 }),
        );
        await client.query(
          `INSERT INTO "${name}" SELECT p.* FROM jsonb_array_elements($1::jsonb) e, jsonb_populate_record(NULL::"${name}", e) p`,
          [JSON.stringify(variants)],
        );
      }
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

type Row = Record<string, unknown>;

/** One copy of a row. What is unique in its table and no id is changed too. */
function variantOf(
  row: Row,
  { ids, unique, number }: { ids: string[]; unique: string[]; number: number },
): Row {
  const suffix = `u${number.toString(36).padStart(2, '0')}`;
  let text = JSON.stringify(row);
  for (const id of ids) text = text.replaceAll(id, id + suffix);
  const copy: Row = JSON.parse(text);
  for (const name of unique) {
    const value = copy[name];
    if (value !== row[name]) continue;
    if (typeof value === 'number') copy[name] = value + number * 1_000;
    if (typeof value === 'string') copy[name] = value + suffix;
  }
  return copy;
}
