import type pg from 'pg';
import type { Secrets } from '../../kit/secrets.ts';
import { requireNobodyElse } from '../../kit/with-client.ts';

/** Rows read and written at a time. */
const batchRows = 500;

type SealedTable = { table: string; columns: string[] };

/**
 * Encrypts everything sealed anew, from one APP_SECRET to another, in one transaction: all of it or nothing. Answers how
 * many rows of each table were changed. Throws while anybody else works on the database, and when a value does not open.
 */
export async function rotateSecrets(
  client: pg.Client,
  options: { from: Secrets; to: Secrets },
): Promise<Record<string, number>> {
  const tables = await findSealedTables(client);
  const counts: Record<string, number> = {};
  await client.query('BEGIN');
  try {
    await requireNobodyElse(client);
    // Readers go on; whoever writes a value under the old secret waits, and is seen below.
    await client.query(
      `LOCK TABLE ${tables.map(({ table }) => `"${table}"`).join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
    );
    for (const table of tables) counts[table.table] = await resealTable(client, table, options);
    await client.query('SELECT pg_stat_clear_snapshot()');
    await requireNobodyElse(client);
    await client.query('COMMIT');
    return counts;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** A column is sealed exactly when its name ends so; there is no list to keep. */
async function findSealedTables(client: pg.Client): Promise<SealedTable[]> {
  const { rows } = await client.query<SealedTable>(
    `SELECT table_name AS table, array_agg(column_name::text ORDER BY column_name) AS columns
     FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name LIKE '%\\_sealed' GROUP BY table_name ORDER BY table_name`,
  );
  return rows;
}

async function resealTable(
  client: pg.Client,
  { table, columns }: SealedTable,
  { from, to }: { from: Secrets; to: Secrets },
): Promise<number> {
  const reseal = (sealed: string | null) => (sealed === null ? null : to.seal(open(from, sealed, table)));
  await client.query(
    `DECLARE sealed NO SCROLL CURSOR FOR SELECT ctid::text, ${columns.map((name) => `"${name}"`).join(', ')} FROM "${table}"`,
  );
  const set = columns.map((name, i) => `"${name}" = new.v${i}`).join(', ');
  const given = columns.map((_, i) => `$${i + 2}::text[]`).join(', ');
  const names = columns.map((_, i) => `v${i}`).join(', ');
  const update = `UPDATE "${table}" SET ${set} FROM unnest($1::tid[], ${given}) AS new(at, ${names}) WHERE "${table}".ctid = new.at`;
  for (let total = 0; ; ) {
    const { rows } = await client.query<(string | null)[]>({
      text: `FETCH ${batchRows} FROM sealed`,
      rowMode: 'array',
    });
    if (rows.length === 0) {
      await client.query('CLOSE sealed');
      return total;
    }
    const values = columns.map((_, i) => rows.map((row) => reseal(row[i + 1] ?? null)));
    await client.query(update, [rows.map(([at]) => at), ...values]);
    total += rows.length;
  }
}

function open(secrets: Secrets, sealed: string, table: string): string {
  try {
    return secrets.unseal(sealed);
  } catch (error) {
    throw new Error(`A value in ${table} does not open with the old APP_SECRET: nothing was changed`, {
      cause: error,
    });
  }
}
