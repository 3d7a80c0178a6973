import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { databaseUser, prepareLog, readLogEnd, writeSettings } from './cluster.ts';
import { type ClusterPaths, findSocketDir } from './cluster-paths.ts';
import { processExists, readProcessCommand } from './process-info.ts';
import { run } from './run-as.ts';

/** A running PostgreSQL server that uses our data. */
export type PostgresServer = { pid: number; port: number; socketDir: string };

const databaseName = 'causeway';
// How long to wait until the server is ready: long enough to replay a large write-ahead log on a small machine.
const readyTimeoutSeconds = 120;
const responseTimeoutMs = 10_000;

/** Returns the server that runs on this data, from its pid file, or null if there is none. */
export async function findServer(paths: ClusterPaths): Promise<PostgresServer | null> {
  const text = await readFile(getPidPath(paths), 'utf8').catch(() => '');
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory, state (PostgreSQL's
  // miscadmin.h).
  const [pid, , , port, socketDir = ''] = text.split('\n');
  if (!pid || !port || !(await isServerProcess(Number(pid), paths))) return null;
  return { pid: Number(pid), port: Number(port), socketDir };
}

/**
 * Removes the pid file and socket lock of a dead server if another program or a zombie has its process id: PostgreSQL
 * would take that process for the server and never start again. PostgreSQL still checks, through shared memory, whether
 * old backends use the data.
 */
export async function removeStaleLocks(paths: ClusterPaths): Promise<void> {
  const socketDir = await findSocketDir(paths);
  const names = (await readdir(socketDir)).filter((name) => /^\.s\.PGSQL\.\d+\.lock$/.test(name));
  for (const path of [getPidPath(paths), ...names.map((name) => join(socketDir, name))]) {
    const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10);
    if (pid > 0 && processExists(pid) && !(await isServerProcess(pid, paths)))
      await rm(path, { force: true });
  }
}

// Errors that resolve without intervention: a port that was just taken, or a server or backends that are
// shutting down.
const transientErrors = /lock file|shared memory|in use|could not create any TCP/;

/**
 * Tries to start the server once. Returns null on success, otherwise the error and whether a retry may
 * succeed.
 */
export async function startServer(
  paths: ClusterPaths,
  binDir: string,
  settings: Record<string, string>,
): Promise<{ error: Error; isTransient: boolean } | null> {
  const port = await choosePort(paths);
  await writeSettings(paths, { port, socketDir: await findSocketDir(paths) }, settings);
  const logStart = await prepareLog(paths);
  const { code, output } = await runPgCtl(paths, binDir, [
    'start',
    '-w',
    `--timeout=${readyTimeoutSeconds}`,
    `--log=${paths.log}`,
  ]);
  if (code === 0) return null;
  const log = await readLogEnd(paths, logStart);
  const error = new Error(explainFailure('PostgreSQL failed to start', output, paths, log));
  return { error, isTransient: transientErrors.test(log) };
}

/** Stops the server with a fast shutdown: open transactions are rolled back, and all data is written to disk. */
export async function stopServer(paths: ClusterPaths, binDir: string): Promise<void> {
  const server = await findServer(paths);
  if (server === null) return;
  const { code, output } = await runPgCtl(paths, binDir, ['stop', '-m', 'fast', '-w', '--timeout=60']);
  // The server may have exited in the meantime; only its absence matters.
  if (code !== 0 && (await findServer(paths)) !== null) {
    throw new Error(explainFailure('PostgreSQL failed to stop', output, paths, await readLogEnd(paths, 0)));
  }
  if (server.socketDir !== paths.data) await rm(server.socketDir, { recursive: true, force: true });
}

export function toConnectionString(server: PostgresServer, password: string): string {
  return `postgresql://${databaseUser}:${password}@127.0.0.1:${server.port}/${databaseName}`;
}

/**
 * Waits until the server responds, and creates our database if it is missing. Returns false if the server
 * exited. Throws if the server rejects the password or does not respond.
 */
export async function waitUntilReady(
  paths: ClusterPaths,
  server: PostgresServer,
  password: string,
): Promise<boolean> {
  const url = toConnectionString(server, password);
  const start = Date.now();
  for (;;) {
    const error = await tryQuery(url, 'SELECT 1');
    if (error === null) return true;
    if (error.code === '3D000') {
      await createDatabase(url);
      return true;
    }
    if ((await findServer(paths))?.pid !== server.pid) return false;
    // 57P03: the server is starting, replaying its log, or shutting down.
    const timeoutMs = error.code === '57P03' ? readyTimeoutSeconds * 1000 : responseTimeoutMs;
    if (error.code?.startsWith('28') || Date.now() - start > timeoutMs) {
      const problem = `PostgreSQL (process ${server.pid}) is not responding`;
      throw new Error(explainFailure(problem, error.message, paths, await readLogEnd(paths, 0)));
    }
    await delay(25);
  }
}

function getPidPath(paths: ClusterPaths): string {
  return join(paths.data, 'postmaster.pid');
}

async function isServerProcess(pid: number, paths: ClusterPaths): Promise<boolean> {
  const command = await readProcessCommand(pid);
  return `${command} `.includes(`postgres -D ${paths.data} `);
}

function runPgCtl(paths: ClusterPaths, binDir: string, args: string[]): ReturnType<typeof run> {
  return run(paths.runAs, join(binDir, 'pg_ctl'), [...args, '--silent', `--pgdata=${paths.data}`]);
}

function explainFailure(problem: string, reason: string, paths: ClusterPaths, log: string): string {
  return `${problem}: ${reason.trim()}\nThe end of its log (${paths.log}):\n${log}`;
}

/**
 * Returns the port of the last start if it is free, otherwise another one, and records it for the next start.
 */
async function choosePort(paths: ClusterPaths): Promise<number> {
  const portFile = join(paths.root, 'port');
  const lastPort = Number(await readFile(portFile, 'utf8').catch(() => ''));
  const freePort = (lastPort > 0 ? await tryBind(lastPort) : null) ?? (await tryBind(0));
  if (freePort === null) throw new Error('No free port on 127.0.0.1 for PostgreSQL');
  if (freePort !== lastPort) await writeFile(portFile, String(freePort), { mode: 0o600 });
  return freePort;
}

/** Binds a port (0 for any free port) and releases it. Returns its number, or null if the port is in use. */
function tryBind(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      const boundPort = typeof address === 'object' && address !== null ? address.port : null;
      probe.close(() => resolve(boundPort));
    });
  });
}

type QueryError = Error & { code?: string };

/** Returns null on success, otherwise the error. */
async function tryQuery(url: string, sql: string): Promise<QueryError | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 });
  // A broken connection must not crash the process; the failed query reports the error.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
    return null;
  } catch (error) {
    return error as QueryError;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(url: string): Promise<void> {
  const maintenanceUrl = new URL(url);
  maintenanceUrl.pathname = '/postgres';
  const error = await tryQuery(maintenanceUrl.href, `CREATE DATABASE ${databaseName}`);
  // 42P04: another process created it concurrently.
  if (error !== null && error.code !== '42P04') throw error;
}
