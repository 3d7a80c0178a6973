import { execFileSync, spawn } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, type TestContext } from 'vitest';
import { createLibraryLinks, findPackage } from '../../src/kit/embedded-postgres/binaries.ts';
import { lockDataDir } from '../../src/kit/embedded-postgres/data-dir-lock.ts';
import { readProcessStartTime } from '../../src/kit/embedded-postgres/process-info.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/kit/embedded-postgres.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { isLongRun } from '../setup/counts.ts';
import { queryValue } from '../setup/query-value.ts';
import { startPostgresProcess } from '../setup/run-postgres-process.ts';
import { createTempDir, dataDirTest as test } from '../setup/temp-dir.ts';
import { waitForProcessExit } from '../setup/wait.ts';

const settings = { fsync: 'off' };

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ settings, ...options });
  onTestFinished(() => server.stop());
  return server;
}

const query = (server: EmbeddedPostgres, sql: string) => queryValue(server.connectionString, sql);

/** Changes the stored password until the test ends; returns its file. */
async function changePassword(dataDir: string, newPassword: string): Promise<string> {
  const file = join(dataDir, 'postgres', 'password');
  const password = await readFile(file, 'utf8');
  onTestFinished(() => writeFile(file, password));
  await writeFile(file, newPassword);
  return file;
}

