import type { Pool, PoolClient } from 'pg';
import { dayMs } from '../../src/kit/duration.ts';
import { getLowestId } from '../../src/kit/id.ts';

/** The share of all rows that each table gets. */
const shares = {
  event: 0.27,
  notification: 0.27,
  notification_attempt: 0.27,
  message: 0.09,
  transfer: 0.05,
  audit_entry: 0.05,
};
export type RetentionTable = keyof typeof shares;
export const retentionTables = Object.keys(shares) as RetentionTable[];

/** The SQL of the columns in which copy `n` differs. `tick` is the copy's interval of ten seconds in the two days. */
const changedColumns: Record<RetentionTable, Record<string, string>> = {
  event: {
    id: `tick.ev || lpad(to_hex(n), 16, '0')`,
    merchant_id: `'mer_bench' || lpad(((n - 1) % $2)::text, 21, '0')`,
    sequence: '(n - 1) / $2 + 1',
    relayed_at: 'tick.at',
    created_at: 'tick.at',
  },
  notification: {
    id: `tick.nt || lpad(to_hex(n), 16, '0')`,
    event_id: `tick.ev || lpad(to_hex(n), 16, '0')`,
    merchant_id: `'mer_bench' || lpad(((n - 1) % $2)::text, 21, '0')`,
    finished_at: 'tick.at',
    created_at: 'tick.at',
  },
  notification_attempt: {
    id: `tick.at_id || lpad(to_hex(n), 16, '0')`,
    notification_id: `tick.nt || lpad(to_hex(n), 16, '0')`,
    started_at: 'tick.at',
  },
  message: {
    id: `tick.msg || lpad(to_hex(n), 16, '0')`,
    dedupe_key: `'refund-link:' || n`,
    recipient: `'buyer' || n || '@shop.example'`,
    finished_at: 'tick.at',
    created_at: 'tick.at',
  },
  transfer: {
    id: `tick.tr || lpad(to_hex(n), 16, '0')`,
    bank_reference: `'bank-' || n`,
    created_at: 'tick.at',
  },
  audit_entry: { id: `tick.aud || lpad(to_hex(n), 16, '0')`, created_at: 'tick.at' },
};
const tickMs = 10_000;

/**
 * Fills the tables with copies of their first row: `rows` in total, spread evenly over the two days from `firstDay` and
 * over synthetic merchants. Skips triggers and foreign keys.
 */
export async function copyRows(
  pool: Pool,
  { rows, merchants, firstDay }: { rows: number; merchants: number; firstDay: number },
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`SET session_replication_role = 'replica'`);
    await client.query(`SET maintenance_work_mem = '256MB'`);
    const ticks = Array.from({ length: (2 * dayMs) / tickMs }, (_, i) => new Date(firstDay + i * tickMs));
    await client.query(
      `CREATE TEMP TABLE tick AS SELECT ordinality - 1 AS number, tick.* FROM unnest(
         $1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]
       ) WITH ORDINALITY AS tick (at, ev, nt, at_id, msg, tr, aud, ordinality)`,
      [
        ticks,
        ...(['event', 'notification', 'attempt', 'message', 'transfer', 'audit'] as const).map((type) =>
          ticks.map((time) => getLowestId(type, time)),
        ),
      ],
    );
    await client.query('CREATE INDEX ON tick (number)');
    await client.query('ANALYZE tick');
    for (const table of retentionTables)
      await copyTable(client, table, {
        count: Math.round(rows * shares[table]),
        ticks: ticks.length,
        merchants,
      });
    await client.query(`INSERT INTO event_counter (merchant_id, mode, last)
      SELECT merchant_id, mode, max(sequence) FROM event WHERE merchant_id LIKE 'mer_bench%' GROUP BY 1, 2`);
    await client.query(`SET session_replication_role = 'origin'`);
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    client.release(true);
  }
}

async function copyTable(
  client: PoolClient,
  table: RetentionTable,
  { count, ticks, merchants }: { count: number; ticks: number; merchants: number },
): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute
     WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
     WHERE indrelid = $1::text::regclass AND NOT indisunique`,
    [table],
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name }) => changedColumns[table][name] ?? `model."${name}"`).join(', ');
  await client.query(
    `INSERT INTO "${table}" (${names}) SELECT ${values}
     FROM (SELECT * FROM "${table}" ORDER BY id LIMIT 1) model, generate_series(1, $1::bigint) n
       JOIN tick ON tick.number = (n - 1) * $3::bigint / $1::bigint
     WHERE $2::bigint > 0`,
    [count, merchants, ticks],
  );
  for (const { text } of indexes) await client.query(text);
}
