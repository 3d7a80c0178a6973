import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { findPackage } from '../../src/kit/embedded-postgres/binaries.ts';
import { resolveClusterPaths } from '../../src/kit/embedded-postgres/cluster-paths.ts';
import { lockDataDir } from '../../src/kit/embedded-postgres/data-dir-lock.ts';
import { canEnter, findNobody, isSupported, type RunAs } from '../../src/kit/embedded-postgres/run-as.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import { isLongRun } from '../setup/counts.ts';
import { queryValue } from '../setup/query-value.ts';
import { startPostgresProcess } from '../setup/run-postgres-process.ts';
import { createTempDir, dataDirTest } from '../setup/temp-dir.ts';
import { copyMigratedCluster } from '../setup/test-postgres.ts';
import { waitForProcessExit } from '../setup/wait.ts';

/** PostgreSQL does not run as root. These tests require root, and user namespaces of the kernel. */
describe('As root', async () => {
  const settings = { fsync: 'off' };
  const isRoot = process.getuid?.() === 0;
  const nobody = isRoot ? await findNobody() : null;
  const obstacles = {
    namespace: await findObstacle({ kind: 'namespace' }),
    nobody: await findObstacle(nobody),
    ordinary: (await findObstacle(nobody)) ?? (await findCheckoutObstacle()),
  };

  async function findObstacle(runAs: RunAs | null): Promise<string | undefined> {
    if (!isRoot) return 'the tests do not run as root';
    return runAs !== null && (await isSupported(runAs)) ? undefined : 'this machine forbids it';
  }

  async function findCheckoutObstacle(): Promise<string | undefined> {
    const folders = [dirname(process.execPath), import.meta.dirname];
    const canEnterFolders = await Promise.all(folders.map((folder) => canEnter(nobody!, folder)));
    return canEnterFolders.every(Boolean) ? undefined : 'an ordinary user cannot enter this checkout';
  }

  function need(context: TestContext, ...ways: (keyof typeof obstacles)[]): void {
    for (const way of ways) {
      const reason = obstacles[way];
      if (reason === undefined) continue;
      console.warn(`Skipped "${context.task.name}" (${way}): ${reason}`);
      context.skip(reason);
    }
  }

  async function start(options: EmbeddedPostgresOptions) {
    const progress: string[] = [];
    const server = await startEmbeddedPostgres({
      settings,
      onProgress: (line) => progress.push(line),
      ...options,
    });
    onTestFinished(() => server.stop());
    return { ...server, progress };
  }

  const getUid = async (...path: string[]) => (await stat(join(...path))).uid;
  const nobodyUid = nobody?.kind === 'user' ? nobody.uid : -1;
  const nobodyUser = nobody?.kind === 'user' ? { uid: nobody.uid, gid: nobody.gid } : {};

  /** Copies the PostgreSQL package as npm installs it, without its links. */
  async function copyPackage(folder: string): Promise<string> {
    const packageDir = join(folder, 'package');
    await cp(findPackage(), packageDir, { recursive: true, verbatimSymlinks: true });
    const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
    for (const { target } of JSON.parse(list)) await rm(join(packageDir, target), { force: true });
    return packageDir;
  }

  describe.each(['namespace', 'nobody'] as const)('with runAs %s', (runAs) => {
    test('PostgreSQL runs as another user, also after a crash', async (context) => {
      need(context, runAs);
      const dataDir = await createTempDir(onTestFinished);
      // Other users may enter the folder, but not list its files.
      await chmod(dataDir, 0o711);
      const server = await start({ dataDir, runAs });
      const status = String(
        await queryValue(server.connectionString, "SELECT pg_read_file('/proc/self/status')"),
      );
      expect(status).toMatch(
        runAs === 'namespace' ? /^Uid:\t1000\t/m : new RegExp(`^Uid:\t${nobodyUid}\t`, 'm'),
      );
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(await getUid(dataDir, 'postgres', 'data', 'base')).toBe(runAs === 'namespace' ? 0 : nobodyUid);
      expect(await getUid(dataDir, 'postgres', 'password')).toBe(0);
      process.kill(server.pid, 'SIGKILL');
      const restarted = await start({ dataDir, runAs });
      expect(restarted.wasRunning).toBe(false);
      expect((await start({ dataDir })).pid).toBe(restarted.pid);
    });
  });

  describe('in a folder that only root may enter', () => {
    test.runIf(isLongRun)(
      'PostgreSQL runs in a user namespace with all files in DATA_DIR',
      async (context) => {
        need(context, 'namespace');
        const folder = await createTempDir(onTestFinished);
        const packageDir = await copyPackage(folder);
        const dataDir = join(folder, '.data');
        expect((await stat(folder)).mode & 0o777).toBe(0o700);
        const { connectionString } = await start({ dataDir, packageDir });
        expect(await queryValue(connectionString, 'SHOW data_directory')).toBe(
          join(dataDir, 'postgres', 'data'),
        );
        expect(await readdir(join(dataDir, 'postgres'))).not.toContainEqual(
          expect.stringMatching(/^binaries/),
        );
      },
    );

    test.runIf(isLongRun)(
      'PostgreSQL runs as an unprivileged user with its files in the temporary folder, and finds them again',
      async (context) => {
        need(context, 'nobody');
        const folder = await createTempDir(onTestFinished);
        const packageDir = await copyPackage(folder);
        const options = { dataDir: join(folder, '.data'), packageDir, runAs: 'nobody' } as const;
        const first = await start(options);
        const home = dirname(String(await queryValue(first.connectionString, 'SHOW data_directory')));
        onTestFinished(() => rm(home, { recursive: true, force: true }));
        expect(home).not.toContain(folder);
        expect(first.progress).toContainEqual(expect.stringContaining(`its files are kept in ${home}`));
        expect((await stat(join(home, 'data'))).mode & 0o777).toBe(0o700);
        await queryValue(first.connectionString, 'CREATE TABLE existing AS SELECT 1');
        await first.stop();

        const second = await start(options);
        expect(second.progress).toEqual([]);
        expect(await queryValue(second.connectionString, 'SELECT count(*)::int FROM existing')).toBe(1);
      },
    );

    test('PostgreSQL is not started if the temporary folder was emptied, and the error explains what to do', async (context) => {
      need(context, 'nobody');
      const root = await createTempDir(onTestFinished);
      const home = await createTempDir(onTestFinished);
      await writeFile(join(root, 'location'), join(root, 'emptied'));
      const find = () => resolveClusterPaths(root, { runAs: undefined, onProgress: () => {} });
      await expect(find()).rejects.toThrow(
        `The database was in ${root}/emptied, which no longer exists: restore it, or delete ${root}/location`,
      );
      // Programs that clean up may leave the folder.
      await writeFile(join(root, 'location'), home);
      expect(await find()).toMatchObject({ home });
      await writeFile(join(root, 'port'), '5432');
      await expect(find()).rejects.toThrow(`The database was in ${home}, which no longer exists`);
    });
  });

  test.runIf(isLongRun)('the data of one way is used by the other, with its ownership', async (context) => {
    need(context, 'namespace', 'nobody');
    const dataDir = await createTempDir(onTestFinished);
    await chmod(dataDir, 0o711);
    for (const runAs of ['namespace', 'nobody', undefined, 'namespace'] as const) {
      const server = await start({ dataDir, ...(runAs === undefined ? {} : { runAs }) });
      await queryValue(server.connectionString, 'CREATE TABLE IF NOT EXISTS existing ()');
      await server.stop();
      // By default, the owner of the data determines the way.
      expect(await getUid(dataDir, 'postgres', 'data', 'base')).toBe(runAs === 'namespace' ? 0 : nobodyUid);
    }
  });

  test('without any way, the error recommends a non-root user or DATABASE_URL', async (context) => {
    if (!isRoot) need(context, 'namespace');
    const bin = await createTempDir(onTestFinished);
    const dataDir = await createTempDir(onTestFinished);
    // The PATH does not contain unshare.
    for (const program of ['flock', 'true', 'sh']) await symlink(`/usr/bin/${program}`, join(bin, program));
    vi.stubEnv('PATH', bin);
    onTestFinished(() => void vi.unstubAllEnvs());
    const failing = startEmbeddedPostgres({ dataDir, runAs: 'namespace' });
    await expect(failing).rejects.toThrow(/Run Causeway as a non-root user, or set DATABASE_URL/);
  });

  describe('and as an ordinary user', () => {
    const startAsNobody = (options: EmbeddedPostgresOptions) =>
      startPostgresProcess(onTestFinished, options, nobodyUser);

    async function createFolderOfNobody(): Promise<string> {
      const folder = await createTempDir(onTestFinished);
      await chown(folder, nobodyUid, nobodyUid);
      return folder;
    }

    test.runIf(isLongRun)(
      'all files belong to that user, also after root has run the service',
      async (context) => {
        need(context, 'ordinary');
        const folder = await createFolderOfNobody();
        const dataDir = join(folder, '.data');
        const service = startAsNobody({ dataDir });
        const { connectionString } = await service.ready();
        expect(await queryValue(connectionString, 'SHOW data_directory')).toBe(
          join(dataDir, 'postgres', 'data'),
        );
        expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
        expect(await service.end()).toBe(0);

        const asRoot = await start({ dataDir });
        expect(await getUid(dataDir, 'postgres', 'data', 'postmaster.pid')).toBe(nobodyUid);
        await asRoot.stop();
        await startAsNobody({ dataDir }).ready();
      },
    );

    test('the error names a DATA_DIR that cannot be created or written', async (context) => {
      need(context, 'ordinary');
      const foreign = await createTempDir(onTestFinished);
      await chmod(foreign, 0o755);
      const inside = startAsNobody({ dataDir: join(foreign, '.data') }).ready();
      await expect(inside).rejects.toThrow(`DATA_DIR (${foreign}/.data) cannot be created: EACCES`);
      const itself = startAsNobody({ dataDir: foreign }).ready();
      await expect(itself).rejects.toThrow(`DATA_DIR (${foreign}) cannot be written: EACCES`);
      // The error is the same while root holds the lock.
      const lock = await lockDataDir(foreign);
      onTestFinished(() => lock.release());
      await expect(startAsNobody({ dataDir: foreign }).ready()).rejects.toThrow(/^DATA_DIR .* EACCES/);
    });

    test.runIf(isLongRun)(
      'the programs of a read-only package are copied next to the data',
      async (context) => {
        need(context, 'ordinary');
        const readOnly = await createTempDir(onTestFinished);
        await chmod(readOnly, 0o755);
        const packageDir = await copyPackage(readOnly);
        const dataDir = join(await createFolderOfNobody(), '.data');
        await mkdir(join(dataDir, 'postgres', 'binaries-of-an-older-version'), { recursive: true });
        await writeFile(join(dataDir, 'lock'), '');
        for (const path of [
          dataDir,
          join(dataDir, 'postgres'),
          join(dataDir, 'postgres', 'binaries-of-an-older-version'),
          join(dataDir, 'lock'),
        ]) {
          await chown(path, nobodyUid, nobodyUid);
        }
        const service = startAsNobody({ dataDir, packageDir });
        await service.ready();
        const copies = (await readdir(join(dataDir, 'postgres'))).filter((entry) =>
          entry.startsWith('binaries-'),
        );
        expect(copies).toEqual([expect.stringMatching(/^binaries-\d/)]);
        await service.end();
        // The next start uses the same copy.
        await startAsNobody({ dataDir, packageDir }).ready();
      },
    );
  });
});