describe('The embedded database', () => {
  test('is created in UTF-8 with checksums and a password, and found again by later starts', async () => {
    const dataDir = await createTempDir(onTestFinished);
    const progress: string[] = [];
    // Without the settings of tests, as for an operator.
    const first = await start({ dataDir, settings: {}, onProgress: (line) => progress.push(line) });
    expect(first.wasRunning).toBe(false);
    expect(progress.join()).toContain('Creating the database');
    expect(await query(first, 'SHOW server_encoding')).toBe('UTF8');
    expect(
      await query(first, `SELECT string_agg(x, '' ORDER BY x) FROM unnest('{b,a,B,é,A}'::text[]) x`),
    ).toBe('ABabé');
    expect(await query(first, "SELECT lower('É')")).toBe('é');
    expect(await query(first, 'SHOW data_checksums')).toBe('on');
    expect(await query(first, 'SHOW fsync')).toBe('on');
    expect(await query(first, 'SHOW listen_addresses')).toBe('127.0.0.1');
    expect(await query(first, "SELECT string_agg(DISTINCT auth_method, ' ') FROM pg_hba_file_rules")).toBe(
      'scram-sha-256',
    );
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
    await query(first, 'CREATE TABLE existing AS SELECT 42 AS value');
    await first.stop();
    await waitForProcessExit(first.pid);

    const second = await start({ dataDir });
    expect(second.connectionString).toBe(first.connectionString);
    expect(second.wasRunning).toBe(false);
    expect(await query(second, 'SELECT value FROM existing')).toBe(42);
    // Settings of the caller apply to that start only.
    expect(await query(second, 'SHOW fsync')).toBe('off');
  });

  test('rejects a wrong password', async ({ dataDir }) => {
    const server = await start({ dataDir });
    const url = new URL(server.connectionString);
    url.password = 'wrong';
    await expect(query({ ...server, connectionString: url.href }, 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  test.runIf(isLongRun)('works in a folder with spaces and quotes in its name', async ({ dataDir }) => {
    const folder = join(dataDir, `it's a, \u6d4b\u8bd5 folder`);
    const server = await start({ dataDir: folder });
    expect(await query(server, 'SELECT 1')).toBe(1);
    const throughSocket = new pg.Client({
      host: server.socketDir,
      port: server.port,
      user: 'causeway',
      database: 'causeway',
      password: new URL(server.connectionString).password,
    });
    await throughSocket.connect();
    await throughSocket.end();
  });

  test.runIf(isLongRun)(
    'has its Unix socket in the temporary folder if its path would be too long',
    async () => {
      const dataDir = join(await createTempDir(onTestFinished), 'long'.repeat(25));
      const server = await start({ dataDir });
      expect(server.socketDir).not.toContain(dataDir);
      expect((await stat(server.socketDir)).mode & 0o777).toBe(0o700);
      expect(await query(server, 'SHOW unix_socket_directories')).toContain(server.socketDir);
      await server.stop();
      await expect(stat(server.socketDir)).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );
});

describe('Processes on one DATA_DIR', () => {
  test('that start concurrently share one server, which the last one stops', async ({ dataDir }) => {
    const servers = await Promise.all(Array.from({ length: 4 }, () => start({ dataDir })));
    expect(new Set(servers.map((server) => server.pid)).size).toBe(1);
    expect(servers.filter((server) => !server.wasRunning)).toHaveLength(1);
    const [first, second, ...others] = servers as [EmbeddedPostgres, EmbeddedPostgres, ...EmbeddedPostgres[]];
    await Promise.all([first.stop(), first.stop(), ...others.map((server) => server.stop())]);
    expect(await query(second, 'SELECT 1')).toBe(1);
    await second.stop();
    await waitForProcessExit(second.pid);
  });
});

describe('The start', () => {
  test('takes and keeps another port when another program uses the port', async ({ dataDir }) => {
    const before = await start({ dataDir });
    await before.stop();
    const otherServer = createServer().listen(before.port, '127.0.0.1');
    onTestFinished(() => void otherServer.close());
    const restarted = await start({ dataDir });
    expect(restarted.port).not.toBe(before.port);
    expect(await query(restarted, 'SELECT 1')).toBe(1);
    await restarted.stop();
    otherServer.close();
    expect((await start({ dataDir })).port).toBe(restarted.port);
  });

  test('fails for a setting that PostgreSQL rejects, with the end of its log', async ({ dataDir }) => {
    const failing = startEmbeddedPostgres({ dataDir, settings: { ...settings, work_mem: 'plenty' } });
    await expect(failing).rejects.toThrow(/invalid value for parameter "work_mem": "plenty"/);
  });

  test('fails without the password, and names its file', async ({ dataDir }) => {
    await (await start({ dataDir })).stop();
    const file = await changePassword(dataDir, '');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(file);
  });

  test('fails with a wrong password, and leaves no server behind', async ({ dataDir }) => {
    const { stop, pid } = await start({ dataDir });
    await stop();
    await changePassword(dataDir, 'wrong');
    await expect(startEmbeddedPostgres({ dataDir, settings })).rejects.toThrow(
      /password authentication failed/,
    );
    await expect(readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).rejects.toThrow('ENOENT');
    await waitForProcessExit(pid);
  });

  test('fails for a DATA_DIR that cannot be created', async () => {
    const file = join(await createTempDir(onTestFinished), 'file');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir: join(file, 'data') })).rejects.toThrow(
      /^DATA_DIR \(.*\/file\/data\)/,
    );
    const folder = await createTempDir(onTestFinished);
    await writeFile(join(folder, 'postgres'), '');
    await expect(startEmbeddedPostgres({ dataDir: folder })).rejects.toThrow(
      /^DATA_DIR \(.*\) cannot be written/,
    );
  });

  test('fails for a DATA_DIR with characters of a shell', async () => {
    const dataDir = join(await createTempDir(onTestFinished), 'costs $HOME');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/The path of DATA_DIR must not contain/);
  });

  test('fails without changes if the folder contains other files', async () => {
    const dataDir = await createTempDir(onTestFinished);
    const data = join(dataDir, 'postgres', 'data');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'other-file'), 'content');
    await expect(startEmbeddedPostgres({ dataDir, settings })).rejects.toThrow(
      `${data} contains files but no PostgreSQL database`,
    );
    expect(await readFile(join(data, 'other-file'), 'utf8')).toBe('content');
  });

  test('fails on a platform without a PostgreSQL package, and names DATABASE_URL', () => {
    expect(() => findPackage('linux', 'mips')).toThrow(/@embedded-postgres\/linux-mips.*DATABASE_URL/);
  });
});

test('Links of libraries are created once, also concurrently, and repaired', async () => {
  const packageDir = await createTempDir(onTestFinished);
  const lib = join(packageDir, 'native', 'lib');
  await mkdir(lib, { recursive: true });
  const link = { source: 'native/lib/libicuuc.so.60.2', target: 'native/lib/libicuuc.so.60' };
  await writeFile(join(packageDir, 'native', 'pg-symlinks.json'), JSON.stringify([link]));
  await writeFile(join(packageDir, link.source), 'library');
  await writeFile(join(packageDir, link.target), 'not a link');
  const created = await Promise.all([1, 2, 3].map(() => createLibraryLinks(packageDir)));
  expect(created).toEqual([true, true, true]);
  expect(await readFile(join(packageDir, link.target), 'utf8')).toBe('library');
});

