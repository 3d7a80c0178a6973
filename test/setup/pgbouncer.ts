import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnCleanup } from './cleanup.ts';
import { queryValue } from './query-value.ts';

/** The first version that tracks prepared statements in transaction mode. */
const versionMin = [1, 21] as const;

/** PgBouncer 1.21 or later: the program of PGBOUNCER, or the one in the PATH; undefined if there is none. */
export const pgBouncer: string | undefined = [process.env.PGBOUNCER, 'pgbouncer'].find(
  (program) => program !== undefined && isSupported(program),
);

function isSupported(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) > versionMin[0] || Number(minor) >= versionMin[1];
}

export type RunningPgBouncer = {
  /** Replaces the server of a URL with this PgBouncer. */
  toPooled: (connectionString: string) => string;
  port: number;
};

/**
 * Starts PgBouncer in transaction mode in front of a server, with the settings of docs/operations/scaling.md
 * and at most `poolSize` connections to the server for each database.
 */
export async function startPgBouncer(
  onCleanup: OnCleanup,
  { connectionString, poolSize = 20 }: { connectionString: string; poolSize?: number },
): Promise<RunningPgBouncer> {
  if (pgBouncer === undefined) throw new Error('There is no PgBouncer: set PGBOUNCER');
  const folder = await mkdtemp(join(tmpdir(), 'causeway-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const port = await findFreePort();
  const { port: serverPort, username, password } = new URL(connectionString);
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 5000
max_prepared_statements = 200
server_login_retry = 1
query_wait_timeout = 5
log_connections = 0
log_disconnections = 0
`,
  );
  // PgBouncer does not start as root.
  const asUser = process.getuid?.() === 0 ? ['--user=nobody'] : [];
  await chmod(folder, 0o755);
  const child = spawn(pgBouncer, [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const exited = once(child, 'exit');
  onCleanup(async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  });
  const toPooled = (url: string) => replaceAddress(url, port);
  for (;;) {
    const answer = await queryValue(toPooled(connectionString), 'SELECT 1').catch((error: Error) => error);
    if (answer === 1) return { toPooled, port };
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}: ${log}`);
    await delay(20);
  }
}

function replaceAddress(connectionString: string, port: number): string {
  const url = new URL(connectionString);
  url.host = `127.0.0.1:${port}`;
  // A Unix socket would bypass PgBouncer.
  url.searchParams.delete('host');
  return url.href;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