describe('After a kill', () => {
  const test = dataDirTest;
  const wait = { timeout: 20_000, interval: 5 };

  const startService = (dataDir: string) => startPostgresProcess(onTestFinished, { dataDir });

  test('of the service, the next service continues with its PostgreSQL, and stops it at its end', async ({
    dataDir,
  }) => {
    const killed = startService(dataDir);
    const before = await killed.ready();
    await queryValue(before.connectionString, 'CREATE TABLE orphan AS SELECT 7 AS answer');
    await killed.end('SIGKILL');

    const next = startService(dataDir);
    const after = await next.ready();
    expect(after).toEqual({ ...before, wasRunning: true });
    expect(await queryValue(after.connectionString, 'SELECT answer FROM orphan')).toBe(7);
    expect(await next.end()).toBe(0);
    await waitForProcessExit(after.pid);
  });

  test.runIf(isLongRun)(
    'of the service, a command that uses its PostgreSQL stops it at its end',
    async ({ dataDir }) => {
      const killed = startService(dataDir);
      const { pid } = await killed.ready();
      await killed.end('SIGKILL');
      const joined = await startEmbeddedPostgres({ dataDir });
      expect(joined).toMatchObject({ pid, wasRunning: true });
      await joined.stop();
      await waitForProcessExit(pid);
    },
  );

  test('a service that ends leaves PostgreSQL running for a command that uses it', async ({ dataDir }) => {
    const service = startService(dataDir);
    const { pid } = await service.ready();
    const command = await startEmbeddedPostgres({ dataDir });
    expect(await service.end()).toBe(0);
    expect(await queryValue(command.connectionString, 'SELECT 1')).toBe(1);
    await command.stop();
    await waitForProcessExit(pid);
  });

  test('of service and PostgreSQL, the next start recovers all commits', async ({ dataDir }) => {
    const killed = startService(dataDir);
    const before = await killed.ready();
    await queryValue(before.connectionString, 'CREATE TABLE crashed AS SELECT 8 AS answer');
    killed.child.kill('SIGKILL');
    process.kill(before.pid, 'SIGKILL');
    await killed.end();

    const after = await startService(dataDir).ready();
    expect(after.wasRunning).toBe(false);
    expect(after.pid).not.toBe(before.pid);
    expect(await queryValue(after.connectionString, 'SELECT answer FROM crashed')).toBe(8);
  });

  test('of PostgreSQL, the running service still stops without an error', async ({ dataDir }) => {
    const service = startService(dataDir);
    const { pid } = await service.ready();
    process.kill(pid, 'SIGKILL');
    await waitForProcessExit(pid);
    expect(await service.end()).toBe(0);
    await startService(dataDir).ready();
  });

  test('another program with the process number of PostgreSQL is not mistaken for it', async ({
    dataDir,
  }) => {
    const killed = startService(dataDir);
    const before = await killed.ready();
    process.kill(before.pid, 'SIGKILL');
    await killed.end('SIGKILL');
    const otherProgram = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void otherProgram.kill());
    for (const file of ['postmaster.pid', `.s.PGSQL.${before.port}.lock`]) {
      const path = join(dataDir, 'postgres', 'data', file);
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace(/^\d+/, String(otherProgram.pid)));
    }
    const { pid, wasRunning } = await startService(dataDir).ready();
    expect(wasRunning).toBe(false);
    expect(pid).not.toBe(otherProgram.pid);
    expect(otherProgram.exitCode).toBeNull();
  });

  test.runIf(isLongRun)('during the creation of the database, no incomplete database remains', async () => {
    const dataDir = await createTempDir(onTestFinished);
    const root = join(dataDir, 'postgres');
    const killed = startService(dataDir);
    await waitUntilDatabaseIsBeingCreated(root);
    await killed.end('SIGKILL');
    expect(await readdir(root)).not.toContain('data');
    const { connectionString } = await startService(dataDir).ready();
    expect(await queryValue(connectionString, 'SELECT 1')).toBe(1);
    expect((await readdir(root)).filter((entry) => entry.startsWith('new-'))).toEqual([]);
  });

  test.runIf(isLongRun)('while PostgreSQL starts or stops, the next start succeeds', async ({ dataDir }) => {
    const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    const starting = startService(dataDir);
    await vi.waitFor(async () => expect(await readFile(pidFile, 'utf8')).not.toBe(''), wait);
    await starting.end('SIGKILL');

    const stopping = startService(dataDir);
    const { pid } = await stopping.ready();
    stopping.child.stdin!.end();
    await vi.waitFor(
      async () => expect(await readFile(pidFile, 'utf8').catch(() => 'stopping')).toMatch(/stopping/),
      wait,
    );
    await stopping.end('SIGKILL');

    const next = await startService(dataDir).ready();
    expect(next.pid).not.toBe(pid);
    expect(await queryValue(next.connectionString, 'SELECT 1')).toBe(1);
  });

  test('Ctrl-C stops the service first, whose last queries succeed before PostgreSQL stops', async ({
    dataDir,
  }) => {
    const service = startService(dataDir);
    const { pid } = await service.ready();
    // A terminal sends the signal to every process of the group.
    process.kill(-service.child.pid!, 'SIGINT');
    expect(await waitForExitCode(service.child)).toBe(0);
    expect(service.lines.at(-1)).toEqual({ event: 'draining', answer: 1 });
    await waitForProcessExit(pid);
  });

  // In the short run, test/process/start.test.ts sends Ctrl-C during the first start.
  test.runIf(isLongRun)(
    'Ctrl-C during the creation of the database ends the service after the database is complete',
    async () => {
      const dataDir = await createTempDir(onTestFinished);
      const service = startService(dataDir);
      await waitUntilDatabaseIsBeingCreated(join(dataDir, 'postgres'));
      process.kill(-service.child.pid!, 'SIGINT');
      expect(await waitForExitCode(service.child)).toBe(0);
      expect(service.lines.at(-1)).toEqual({ event: 'draining', answer: 1 });
      expect(await readdir(join(dataDir, 'postgres', 'data'))).not.toContain('postmaster.pid');
    },
  );

  test.runIf(isLongRun)('of a test run, neither PostgreSQL nor its folder remains', async () => {
    const dataDir = await createTempDir(onTestFinished);
    await copyMigratedCluster(dataDir);
    const script = `
    const { runPostgresProcess } = await import(process.argv[1]);
    const server = runPostgresProcess({ dataDir: process.argv[2], remove: true, settings: { fsync: 'off' } });
    console.log((await server.ready()).pid);`;
    const helper = new URL('../setup/run-postgres-process.ts', import.meta.url).href;
    const run = spawn(process.execPath, ['--input-type=module', '-e', script, helper, dataDir]);
    const [line] = (await once(run.stdout, 'data')) as [Buffer];
    run.kill('SIGKILL');
    await waitForProcessExit(Number(line));
    await vi.waitFor(() => expect(existsSync(dataDir)).toBe(false), wait);
  });

  async function waitUntilDatabaseIsBeingCreated(root: string): Promise<void> {
    await vi.waitFor(async () => {
      const work = (await readdir(root)).find((entry) => entry.startsWith('new-'));
      expect(await readdir(join(root, work!, 'data', 'base', '1'))).not.toHaveLength(0);
    }, wait);
  }

  async function waitForExitCode(child: ChildProcess): Promise<number | null> {
    if (child.exitCode === null) await once(child, 'exit');
    return child.exitCode;
  }
});
