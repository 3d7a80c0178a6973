import {
  getCreateIndexesSQL,
  getCreateTableSQL,
  getUpdateTimestampTriggerSQL,
  PostgresJobRepository,
} from '@agendajs/postgres-backend';
import pg from 'pg';
import { advisoryLocks } from '../kit/advisory-locks.ts';
import { jobsApplicationName } from '../kit/application-names.ts';
import { DatabaseClient } from '../kit/database-client.ts';
import type { Queryable } from '../kit/with-client.ts';
import { withPgTransaction } from '../kit/with-pg-transaction.ts';
import { coalescePolling, type FindDueNames } from './coalesce-polling.ts';
import type { JobStore } from './job-store.ts';
import { releaseJobs } from './release-jobs.ts';
import { trackRepository } from './tracked-repository.ts';

const table = 'agenda_jobs';
const poolSize = 5;
const connectTimeoutMs = 5_000;
/** Limits the wait for a connection that was lost without an error. Statements take milliseconds. */
const queryTimeoutMs = 10_000;

/**
 * Uses a separate pool, because Agenda's stop() leaves a pool that it did not create open. Running jobs can
 * then still save their end.
 */
export async function openPostgresJobStore(
  options: { connectionString: string; processName: string },
  onError: (error: Error) => void,
): Promise<JobStore> {
  const pool = new pg.Pool({
    Client: DatabaseClient,
    connectionString: options.connectionString,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: jobsApplicationName,
  });
  pool.on('error', onError);
  try {
    await ensureTable(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const repository = new PostgresJobRepository({ pool, tableName: table, ensureSchema: false });
  repository.getNextJobToRun = coalescePolling(repository, findDueNames(pool));
  const tracked = trackRepository(repository, onError);
  return {
    name: 'PostgreSQL',
    repository: tracked.repository,
    async close() {
      await tracked.whenSettled();
      await releaseJobs(tracked.repository, options.processName).catch(onError);
      await pool.end();
    },
  };
}

/** Uses the same conditions as Agenda's statement that locks a job of a name. */
function findDueNames(pool: pg.Pool): FindDueNames {
  const text = `SELECT DISTINCT name FROM ${table}
    WHERE disabled = FALSE AND ((locked_at IS NULL AND next_run_at <= $1) OR locked_at <= $2)`;
  return async (...times) => {
    const { rows } = await pool.query<{ name: string }>(text, times);
    return rows.map(({ name }) => name);
  };
}

/**
 * Creates the table with the SQL of Agenda's package. An upgrade of the package that adds columns needs a migration.
 */
async function ensureTable(pool: pg.Pool): Promise<void> {
  if (await tableExists(pool)) return;
  const createTable = async (tx: Queryable) => {
    if (await tableExists(tx)) return;
    await tx.query(getCreateTableSQL(table));
    for (const sql of getCreateIndexesSQL(table)) await tx.query(sql);
    await tx.query(getUpdateTimestampTriggerSQL(table));
  };
  await withPgTransaction({ pool }, createTable, `SELECT pg_advisory_xact_lock(${advisoryLocks.jobTable})`);
}

async function tableExists(client: Queryable): Promise<boolean> {
  const sql = 'SELECT to_regclass($1) IS NOT NULL AS "isFound"';
  const { rows } = await client.query<{ isFound: boolean }>(sql, [table]);
  return rows[0]?.isFound ?? false;
}
