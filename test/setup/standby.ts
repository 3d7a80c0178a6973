import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { withClient } from '../../src/kit/with-client.ts';
import { killPostgres } from '../process/kill-postgres.ts';
import { queryValue } from './query-value.ts';
import { type RunningPostgresProcess, runPostgresProcess } from './run-postgres-process.ts';
import { getTestPostgres } from './test-postgres.ts';

/** A PostgreSQL that keeps its port when it is started again on the same `dataDir`. */
export type ReplicatedServer = {
  dataDir: string;
  process: RunningPostgresProcess;
  pid: number;
  connectionString: string;
};

const settings = { fsync: 'off', wal_keep_size: '512MB', wal_receiver_timeout: '5s' };

export async function startReplicatedServer(
  dataDir: string,
  primary?: ReplicatedServer,
): Promise<ReplicatedServer> {
  const { packageDir } = await getTestPostgres();
  const process = runPostgresProcess({
    dataDir,
    ...(packageDir !== undefined && { packageDir }),
    settings: { ...settings, ...(primary && { primary_conninfo: toConnectionInfo(primary) }) },
  });
  const { pid, connectionString } = await process.ready();
  return { dataDir, process, pid, connectionString };
}

/**
 * Copies the running primary into `dataDir`, and starts the copy as its streaming standby. Uses the low-level backup
 * functions of PostgreSQL, because the npm packages have no pg_basebackup.
 */
export async function createStandby(primary: ReplicatedServer, dataDir: string): Promise<ReplicatedServer> {
  const root = join(dataDir, 'postgres');
  const data = join(root, 'data');
  await rm(data, { recursive: true, force: true });
  await mkdir(root, { recursive: true, mode: 0o711 });
  await mkdir(data, { mode: 0o700 });
  await cp(join(primary.dataDir, 'postgres', 'password'), join(root, 'password'));
  await withClient(primary.connectionString, async (client) => {
    const { rows: folders } = await client.query(`SELECT current_setting('data_directory') AS path`);
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await copyFolder(folders[0].path, data);
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(data, 'backup_label'), rows[0].labelfile);
    await writeFile(join(data, 'standby.signal'), '');
  });
  await promisify(execFile)('chown', ['-R', '--reference', join(data, 'PG_VERSION'), data]);
  return startReplicatedServer(dataDir, primary);
}

/** Copies files that may change or vanish, as a base backup does; PostgreSQL repairs them from the WAL. */
async function copyFolder(from: string, to: string): Promise<void> {
  const excluded = ['postmaster.pid', 'postmaster.opts', '.s.PGSQL.*', 'pg_wal/*', 'pg_replslot/*'];
  const script = `tar -C "$1" ${excluded.map((one) => `--exclude='./${one}'`).join(' ')} -cf - . | tar -C "$2" -xpf -
    status=("\${PIPESTATUS[@]}"); [ "\${status[0]}" -le 1 ] && [ "\${status[1]}" -eq 0 ]`;
  await promisify(execFile)('bash', ['-c', script, 'bash', from, to]);
}

function toConnectionInfo({ connectionString }: ReplicatedServer): string {
  const { hostname, port, username, password } = new URL(connectionString);
  return `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
}

/** Waits for the standby, and makes each commit of the primary wait for it. */
export async function requireStandby(primary: ReplicatedServer): Promise<void> {
  await setSynchronousStandbys(primary, 'ANY 1 (standby)');
  const sql = `SELECT sync_state FROM pg_stat_replication WHERE application_name = 'standby' AND state = 'streaming'`;
  await expect.poll(() => queryValue(primary.connectionString, sql)).toBe('quorum');
}

/** Waits for the standby; the primary's commits do not wait for it. */
export async function waitForStandby(primary: ReplicatedServer): Promise<void> {
  await setSynchronousStandbys(primary, '');
  const sql = `SELECT state FROM pg_stat_replication WHERE application_name = 'standby'`;
  await expect.poll(() => queryValue(primary.connectionString, sql)).toBe('streaming');
}

/** Suspends the process of the primary that sends the WAL to the standby, like a stalled network. */
export async function stopSending(primary: ReplicatedServer): Promise<void> {
  const pid = await queryValue(primary.connectionString, 'SELECT pid FROM pg_stat_replication');
  process.kill(Number(pid), 'SIGSTOP');
}

/** Promotes the standby, as a failover manager does after losing the primary. */
export async function promote(standby: ReplicatedServer): Promise<void> {
  await setSynchronousStandbys(standby, '', 'pg_promote()');
}

export async function killServer(server: ReplicatedServer): Promise<void> {
  await killPostgres(server.pid);
  await server.process.end();
}

async function setSynchronousStandbys(
  { connectionString }: ReplicatedServer,
  names: string,
  action = 'pg_reload_conf()',
): Promise<void> {
  await withClient(connectionString, async (client) => {
    // Otherwise, this commit would wait for a standby that is gone.
    await client.query('SET synchronous_commit = local');
    await client.query(`SELECT ${action}`);
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await client.query('SELECT pg_reload_conf()');
  });
}
