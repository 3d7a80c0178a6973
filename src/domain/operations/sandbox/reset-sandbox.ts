import pg from 'pg';
import { Prisma } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { pruneLog } from '../../../event/prune-events.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { advisoryLocks } from '../../../kit/advisory-locks.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { isLeaseActive } from '../../../kit/lease.ts';
import { hasSqlState, sqlStates } from '../../../kit/sql-state.ts';
import { withPgTransaction } from '../../../kit/with-pg-transaction.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
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
  /** Rejects merchants that also have a live mode, for callers who are not the merchant. */
  requiresSandboxOnly?: true;
  onProgress?: (line: string) => void;
};

/**
 * Deletes the sandbox data of a merchant, and sets its test clock back. Returns the number of deleted rows. A reset
 * that was interrupted is completed by the next one. Errors: `test_clock_running` while the clock is being advanced,
 * `unavailable` if clients keep using the sandbox, `invalid_request`.
 */
export async function resetSandbox(db: Db, options: ResetSandboxOptions): Promise<number> {
  const { merchantId, onProgress = () => {} } = options;
  await transact(db, async (uow) => {
    await lockSandbox(uow, options);
    const entry = { ...options, mode: 'sandbox', action: 'merchant.sandbox_reset' } as const;
    await recordAudit(uow, { ...entry, objectId: merchantId });
  });
  const tables = (await findTables(db.pool)).toReversed();
  const rows = tables.flatMap((table) => findSandboxRows(table, merchantId) ?? []);
  let deletedCount = 0;
  for (let pass = 1; ; pass++) {
    const { count, isBlocked } = await deleteRows(db, rows, { merchantId, onProgress });
    deletedCount += count;
    if (count === 0 && !isBlocked) break;
    if (pass === passesMax)
      throw new DomainError('unavailable', 'Clients keep using the sandbox. Stop them and try again');
  }
  await resetClock(db, options);
  return deletedCount;
}

/** Sets the clock back only at the end, so that an interrupted reset leaves no objects from the future. */
function resetClock(db: Db, options: ResetSandboxOptions): Promise<void> {
  const { merchantId } = options;
  return transact(db, async (uow) => {
    await lockSandbox(uow, options);
    await uow.tx.merchant.update({ where: { id: merchantId }, data: { testClockOffsetMs: 0 } });
    announceChange(uow, { objectId: merchantId, merchantId, mode: 'sandbox' });
  });
}

async function lockSandbox(
  { tx }: UnitOfWork,
  { merchantId, requiresSandboxOnly, now }: ResetSandboxOptions,
): Promise<void> {
  const merchant = await lockMerchant(tx, merchantId);
  if (requiresSandboxOnly && !merchant.sandboxOnly)
    throw invalidInputError('/merchantId', 'is not a merchant that `sandbox create` created');
  if (isLeaseActive(merchant.testClockLeasedUntil, now)) throw new DomainError('test_clock_running');
}

/** The rows of a table that a reset deletes, as a condition in SQL. */
type SandboxRows = { table: string; condition: string };

/** Returns undefined for tables that a reset keeps. Never includes a row of the live mode. */
function findSandboxRows({ table, columns }: BackupTable, merchantId: string): SandboxRows | undefined {
  const owner = tableOwners[table];
  if (keptTables.includes(table) || owner === undefined || typeof owner === 'string') return undefined;
  const ofSandbox = `merchant_id = ${pg.escapeLiteral(merchantId)} AND mode = 'sandbox'`;
  // No index of this table starts with the merchant, so all merchants' rows would be read for each batch.
  if (table === 'allocation')
    return {
      table,
      condition: `${ofSandbox} AND transfer_id IN (SELECT id FROM transfer WHERE ${ofSandbox})`,
    };
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

/** The errors of a deletion while clients or workers use the sandbox. */
const conflictStates = [
  sqlStates.foreignKeyViolation,
  sqlStates.restrictViolation,
  sqlStates.deadlockDetected,
] as const;

/** Deletes the rows in one pass, in referencing tables first. */
async function deleteRows(
  db: Db,
  rows: SandboxRows[],
  { merchantId, onProgress }: { merchantId: string; onProgress: (line: string) => void },
): Promise<{ count: number; isBlocked: boolean }> {
  let count = 0;
  let isBlocked = false;
  for (const deletion of rows) {
    try {
      const deleted =
        deletion.table === 'event'
          ? await deleteLog(db, deletion, merchantId)
          : await deleteInBatches(db, deletion);
      if (deleted > 0) onProgress(`${deletion.table}: ${deleted} rows`);
      count += deleted;
    } catch (error) {
      // A client or a worker has added a row since the referencing table was read.
      if (!conflictStates.some((state) => hasSqlState(error, state))) throw error;
      isBlocked = true;
    }
  }
  return { count, isBlocked };
}

/** Each batch is a transaction of its own, which begins with `lockSql`. */
async function deleteInBatches(db: Db, { table, condition }: SandboxRows, lockSql?: string): Promise<number> {
  const name = quoteName(table);
  const sql = `DELETE FROM ${name} WHERE ctid IN (SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${batchSize})`;
  let count = 0;
  for (;;) {
    const { rowCount } = await withPgTransaction(db, (tx) => tx.query(sql), lockSql);
    count += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) return count;
  }
}

/**
 * Deletes all events, relayed ones from the start of the log, so that it never has a gap. The numbering continues, so
 * that readers of the log miss no event that follows.
 */
async function deleteLog(db: Db, { table, condition }: SandboxRows, merchantId: string): Promise<number> {
  const unrelayed = { table, condition: `${condition} AND sequence IS NULL` };
  // The relay numbers the events that it has read, so none of them may be deleted concurrently.
  const lock = `SELECT pg_advisory_xact_lock(${advisoryLocks.relay})`;
  const unrelayedCount = await deleteInBatches(db, unrelayed, lock);
  const scope = { merchantId, mode: 'sandbox' } as const;
  return unrelayedCount + (await pruneLog(db, { scope, isPrunable: Prisma.sql`true` }));
}
