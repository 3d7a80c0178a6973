import type pg from 'pg';
import { newId } from '../../src/kit/id.ts';
import type { OnCleanup } from './cleanup.ts';
import { count } from './counts.ts';
import { type GraphqlApp, setupGraphqlApp } from './graphql.ts';
import { seedOneOfEachType } from './seed-one-of-each-type.ts';
import type { SentStatement } from './sent-statements.ts';

/**
 * Sets up an application with large tables of eleven merchants. Returns it with the IDs of the test merchant’s objects
 * by type.
 */
export async function setupLargeTables(
  onCleanup: OnCleanup,
): Promise<{ app: GraphqlApp; ids: Record<string, string> }> {
  const app = await setupGraphqlApp(onCleanup);
  const { service, clock } = app.context;
  const { pool, prisma } = service;
  const ids = (await seedOneOfEachType(app)) as Record<string, string>;
  const { id } = app.merchant.merchant;
  await pool.query(
    `INSERT INTO idempotency_key
     SELECT $1, 'live', 'key', 'fingerprint', 201, 'encrypted', now(), now() + interval '1 day'`,
    [id],
  );
  await pool.query(
    `INSERT INTO phone_verification (merchant_id, mode, phone, code_hash, expires_at, created_at)
     SELECT $1, 'live', '+85251234567', 'hash', now(), now()`,
    [id],
  );
  const others = Array.from({ length: 10 }, () => newId('merchant', clock.now()));
  const { eventId } = await prisma.notification.findUniqueOrThrow({ where: { id: ids.notification! } });
  const { receivingAccount: _account, webhook: _webhook, plan: _plan, user: _user, ...growingIds } = ids;
  await fillTables(pool, {
    // Old versions of PostgreSQL use an index for fifty rows only if the table is larger.
    rows: count(process.env.TEST_POSTGRES ? 20_000 : 8_000, 1_000_000),
    merchants: [id, ...others],
    models: [...Object.values(growingIds), eventId],
  });
  // Completes the inserted export, so that the job has nothing to build.
  await pool.query("UPDATE export SET status = 'completed'");
  return { app, ids };
}

export const largeTablesTimeoutMs = count(60_000, 3_600_000);

/** Tables that grow with the number of payments. */
const growingTables = [
  ...['charge', 'customer', 'refund', 'transfer', 'allocation', 'event', 'notification'],
  ...['notification_attempt', 'message', 'invoice', 'subscription', 'checkout_session', 'audit_entry'],
  ...['statement', 'refund_payout', 'export', 'alert', 'phone_verification', 'idempotency_key'],
];

/** The final state of the copies, by table and column. Only the rows that existed before are still to be processed. */
const finalValues: Record<string, Record<string, string>> = {
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

/** The copies are spread over eighty days, after which no job prunes rows yet. */
const spreadMinutes = 80 * 24 * 60;

type Column = { name: string; type: string; isUnique: boolean };

/**
 * Fills each growing table with copies of a model row, distributed over the merchants and over the eighty days before
 * it, and analyzes the tables. Copies with the same number belong together. `models` are the IDs of the rows to copy;
 * in other tables, any row is copied. Skips triggers, checks and foreign keys, because only query plans are tested.
 */
async function fillTables(
  pool: pg.Pool,
  { rows, merchants, models: modelIds }: { rows: number; merchants: string[]; models: string[] },
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    const { rows: checks } = await client.query<{ drop: string }>(selectCheckDrops);
    for (const { drop } of checks) await client.query(drop);
    for (const table of growingTables) {
      const { rows: indexes } = await client.query<Index>(selectIndexes, [table]);
      const later = rows > rebuildIndexesAbove ? indexes : [];
      for (const { name } of later) await client.query(`DROP INDEX ${name}`);
      const { rows: columns } = await client.query<Column>(selectColumns, [table]);
      const list = columns.map(({ name }) => `"${name}"`).join(', ');
      const values = columns.map((column) => toCopyExpression(table, column)).join(', ');
      const { rowCount } = await client.query(
        `INSERT INTO "${table}" (${list}) SELECT ${values}
         FROM (SELECT * FROM "${table}" ${list.includes('"id"') ? 'ORDER BY id::text = ANY ($3) DESC' : ''} LIMIT 1) model,
           generate_series(1, $1::int) n, (SELECT $2::text[] AS merchants, $3::text[] AS models) given`,
        [rows, merchants, modelIds],
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

/** Above this number of rows, rebuilding indexes is faster than updating them. */
const rebuildIndexesAbove = 50_000;

const selectIndexes = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
  WHERE indrelid = $1::text::regclass AND NOT indisunique`;

const selectCheckDrops = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
  WHERE contype = 'c' AND connamespace = 'public'::regnamespace`;

const selectColumns = `
  SELECT a.attname::text AS name, format_type(a.atttypid, NULL) AS type, EXISTS (
    SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY (i.indkey)
  ) AS "isUnique"
  FROM pg_attribute a
  WHERE a.attrelid = $1::text::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = ''`;

/** Returns the SQL expression of a column of copy `n`. */
function toCopyExpression(table: string, { name, type, isUnique }: Column): string {
  const finalValue = finalValues[table]?.[name];
  if (finalValue) return finalValue;
  if (name === 'merchant_id') return 'given.merchants[1 + n % cardinality(given.merchants)]';
  if (type.startsWith('timestamp'))
    return `model."${name}" ${/^(?:expires|due)_/.test(name) ? '+' : '-'} make_interval(mins => n % ${spreadMinutes})`;
  if (type === 'text') {
    const isUniqueText = name === 'id' || (isUnique && !name.endsWith('_id'));
    const isCopied = isUniqueText ? 'true' : `model."${name}" = ANY (given.models)`;
    return `CASE WHEN ${isCopied} THEN model."${name}" || lpad(to_hex(n), 7, '0') ELSE model."${name}" END`;
  }
  return isUnique && (type === 'integer' || type === 'bigint') ? `model."${name}" + n` : `model."${name}"`;
}

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; 'Plan Rows': number; Plans?: PlanNode[] };

const pageMax = 200;

/**
 * Returns the problems of a query plan: a sequential scan of a growing table, or a sort of more than a page. Empty if
 * there are none, or for statements without a plan.
 */
export async function findPlanProblems(
  db: pg.Pool | pg.ClientBase,
  { text, values }: SentStatement,
): Promise<string[]> {
  if (!/^\s*(?:select|with|update|delete|insert)/i.test(text)) return [];
  const { rows } = await db.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
  return collectProblems(rows[0]['QUERY PLAN'][0].Plan);
}

function collectProblems(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans: children = [] } = node;
  const problems = [];
  if (type === 'Seq Scan' && growingTables.includes(table)) problems.push(`reads all of ${table}`);
  const [sorted] = children;
  if (type === 'Sort' && sorted && sorted['Plan Rows'] > pageMax && !isBounded(sorted))
    problems.push(`sorts ${sorted['Plan Rows']} rows`);
  return [...problems, ...children.flatMap(collectProblems)];
}

/** Returns whether a node returns a page at most, regardless of PostgreSQL’s estimate. */
function isBounded({ 'Node Type': type, Plans: children = [] }: PlanNode): boolean {
  return type === 'Limit' || (!/Index|Bitmap|Seq/.test(type) && children.some(isBounded));
}
