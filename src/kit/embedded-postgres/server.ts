import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { databaseUser, prepareLog, readLogEnd, writeSettings } from './cluster.ts';
import { findSocketDir, type Place } from './place.ts';
import { processCommand, processExists } from './process-info.ts';
import { run } from './run-as.ts';

/** A PostgreSQL process that lives on our data. */
export type Server = { pid: number; port: number; socketDir: string };

const databaseName = 'causeway';
// A large journal to replay after a crash takes this long at most on a small machine.
const readySecondsMax = 120;
const silentMsMax = 10_000;

/** The PostgreSQL that runs on this data, read from its pid file; null when there is none. */
export async function findServer(place: Place): Promise<Server | null> {
  const text = await readFile(pidFile(place), 'utf8').catch(() => '');
  // pid, data folder, start time, port, socket folder, address, shared memory, state (PostgreSQL's miscadmin.h).
  const [pid, , , port, socketDir = ''] = text.split('\n');
  if (!pid || !port || !(await isServerOf(Number(pid), place))) return null;
  return { pid: Number(pid), port: Number(port), socketDir };
}

/**
 * Removes the pid file and the socket's lock of a server that is gone when its number was since given to another program
 * (or its dead process was not collected): PostgreSQL itself would refuse to start for ever. Whether old backends still
 * use the data, PostgreSQL checks by its shared memory.
 */
export async function removeStaleLocks(place: Place): Promise<void> {
  const socketDir = await findSocketDir(place);
  const names = (await readdir(socketDir)).filter((name) => /^\.s\.PGSQL\.\d+\.lock$/.test(name));
  for (const path of [pidFile(place), ...names.map((name) => join(socketDir, name))]) {
    const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10);
    if (pid > 0 && processExists(pid) && !(await isServerOf(pid, place))) await rm(path, { force: true });
  }
}

// What goes away by itself: a port taken meanwhile, a server or backends that are just ending.
const passingTroubles = /lock file|shared memory|in use|could not create any TCP/;

/** One try to start: null when it runs, else the error and whether it is worth another try. */
export async function startServer(
  place: Place,
  binDir: string,
  settings: Record<string, string>,
): Promise<{ error: Error; passing: boolean } | null> {
  const port = await choosePort(place);
  await writeSettings(place, { port, socketDir: await findSocketDir(place) }, settings);
  const logStart = await prepareLog(place);
  const { code, output } = await pgCtl(place, binDir, [
    'start',
    '-w',
    `--timeout=${readySecondsMax}`,
    `--log=${place.log}`,
  ]);
  if (code === 0) return null;
  const log = await readLogEnd(place, logStart);
  const error = new Error(explain('PostgreSQL failed to start', output, place, log));
  return { error, passing: passingTroubles.test(log) };
}

/** Stops at once but orderly: open transactions are rolled back, everything is on disk at the end. */
export async function stopServer(place: Place, binDir: string): Promise<void> {
  const server = await findServer(place);
  if (server === null) return;
  const { code, output } = await pgCtl(place, binDir, ['stop', '-m', 'fast', '-w', '--timeout=60']);
  // It may have died by itself meanwhile: what matters is that it is gone.
  if (code !== 0 && (await findServer(place)) !== null) {
    throw new Error(explain('PostgreSQL failed to stop', output, place, await readLogEnd(place, 0)));
  }
  if (server.socketDir !== place.data) await rm(server.socketDir, { recursive: true, force: true });
}

export function connectionString(server: Server, password: string): string {
  return `postgresql://${databaseUser}:${password}@127.0.0.1:${server.port}/${databaseName}`;
}

/**
 * Waits until the server answers, and makes our database where it is missing. False when the server ended meanwhile.
 * Throws when it refuses the password, or stays silent.
 */
export async function awaitAnswer(place: Place, server: Server, password: string): Promise<boolean> {
  const url = connectionString(server, password);
  const start = Date.now();
  for (;;) {
    const error = await query(url, 'SELECT 1');
    if (error === null) return true;
    if (error.code === '3D000') {
      await createDatabase(url);
      return true;
    }
    if ((await findServer(place))?.pid !== server.pid) return false;
    // 57P03: it is starting up, replaying its journal, or shutting down.
    const patienceMs = error.code === '57P03' ? readySecondsMax * 1000 : silentMsMax;
    if (error.code?.startsWith('28') || Date.now() - start > patienceMs) {
      const what = `PostgreSQL (process ${server.pid}) is not responding`;
      throw new Error(explain(what, error.message, place, await readLogEnd(place, 0)));
    }
    await delay(25);
  }
}

function pidFile(place: Place): string {
  return join(place.data, 'postmaster.pid');
}

async function isServerOf(pid: number, place: Place): Promise<boolean> {
  const command = await processCommand(pid);
  return `${command} `.includes(`postgres -D ${place.data} `);
}

function pgCtl(place: Place, binDir: string, args: string[]): ReturnType<typeof run> {
  return run(place.runAs, join(binDir, 'pg_ctl'), [...args, '--silent', `--pgdata=${place.data}`]);
}

function explain(what: string, why: string, place: Place, log: string): string {
  return `${what}: ${why.trim()}\nThe end of its log (${place.log}):\n${log}`;
}

/** The port of last time if it is free, else another, remembered for the next time. */
async function choosePort(place: Place): Promise<number> {
  const note = join(place.root, 'port');
  const last = Number(await readFile(note, 'utf8').catch(() => ''));
  const free = (last > 0 ? await bindable(last) : null) ?? (await bindable(0));
  if (free === null) throw new Error('No free port on 127.0.0.1 for PostgreSQL');
  if (free !== last) await writeFile(note, String(free), { mode: 0o600 });
  return free;
}

/** The port that could be bound (0: any), given back at once; null when it is in use. */
function bindable(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : null;
      probe.close(() => resolve(found));
    });
  });
}

type QueryError = Error & { code?: string };

async function query(url: string, sql: string): Promise<QueryError | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 });
  // A server that ends in the middle must not end us: the failed query tells enough.
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
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const error = await query(maintenance.href, `CREATE DATABASE ${databaseName}`);
  // 42P04: another made it at the same moment.
  if (error !== null && error.code !== '42P04') throw error;
}
