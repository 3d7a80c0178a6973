import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import { isLongRun } from '../setup/counts.ts';
import { queryValue } from '../setup/query-value.ts';
import { startPostgresProcess } from '../setup/run-postgres-process.ts';
import { createTempDir, sharedDataDir } from '../setup/temp-dir.ts';
import { copyMigratedCluster } from '../setup/test-postgres.ts';
import { waitForProcessExit } from '../setup/wait.ts';

const madeDataDir = sharedDataDir();
const wait = { timeout: 20_000, interval: 5 };

const startService = (dataDir: string) => startPostgresProcess(onTestFinished, { dataDir });

test('a killed service leaves its PostgreSQL behind; the next one adopts it and stops it at its end', async () => {
  const killed = startService(madeDataDir());
  const before = await killed.ready();
  await queryValue(before.connectionString, 'CREATE TABLE orphan AS SELECT 7 AS answer');
  await killed.end('SIGKILL');

  const next = startService(madeDataDir());
  const after = await next.ready();
  expect(after).toEqual({ ...before, adopted: true });
  expect(await queryValue(after.connectionString, 'SELECT answer FROM orphan')).toBe(7);
  expect(await next.end()).toBe(0);
  await waitForProcessExit(after.pid);
});

test.runIf(isLongRun)('an orphan is stopped by a command that joins it when no service runs', async () => {
  const killed = startService(madeDataDir());
  const { pid } = await killed.ready();
  await killed.end('SIGKILL');
  const joined = await startEmbeddedPostgres({ dataDir: madeDataDir() });
  expect(joined).toMatchObject({ pid, adopted: true });
  await joined.stop();
  await waitForProcessExit(pid);
});

test('a service that ends leaves PostgreSQL to a command that still uses it', async () => {
  const service = startService(madeDataDir());
  const { pid } = await service.ready();
  const command = await startEmbeddedPostgres({ dataDir: madeDataDir() });
  expect(await service.end()).toBe(0);
  expect(await queryValue(command.connectionString, 'SELECT 1')).toBe(1);
  await command.stop();
  await waitForProcessExit(pid);
});

test('service and PostgreSQL both killed: the next start recovers what was committed', async () => {
  const killed = startService(madeDataDir());
  const before = await killed.ready();
  await queryValue(before.connectionString, 'CREATE TABLE crashed AS SELECT 8 AS answer');
  killed.child.kill('SIGKILL');
  process.kill(before.pid, 'SIGKILL');
  await killed.end();

  const after = await startService(madeDataDir()).ready();
  expect(after.adopted).toBe(false);
  expect(after.pid).not.toBe(before.pid);
  expect(await queryValue(after.connectionString, 'SELECT answer FROM crashed')).toBe(8);
});

test('only PostgreSQL killed under a running service: the service still ends in order', async () => {
  const service = startService(madeDataDir());
  const { pid } = await service.ready();
  process.kill(pid, 'SIGKILL');
  await waitForProcessExit(pid);
  expect(await service.end()).toBe(0);
  await startService(madeDataDir()).ready();
});

test('the number of a dead PostgreSQL was given to another program: it is not taken for PostgreSQL', async () => {
  const killed = startService(madeDataDir());
  const before = await killed.ready();
  process.kill(before.pid, 'SIGKILL');
  await killed.end('SIGKILL');
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void stranger.kill());
  for (const file of ['postmaster.pid', `.s.PGSQL.${before.port}.lock`]) {
    const path = join(madeDataDir(), 'postgres', 'data', file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/^\d+/, String(stranger.pid)));
  }
  const { pid, adopted } = await startService(madeDataDir()).ready();
  expect(adopted).toBe(false);
  expect(pid).not.toBe(stranger.pid);
  expect(stranger.exitCode).toBeNull();
});

test.runIf(isLongRun)('killed in the middle of making the database: nothing is left half made', async () => {
  const dataDir = await createTempDir(onTestFinished);
  const root = join(dataDir, 'postgres');
  const killed = startService(dataDir);
  await untilDatabaseIsBeingMade(root);
  await killed.end('SIGKILL');
  expect(await readdir(root)).not.toContain('data');
  const { connectionString } = await startService(dataDir).ready();
  expect(await queryValue(connectionString, 'SELECT 1')).toBe(1);
  expect((await readdir(root)).filter((entry) => entry.startsWith('new-'))).toEqual([]);
});

test.runIf(isLongRun)(
  'killed while PostgreSQL starts, and while it stops: the next start works',
  async () => {
    const pidFile = join(madeDataDir(), 'postgres', 'data', 'postmaster.pid');
    const starting = startService(madeDataDir());
    await vi.waitFor(async () => expect(await readFile(pidFile, 'utf8')).not.toBe(''), wait);
    await starting.end('SIGKILL');

    const stopping = startService(madeDataDir());
    const { pid } = await stopping.ready();
    stopping.child.stdin!.end();
    await vi.waitFor(
      async () => expect(await readFile(pidFile, 'utf8').catch(() => 'stopping')).toMatch(/stopping/),
      wait,
    );
    await stopping.end('SIGKILL');

    const next = await startService(madeDataDir()).ready();
    expect(next.pid).not.toBe(pid);
    expect(await queryValue(next.connectionString, 'SELECT 1')).toBe(1);
  },
);

test('Ctrl-C reaches the service alone: its last queries are answered before PostgreSQL stops', async () => {
  const service = startService(madeDataDir());
  const { pid } = await service.ready();
  // What a terminal does: the signal goes to every process of the group.
  process.kill(-service.child.pid!, 'SIGINT');
  expect(await exitCode(service.child)).toBe(0);
  expect(service.lines.at(-1)).toEqual({ event: 'draining', answer: 1 });
  await waitForProcessExit(pid);
});

// In short, test/process/start.test.ts has Ctrl-C in the middle of the first start.
test.runIf(isLongRun)(
  'Ctrl-C while the database is being made: it is made whole, and the service ends in order',
  async () => {
    const dataDir = await createTempDir(onTestFinished);
    const service = startService(dataDir);
    await untilDatabaseIsBeingMade(join(dataDir, 'postgres'));
    process.kill(-service.child.pid!, 'SIGINT');
    expect(await exitCode(service.child)).toBe(0);
    expect(service.lines.at(-1)).toEqual({ event: 'draining', answer: 1 });
    expect(await readdir(join(dataDir, 'postgres', 'data'))).not.toContain('postmaster.pid');
  },
);

test.runIf(isLongRun)(
  'a test run that is killed leaves neither PostgreSQL nor its folder behind',
  async () => {
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
  },
);

async function untilDatabaseIsBeingMade(root: string): Promise<void> {
  await vi.waitFor(async () => {
    const work = (await readdir(root)).find((entry) => entry.startsWith('new-'));
    expect(await readdir(join(root, work!, 'data', 'base', '1'))).not.toHaveLength(0);
  }, wait);
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}