describe('Lock of DATA_DIR', () => {
  /** Runs a command with its own process numbers and shared memory, as in another container. */
  const container = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'];

  const startService = (dataDir: string) => startPostgresProcess(onTestFinished, { dataDir });

  test('rejects a second service, and names the process of the first', async ({ dataDir }) => {
    const first = startService(dataDir);
    await first.ready();
    const second = startService(dataDir).ready();
    await expect(second).rejects.toThrow(
      `is in use by another Causeway instance (process ${first.child.pid})`,
    );
    await first.end();
    (await lockDataDir(dataDir)).release();
  });

  test('is released when the service is killed, even while its PostgreSQL is running', async ({
    dataDir,
  }) => {
    const killed = startService(dataDir);
    const { pid } = await killed.ready();
    await killed.end('SIGKILL');
    expect(await readProcessStartTime(pid)).toBeDefined();
    (await lockDataDir(dataDir)).release();
    await startService(dataDir).ready();
  });

  test('prevents that a command in another container starts a second PostgreSQL on the data', async ({
    dataDir,
    task,
    skip,
  }) => {
    needContainers({ task, skip });
    const command = () =>
      startPostgresProcess(onTestFinished, { dataDir, lock: false }, { inside: container });
    const service = startService(dataDir);
    const { pid, connectionString } = await service.ready();
    const inUse = /in use by a Causeway process in another container/;
    await expect(command().ready()).rejects.toThrow(inUse);
    // PostgreSQL continues to run after its service was killed.
    await service.end('SIGKILL');
    await expect(command().ready()).rejects.toThrow(inUse);
    await withClient(connectionString, (client) =>
      client.query('CREATE TABLE IF NOT EXISTS written AS SELECT 1'),
    );
    process.kill(pid, 'SIGQUIT');
    await waitForProcessExit(pid);
    // After PostgreSQL has ended, the container may start it.
    const next = command();
    expect(await next.ready()).toMatchObject({ wasRunning: false });
    expect(await next.end()).toBe(0);
  });

  test('reports users of PostgreSQL on another machine, even if its socket is missing', async ({
    dataDir,
  }) => {
    const first = startService(dataDir);
    const { pid } = await first.ready();
    const root = join(dataDir, 'postgres');
    process.kill(pid, 'SIGKILL');
    await waitForProcessExit(pid);
    await writeFile(join(root, 'host-id'), 'another machine\n');
    const startCommand = () => startPostgresProcess(onTestFinished, { dataDir, lock: false });
    await expect(startCommand().ready()).rejects.toThrow(/in another container or on another machine/);
    await first.end();
    const next = startCommand();
    await next.ready();
    await next.end();
  });

  function needContainers({ task, skip }: Pick<TestContext, 'task' | 'skip'>): void {
    const [unshare = '', ...args] = container;
    try {
      execFileSync(unshare, [...args, 'true'], { stdio: 'ignore' });
    } catch {
      console.warn(`Skipped "${task.name}": this machine forbids namespaces`);
      skip('this machine forbids namespaces');
    }
  }

  test('is released when another program has the process number of the dead owner', async () => {
    const dataDir = await createTempDir(onTestFinished);
    const otherProgram = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void otherProgram.kill());
    await writeFile(join(dataDir, 'lock'), `${otherProgram.pid} 1\n`);
    const lock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(`(process ${process.pid})`);
    lock.release();
    lock.release();
    (await lockDataDir(dataDir)).release();
  });

  test('is acquired by exactly one of many concurrent attempts', async () => {
    const dataDir = join(await createTempDir(onTestFinished), 'new', 'data');
    for (let round = 0; round < 3; round++) {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dataDir)));
      const acquired = results.filter((result) => result.status === 'fulfilled');
      expect(acquired).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason.message).toContain(`(process ${process.pid})`);
      }
      acquired[0]!.value.release();
    }
  });

  test('is acquired by one of several services that start concurrently', async ({ dataDir }) => {
    const results = await Promise.allSettled([1, 2, 3].map(() => startService(dataDir).ready()));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  test('cannot be acquired for a DATA_DIR that cannot be created', async () => {
    const file = join(await createTempDir(onTestFinished), 'file');
    await writeFile(file, '');
    await expect(lockDataDir(file)).rejects.toThrow(`DATA_DIR (${file}) cannot be created`);
    await expect(lockDataDir(join(file, 'below'))).rejects.toThrow(
      /^DATA_DIR \(.*\/below\) cannot be created: ENOTDIR/,
    );
  });
});
