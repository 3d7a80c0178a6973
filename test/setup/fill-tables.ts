import type pg from 'pg';

/** Tables that grow with a merchant's trade; the others hold what it sets up. */
export const growing = [
  ...['charge', 'customer', 'refund', 'transfer', 'allocation', 'event', 'notification'],
  ...['notification_attempt', 'message', 'invoice', 'subscription', 'checkout_session', 'audit_entry'],
  ...['statement', 'refund_payout', 'export', 'alert', 'phone_verification', 'idempotency_key'],
];

/** How most rows of a table stand: at their end. What is still to be done are the rows that were there before. */
const ended: Record<string, Record<string, string>> = {
  charge: { status: `'completed'` },
  refund: { status: `'completed'` },
  transfer: { status: `'matched'`, reason: 'NULL' },
  event: { relayed_at: 'model.created_at' },
  notification: { status: `'delivered'` },
  message: { status: `'sent'` },
  phone_verification: { status: `'used'` },
  invoice: { status: `'paid'` },
  checkout_session: { status: `'charged'` },
  subscription: { due_at: `model.due_at + interval '1 year'` },
  export: { status: `'completed'` },
  statement: { status: `'completed'` },
  alert: { mailed_at: 'model.created_at' },
};

/** Eighty days: jobs that take away what is old enough leave them alone. */
const minutesKept = 80 * 24 * 60;

type Column = { name: string; type: string; isUnique: boolean };

/**
 * Fills each growing table with so many copies of its model, spread evenly over the merchants and the eighty days before
 * it, and has PostgreSQL look at what is there. Copies with one number belong together. `models`: ids of a row each, else any is
 * copied. Past triggers, checks and foreign keys: for plans alone.
 */
export async function fillTables(
  pool: pg.Pool,
  { rows, merchants, models }: { rows: number; merchants: string[]; models: string[] },
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    const { rows: checks } = await client.query<{ drop: string }>(dropChecks);
    for (const { drop } of checks) await client.query(drop);
    for (const table of growing) {
      const { rows: indexes } = await client.query<Index>(indexesOf, [table]);
      const later = rows > manyRows ? indexes : [];
      for (const { name } of later) await client.query(`DROP INDEX ${name}`);
      const { rows: columns } = await client.query<Column>(columnsOf, [table]);
      const list = columns.map(({ name }) => `"${name}"`).join(', ');
      const values = columns.map((column) => copied(table, column)).join(', ');
      const { rowCount } = await client.query(
        `INSERT INTO "${table}" (${list}) SELECT ${values}
         FROM (SELECT * FROM "${table}" ${list.includes('"id"') ? 'ORDER BY id::text = ANY ($3) DESC' : ''} LIMIT 1) model,
           generate_series(1, $1::int) n, (SELECT $2::text[] AS merchants, $3::text[] AS models) given`,
        [rows, merchants, models],
      );
      if (rowCount !== rows) throw new Error(`${table} has no row to copy`);
      for (const { text } of later) await client.query(text);
    }
    await client.query("SET session_replication_role = 'origin'");
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release();
  }
}

type Index = { name: string; text: string };

/** From so many rows on it is quicker to make the indexes of a table anew than to keep them. */
const manyRows = 50_000;

/** Those that keep nothing unique. */
const indexesOf = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
  WHERE indrelid = $1::text::regclass AND NOT indisunique`;

const dropChecks = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
  WHERE contype = 'c' AND connamespace = 'public'::regnamespace`;

const columnsOf = `
  SELECT a.attname::text AS name, format_type(a.atttypid, NULL) AS type, EXISTS (
    SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY (i.indkey)
  ) AS "isUnique"
  FROM pg_attribute a
  WHERE a.attrelid = $1::text::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = ''`;

/** What a copy holds in a column, in SQL: `n` is its number. */
function copied(table: string, { name, type, isUnique }: Column): string {
  const own = ended[table]?.[name];
  if (own) return own;
  if (name === 'merchant_id') return 'given.merchants[1 + n % cardinality(given.merchants)]';
  if (type.startsWith('timestamp'))
    return `model."${name}" ${/^(?:expires|due)_/.test(name) ? '+' : '-'} make_interval(mins => n % ${minutesKept})`;
  if (type === 'text') {
    const isOwn = name === 'id' || (isUnique && !name.endsWith('_id'));
    const isCopied = isOwn ? 'true' : `model."${name}" = ANY (given.models)`;
    return `CASE WHEN ${isCopied} THEN model."${name}" || lpad(to_hex(n), 7, '0') ELSE model."${name}" END`;
  }
  return isUnique && (type === 'integer' || type === 'bigint') ? `model."${name}" + n` : `model."${name}"`;
}
