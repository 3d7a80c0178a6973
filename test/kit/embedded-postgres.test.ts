import { execFileSync, spawn } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
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
import { createTempDir, sharedDataDir } from '../setup/temp-dir.ts';
import { waitForProcessExit } from '../setup/wait.ts';

const settings = { fsync: 'off' };
const madeDataDir = sharedDataDir();

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ settings, ...options });
  onTestFinished(() => server.stop());
  return server;
}

const ask = (server: EmbeddedPostgres, sql: string) => queryValue(server.connectionString, sql);

/** Changes the kept password for the time of a test; gives its file. */
async function changePassword(dataDir: string, password: string): Promise<string> {
  const file = join(dataDir, 'postgres', 'password');
  const kept = await readFile(file, 'utf8');
  onTestFinished(() => writeFile(file, kept));
  await writeFile(file, password);
  return file;
}

describe('the first start', () => {
  test('makes a UTF-8 database with checksums that only its password opens, and later starts find it again', async () => {
    const dataDir = await createTempDir(onTestFinished);
    const progress: string[] = [];
    // As an operator gets it: no setting of a test.
    const first = await start({ dataDir, settings: {}, onProgress: (line) => progress.push(line) });
    expect(first.wasRunning).toBe(false);
    expect(progress.join()).toContain('Creating the database');
    expect(await ask(first, 'SHOW server_encoding')).toBe('UTF8');
    expect(await ask(first, `SELECT string_agg(x, '' ORDER BY x) FROM unnest('{b,a,B,é,A}'::text[]) x`)).toBe(
      'ABabé',
    );
    expect(await ask(first, "SELECT lower('É')")).toBe('é');
    expect(await ask(first, 'SHOW data_checksums')).toBe('on');
    expect(await ask(first, 'SHOW fsync')).toBe('on');
    expect(await ask(first, 'SHOW listen_addresses')).toBe('127.0.0.1');
    expect(await ask(first, "SELECT string_agg(DISTINCT auth_method, ' ') FROM pg_hba_file_rules")).toBe(
      'scram-sha-256',
    );
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await waitForProcessExit(first.pid);

    const second = await start({ dataDir });
    expect(second.connectionString).toBe(first.connectionString);
    expect(second.wasRunning).toBe(false);
    expect(await ask(second, 'SELECT answer FROM kept')).toBe(42);
    // What the caller sets holds for that start.
    expect(await ask(second, 'SHOW fsync')).toBe('off');
  });

  test('rejects a wrong password', async () => {
    const server = await start({ dataDir: madeDataDir() });
    const wrong = new URL(server.connectionString);
    wrong.password = 'wrong';
    await expect(ask({ ...server, connectionString: wrong.href }, 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  test.runIf(isLongRun)('works in a folder with spaces and quotes in its name', async () => {
    const dataDir = join(madeDataDir(), `it's a, \u6d4b\u8bd5 folder`);
    const server = await start({ dataDir });
    expect(await ask(server, 'SELECT 1')).toBe(1);
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
    'puts the unix socket into the temporary folder when the path is too long for one',
    async () => {
      const dataDir = join(await createTempDir(onTestFinished), 'long'.repeat(25));
      const server = await start({ dataDir });
      expect(server.socketDir).not.toContain(dataDir);
      expect((await stat(server.socketDir)).mode & 0o777).toBe(0o700);
      expect(await ask(server, 'SHOW unix_socket_directories')).toContain(server.socketDir);
      await server.stop();
      await expect(stat(server.socketDir)).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );
});

describe('several on one DATA_DIR', () => {
  test('that start at the same moment share one server, which the last of them stops', async () => {
    const dataDir = madeDataDir();
    const all = await Promise.all(Array.from({ length: 4 }, () => start({ dataDir })));
    expect(new Set(all.map((server) => server.pid)).size).toBe(1);
    expect(all.filter((server) => !server.wasRunning)).toHaveLength(1);
    const [first, second, ...rest] = all as [EmbeddedPostgres, EmbeddedPostgres, ...EmbeddedPostgres[]];
    await Promise.all([first.stop(), first.stop(), ...rest.map((server) => server.stop())]);
    expect(await ask(second, 'SELECT 1')).toBe(1);
    await second.stop();
    await waitForProcessExit(second.pid);
  });
});

describe('what can be in the way', () => {
  test('another program on the port of last time: another port is taken and kept', async () => {
    const dataDir = madeDataDir();
    const before = await start({ dataDir });
    await before.stop();
    const squatter = createServer().listen(before.port, '127.0.0.1');
    onTestFinished(() => void squatter.close());
    const moved = await start({ dataDir });
    expect(moved.port).not.toBe(before.port);
    expect(await ask(moved, 'SELECT 1')).toBe(1);
    await moved.stop();
    squatter.close();
    expect((await start({ dataDir })).port).toBe(moved.port);
  });

  test('A setting that PostgreSQL rejects causes an error with the end of its log', async () => {
    const dataDir = madeDataDir();
    const failing = startEmbeddedPostgres({ dataDir, settings: { ...settings, work_mem: 'plenty' } });
    await expect(failing).rejects.toThrow(/invalid value for parameter "work_mem": "plenty"/);
  });

  test('a lost password: the error names its file', async () => {
    const dataDir = madeDataDir();
    await (await start({ dataDir })).stop();
    const file = await changePassword(dataDir, '');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(file);
  });

  test('a wrong password: the error says so, and no server is left behind', async () => {
    const dataDir = madeDataDir();
    const { stop, pid } = await start({ dataDir });
    await stop();
    await changePassword(dataDir, 'wrong');
    await expect(startEmbeddedPostgres({ dataDir, settings })).rejects.toThrow(
      /password authentication failed/,
    );
    await expect(readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).rejects.toThrow('ENOENT');
    await waitForProcessExit(pid);
  });

  test('a DATA_DIR that cannot be created causes an error about DATA_DIR', async () => {
    const file = join(await createTempDir(onTestFinished), 'file');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir: join(file, 'data') })).rejects.toThrow(
      /^DATA_DIR \(.*\/file\/data\)/,
    );
    const inTheWay = await createTempDir(onTestFinished);
    await writeFile(join(inTheWay, 'postgres'), '');
    await expect(startEmbeddedPostgres({ dataDir: inTheWay })).rejects.toThrow(
      /^DATA_DIR \(.*\) cannot be written/,
    );
  });

  test('a DATA_DIR with characters of a shell is rejected', async () => {
    const dataDir = join(await createTempDir(onTestFinished), 'costs $HOME');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/The path of DATA_DIR must not contain/);
  });

  test('data that is no database is not touched', async () => {
    const dataDir = await createTempDir(onTestFinished);
    const data = join(dataDir, 'postgres', 'data');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'precious'), 'mine');
    await expect(startEmbeddedPostgres({ dataDir, settings })).rejects.toThrow(
      `${data} contains files but no PostgreSQL database`,
    );
    expect(await readFile(join(data, 'precious'), 'utf8')).toBe('mine');
  });

  test('a platform without PostgreSQL in a package: the error names DATABASE_URL', () => {
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
  const madeDataDir = sharedDataDir();

  /** As in another container on the same DATA_DIR: with process numbers and shared memory of its own. */
  const container = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'];

  const startService = (dataDir: string) => startPostgresProcess(onTestFinished, { dataDir });

  test('rejects a second service, with the process of the first', async () => {
    const first = startService(madeDataDir());
    await first.ready();
    const second = startService(madeDataDir()).ready();
    await expect(second).rejects.toThrow(
      `is in use by another Causeway instance (process ${first.child.pid})`,
    );
    await first.end();
    (await lockDataDir(madeDataDir())).release();
  });

  test('the lock of a killed service is free at once, though its PostgreSQL lives on', async () => {
    const killed = startService(madeDataDir());
    const { pid } = await killed.ready();
    await killed.end('SIGKILL');
    expect(await readProcessStartTime(pid)).toBeDefined();
    (await lockDataDir(madeDataDir())).release();
    await startService(madeDataDir()).ready();
  });

  test('a command in another container finds neither service nor PostgreSQL, and starts no second one on its data', async (context) => {
    needContainers(context);
    const command = () =>
      startPostgresProcess(onTestFinished, { dataDir: madeDataDir(), lock: false }, { inside: container });
    const service = startService(madeDataDir());
    const { pid, connectionString } = await service.ready();
    const inUse = /in use by a Causeway process in another container/;
    await expect(command().ready()).rejects.toThrow(inUse);
    // What a killed service left lives on: its users have let go, and it answers.
    await service.end('SIGKILL');
    await expect(command().ready()).rejects.toThrow(inUse);
    await withClient(connectionString, (client) =>
      client.query('CREATE TABLE IF NOT EXISTS written AS SELECT 1'),
    );
    process.kill(pid, 'SIGQUIT');
    await waitForProcessExit(pid);
    // A new container on the data of a killed one.
    const next = command();
    expect(await next.ready()).toMatchObject({ wasRunning: false });
    expect(await next.end()).toBe(0);
  });

  test('where its socket is not to be seen either, those who use it tell of it', async () => {
    const first = startService(madeDataDir());
    const { pid } = await first.ready();
    const root = join(madeDataDir(), 'postgres');
    process.kill(pid, 'SIGKILL');
    await waitForProcessExit(pid);
    await writeFile(join(root, 'host-id'), 'another machine\n');
    const joining = () => startPostgresProcess(onTestFinished, { dataDir: madeDataDir(), lock: false });
    await expect(joining().ready()).rejects.toThrow(/in another container or on another machine/);
    await first.end();
    const next = joining();
    await next.ready();
    await next.end();
  });

  function needContainers(context: TestContext): void {
    const [unshare = '', ...args] = container;
    try {
      execFileSync(unshare, [...args, 'true'], { stdio: 'ignore' });
    } catch {
      console.warn(`Skipped "${context.task.name}": this machine forbids namespaces`);
      context.skip('this machine forbids namespaces');
    }
  }

  test('a stranger that got the number of a dead holder does not keep DATA_DIR locked', async () => {
    const dataDir = await createTempDir(onTestFinished);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void stranger.kill());
    await writeFile(join(dataDir, 'lock'), `${stranger.pid} 1\n`);
    const lock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(`(process ${process.pid})`);
    lock.release();
    lock.release();
    (await lockDataDir(dataDir)).release();
  });

  test('of many that start at the same instant exactly one gets the lock', async () => {
    const dataDir = join(await createTempDir(onTestFinished), 'new', 'data');
    for (let round = 0; round < 3; round++) {
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dataDir)));
      const won = tries.filter((result) => result.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const result of tries) {
        if (result.status === 'rejected') expect(result.reason.message).toContain(`(process ${process.pid})`);
      }
      won[0]!.value.release();
    }
  });

  test('is acquired by one of several services that start concurrently', async () => {
    const results = await Promise.allSettled([1, 2, 3].map(() => startService(madeDataDir()).ready()));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  test('a DATA_DIR that cannot be created causes an error about DATA_DIR', async () => {
    const file = join(await createTempDir(onTestFinished), 'file');
    await writeFile(file, '');
    await expect(lockDataDir(file)).rejects.toThrow(`DATA_DIR (${file}) cannot be created`);
    await expect(lockDataDir(join(file, 'below'))).rejects.toThrow(
      /^DATA_DIR \(.*\/below\) cannot be created: ENOTDIR/,
    );
  });
});
