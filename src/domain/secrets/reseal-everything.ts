import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { minuteMs } from '../../kit/duration.ts';
import { type Secrets, sealedBeginning } from '../../kit/secrets.ts';

/** Rows read and written at a time, each time in a transaction of its own. */
const batchRows = 200;
/** Blocks of a table looked through at a time. */
const batchBlocks = 1_000;
/** How long rows may be locked by somebody else before it is given up. */
const patienceMs = minuteMs;
const pauseMs = 200;

type SealedTable = { table: string; columns: string[] };
export type Resealing = {
  client: pg.Client;
  secrets: Secrets;
  inForce: string;
  onProgress: (line: string) => void;
};

/**
 * Encrypts anew, under the secret in force, whatever is encrypted under another, while the service goes on: row by row
 * where it stands, until one look at each table finds nothing left. Broken off at any moment, it is simply begun again.
 * Answers how many rows of each table it changed. Throws when a value opens with no secret that is known: the others
 * are done.
 */
export async function resealEverything(work: Resealing): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await findSealedTables(work.client))
    counts[table.table] = await resealTable(work, table);
  return counts;
}

/** A column is sealed exactly when its name ends so; there is no list to keep. The secrets' own table is not data. */
async function findSealedTables(client: pg.Client): Promise<SealedTable[]> {
  const { rows } = await client.query<SealedTable>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attname) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'app_key'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attname LIKE '%\\_sealed' GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

async function resealTable(work: Resealing, table: SealedTable): Promise<number> {
  let total = 0;
  let movedAt = performance.now();
  for (;;) {
    const { changed, broken } = await passOver(work, table);
    total += changed;
    const left = await countLeft(work, table);
    if (left === 0) break;
    if (left <= broken)
      throw new Error(`${left} rows of ${table.table} do not open with any secret that is known here`);
    if (changed > 0) movedAt = performance.now();
    else if (performance.now() - movedAt > patienceMs)
      throw new Error(`${left} rows of ${table.table} are held by another transaction: begin again later`);
    await delay(pauseMs);
  }
  if (total > 0) work.onProgress(`${table.table}: ${total} rows`);
  return total;
}

type Pass = { changed: number; broken: number };

/** From the first block to the last that there is now: what comes later is encrypted under the secret in force. */
async function passOver(work: Resealing, table: SealedTable): Promise<Pass> {
  const pass = { changed: 0, broken: 0 };
  const { rows } = await work.client.query<{ blocks: number }>(
    `SELECT (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int AS blocks`,
    [`"${table.table}"`],
  );
  const blocks = rows[0]?.blocks ?? 0;
  for (let block = 0; block < blocks; block += batchBlocks) {
    const end = `(${block + batchBlocks},0)`;
    for (let after: string | undefined = `(${block},0)`; after !== undefined; )
      after = await resealBatch(work, { table, after, end, pass });
    if (blocks > batchBlocks)
      work.onProgress(
        `${table.table}: ${Math.min(100, Math.round((100 * (block + batchBlocks)) / blocks))} %`,
      );
  }
  return pass;
}

/**
 * Answers the place of the last row it looked at; undefined when there are no more. Rows that somebody holds are left.
 */
async function resealBatch(
  { client, secrets, inForce }: Resealing,
  { table, after, end, pass }: { table: SealedTable; after: string; end: string; pass: Pass },
): Promise<string | undefined> {
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<(string | null)[]>({
      text: `SELECT ctid::text, ${table.columns.map((name) => `"${name}"`).join(', ')} FROM "${table.table}"
             WHERE ctid > $1::tid AND ctid < $2::tid AND (${otherwise(table)})
             ORDER BY ctid LIMIT ${batchRows} FOR NO KEY UPDATE SKIP LOCKED`,
      values: [after, end, sealedBeginning(inForce)],
      rowMode: 'array',
    });
    const opened = rows.map((row) => resealRow(secrets, row)).filter((row) => row !== undefined);
    pass.broken += rows.length - opened.length;
    if (opened.length > 0) await writeRows(client, table, opened);
    await client.query('COMMIT');
    pass.changed += opened.length;
    return rows.length < batchRows ? undefined : (rows.at(-1)?.[0] ?? undefined);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Undefined where a value does not open. */
function resealRow(secrets: Secrets, [ctid, ...values]: (string | null)[]): (string | null)[] | undefined {
  try {
    return [ctid!, ...values.map((value) => (value === null ? null : secrets.seal(secrets.unseal(value))))];
  } catch {
    return undefined;
  }
}

async function writeRows(
  client: pg.Client,
  { table, columns }: SealedTable,
  rows: (string | null)[][],
): Promise<void> {
  const set = columns.map((name, i) => `"${name}" = new.v${i}`).join(', ');
  const given = columns.map((_, i) => `$${i + 2}::text[]`).join(', ');
  const names = columns.map((_, i) => `v${i}`).join(', ');
  await client.query(
    `UPDATE "${table}" SET ${set} FROM unnest($1::tid[], ${given}) AS new(at, ${names}) WHERE "${table}".ctid = new.at`,
    [rows.map(([ctid]) => ctid), ...columns.map((_, i) => rows.map((row) => row[i + 1] ?? null))],
  );
}

async function countLeft({ client, inForce }: Resealing, table: SealedTable): Promise<number> {
  const { rows } = await client.query<{ left: string }>(
    `SELECT count(*) AS left FROM "${table.table}" WHERE ${otherwise(table, '$1')}`,
    [sealedBeginning(inForce)],
  );
  return Number(rows[0]?.left);
}

/** What has a value under another secret than that whose beginning stands at `place`. */
function otherwise({ columns }: SealedTable, place = '$3'): string {
  return columns.map((name) => `NOT starts_with("${name}", ${place})`).join(' OR ');
}
