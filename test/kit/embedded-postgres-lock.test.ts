import { execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { lockDataDir } from '../../src/kit/embedded-postgres/data-dir-lock.ts';
import { readProcessStartTime } from '../../src/kit/embedded-postgres/process-info.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { startPostgresProcess } from '../setup/run-postgres-process.ts';
import { createTempDir, sharedDataDir } from '../setup/temp-dir.ts';
import { waitForProcessExit } from '../setup/wait.ts';

const madeDataDir = sharedDataDir();

/** As in another container on the same DATA_DIR: with process numbers and shared memory of its own. */
const container = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'];

const startService = (dataDir: string) => startPostgresProcess(onTestFinished, { dataDir });

test('a second service on the same DATA_DIR is refused and told which process has it', async () => {
  const first = startService(madeDataDir());
  await first.ready();
  const second = startService(madeDataDir()).ready();
  await expect(second).rejects.toThrow(`is in use by another Causeway instance (process ${first.child.pid})`);
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
  const refused = /in use by a Causeway process in another container/;
  await expect(command().ready()).rejects.toThrow(refused);
  // What a killed service left lives on: its users have let go, and it answers.
  await service.end('SIGKILL');
  await expect(command().ready()).rejects.toThrow(refused);
  await withClient(connectionString, (client) =>
    client.query('CREATE TABLE IF NOT EXISTS written AS SELECT 1'),
  );
  process.kill(pid, 'SIGQUIT');
  await waitForProcessExit(pid);
  // A container that was made anew, on what one that was killed had left.
  const next = command();
  expect(await next.ready()).toMatchObject({ adopted: false });
  expect(await next.end()).toBe(0);
});

test('where its socket is not to be seen either, those who use it tell of it', async () => {
  const first = startService(madeDataDir());
  const { pid } = await first.ready();
  const root = join(madeDataDir(), 'postgres');
  process.kill(pid, 'SIGKILL');
  await waitForProcessExit(pid);
  await writeFile(join(root, 'seat'), 'another machine\n');
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

test('services started at the same instant: one runs, the others are refused', async () => {
  const results = await Promise.allSettled([1, 2, 3].map(() => startService(madeDataDir()).ready()));
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
});

test('a DATA_DIR that cannot be made: the error names DATA_DIR', async () => {
  const file = join(await createTempDir(onTestFinished), 'file');
  await writeFile(file, '');
  await expect(lockDataDir(file)).rejects.toThrow(`DATA_DIR (${file}) cannot be created`);
  await expect(lockDataDir(join(file, 'below'))).rejects.toThrow(
    /^DATA_DIR \(.*\/below\) cannot be created: ENOTDIR/,
  );
});
