import type pg from 'pg';
import type { Merchant } from '../../../../prisma/client/client.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { insertRows } from '../../../kit/insert-rows.ts';
import { isLeaseActive } from '../../../kit/lease.ts';
import { createSql } from '../../../kit/sql.ts';
import { hasSqlState, sqlStates } from '../../../kit/sql-state.ts';
import { withClient, withTransaction } from '../../../kit/with-client.ts';
import { type AuditContext, toAuditRow } from '../../platform/audit/record-audit.ts';
import { type BackupTable, quoteName } from '../backup/backup-file.ts';
import { findTables } from '../backup/find-tables.ts';
import { tableOwners } from '../backup/table-owners.ts';

/** Tables whose rows a reset keeps: keys and settings, with which clients continue, and the audit trail. */
export const keptTables: readonly string[] = [
  'api_key',
  'audit_entry',
  'bank_feed',
  'bank_feed_account',
  'certificate',
  'event_counter',
  'receiving_account',
  'statement_mapping',
  'webhook',
];

/** The number of rows per batch, few enough to keep row locks short. */
const batchSize = 2_000;
const passesMax = 20;

type ResetSandboxOptions = AuditContext & {
  merchantId: string;
  connectionString: string;
  onProgress: (line: string) => void;
};

/**
 * Deletes the data of a merchant that has only a sandbox, and sets its test clock back. Returns the number of
 * deleted rows. A reset that was interrupted is completed by the next one. Throws `invalid_request` for any
 * other merchant, and `test_clock_running` while the clock is being advanced.
 */
export async function resetSandbox(options: ResetSandboxOptions): Promise<number> {
  const { connectionString, merchantId } = options;
  return withClient(connectionString, async (client) => {
    await recordReset(client, options);
    const tables = (await findTables(client)).toReversed();
    const rows = tables.flatMap((table) => findSandboxRows(client, table, merchantId) ?? []);
    let deletedCount = 0;
    for (let pass = 1; ; pass++) {
      const { count, isBlocked } = await deleteRows(client, rows, options);
      deletedCount += count;
      if (count === 0 && !isBlocked) break;
      if (pass === passesMax)
        throw new Error('Clients keep using the sandbox. Stop them and run the command again.');
    }
    await resetClock(client, merchantId, options.now);
    return deletedCount;
  });
}

async function recordReset(client: pg.Client, options: ResetSandboxOptions): Promise<void> {
  const { merchantId, actor, ipAddress, now } = options;
  await withTransaction(client, async () => {
    await lockSandbox(client, merchantId, now);
    const entry = { merchantId, mode: 'sandbox', actor, ipAddress, objectId: merchantId, now } as const;
    await insertRows(createSql(client), 'audit_entry', [
      toAuditRow({ ...entry, action: 'merchant.sandbox_reset' }),
    ]);
  });
}

/** Sets the clock back only at the end, so that an interrupted reset leaves no objects from the future. */
function resetClock(client: pg.Client, merchantId: string, now: Date): Promise<void> {
  return withTransaction(client, async () => {
    await lockSandbox(client, merchantId, now);
    await client.query('UPDATE merchant SET test_clock_offset_ms = 0 WHERE id = $1', [merchantId]);
  });
}

async function lockSandbox(client: pg.Client, merchantId: string, now: Date): Promise<void> {
  type Sandbox = Pick<Merchant, 'sandboxOnly' | 'testClockLeasedUntil'>;
  const { rows } = await client.query<Sandbox>(
    `SELECT sandbox_only AS "sandboxOnly", test_clock_leased_until AS "testClockLeasedUntil"
     FROM merchant WHERE id = $1 FOR NO KEY UPDATE`,
    [merchantId],
  );
  const [merchant] = rows;
  if (!merchant) throw invalidInputError('/merchantId', `is not a known merchant: ${merchantId}`);
  if (!merchant.sandboxOnly)
    throw invalidInputError('/merchantId', 'is not a merchant that `sandbox create` created');
  if (isLeaseActive(merchant.testClockLeasedUntil, now)) throw new DomainError('test_clock_running');
}

/** The rows of a table that a reset deletes, as a condition in SQL. */
type SandboxRows = { table: string; condition: string };

/** Returns undefined for tables that a reset keeps. Never includes a row of the live mode. */
function findSandboxRows(
  client: pg.Client,
  { table, columns }: BackupTable,
  merchantId: string,
): SandboxRows | undefined {
  const owner = tableOwners[table];
  if (keptTables.includes(table) || owner === undefined || typeof owner === 'string') return undefined;
  const ofSandbox = `merchant_id = ${client.escapeLiteral(merchantId)} AND mode = 'sandbox'`;
  if ('merchantColumn' in owner)
    return columns.includes('mode') ? { table, condition: ofSandbox } : undefined;
  const { parentTable, parentColumn } = owner;
  if (!hasMode(parentTable)) return undefined;
  const parents = `SELECT id FROM ${quoteName(parentTable)} WHERE ${ofSandbox}`;
  return { table, condition: `${quoteName(parentColumn)} IN (${parents})` };
}

/** Users and their rows have no mode. */
function hasMode(parentTable: string): boolean {
  return parentTable !== 'merchant_user';
}

/** Deletes the rows in one pass, in referencing tables first. */
async function deleteRows(
  client: pg.Client,
  rows: SandboxRows[],
  { merchantId, onProgress }: ResetSandboxOptions,
): Promise<{ count: number; isBlocked: boolean }> {
  let count = 0;
  let isBlocked = false;
  for (const deletion of rows) {
    try {
      const deleted =
        deletion.table === 'event'
          ? await deleteLog(client, deletion, merchantId)
          : await deleteInBatches(client, deletion);
      if (deleted > 0) onProgress(`${deletion.table}: ${deleted} rows`);
      count += deleted;
    } catch (error) {
      // A client or a worker has added a row since the referencing table was read.
      if (
        !hasSqlState(error, sqlStates.foreignKeyViolation) &&
        !hasSqlState(error, sqlStates.deadlockDetected)
      )
        throw error;
      isBlocked = true;
    }
  }
  return { count, isBlocked };
}

async function deleteInBatches(client: pg.Client, { table, condition }: SandboxRows): Promise<number> {
  const name = quoteName(table);
  let count = 0;
  for (;;) {
    const { rowCount } = await client.query(
      `DELETE FROM ${name} WHERE ctid IN (SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${batchSize})`,
    );
    count += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) return count;
  }
}

/**
 * Deletes all events at once, so that the log has no gaps. The numbering continues, so that readers of the log miss
 * no event that follows.
 */
function deleteLog(client: pg.Client, { condition }: SandboxRows, merchantId: string): Promise<number> {
  const ofSandbox = `merchant_id = $1 AND mode = 'sandbox'`;
  return withTransaction(client, async () => {
    await client.query(`SELECT FROM event_counter WHERE ${ofSandbox} FOR UPDATE`, [merchantId]);
    const { rowCount } = await client.query(`DELETE FROM event WHERE ${condition}`);
    await client.query(`UPDATE event_counter SET pruned_to = last WHERE ${ofSandbox}`, [merchantId]);
    return rowCount ?? 0;
  });
}
