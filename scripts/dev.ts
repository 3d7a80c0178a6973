/**
 * `npm run dev`: the service, begun anew when a file changes. PostgreSQL goes on meanwhile, and a process that has
 * loaded everything and rehearsed waits for that moment and loads anew only what the change touches.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from '../src/dashboard-server/build-dashboard.ts';
import { readConfig } from '../src/kit/config.ts';
import { type Database, holdDataDir, openDatabase } from '../src/start-database.ts';
import { writeDashboardHashes } from './dashboard-documents.ts';
import type { DevOrder } from './dev-service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['src', 'schema', 'prisma'];
/** Editors write a file in several steps, and several files at once. */
const settleMs = 30;
/** A service that does not stop by itself is not waited for. */
const stopMsMax = 3_000;

const say = (line: string) => console.log(`· ${line}`);
const launch = (): ChildProcess => fork(join(root, 'scripts/launch.mjs'), ['scripts/dev-service.ts']);

// Heard from now on, and followed once there is something to stop.
const signalled = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
});
const { database, release } = await hold().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

let running = launch();
let spare = launch();
/** Since the spare was launched. */
const changed = new Set<string>();
/** The first start and the restarts follow each other. */
let turn = begin(running);
let timer: NodeJS.Timeout | undefined;
let isStopping = false;
const watchers = new Map<string, FSWatcher>();
for (const folder of folders) watchFolder(folder);
void signalled.then(stop);

/** DATA_DIR and its PostgreSQL, for all that are the service one after the other. */
async function hold(): Promise<{ database: Database; release: () => void }> {
  const config = readConfig(process.env);
  const release = await holdDataDir(config);
  return { database: await openDatabase(config, say), release };
}

/**
 * Each folder by itself: watching recursively, Node loses sight of a file that was replaced by another, which is how
 * editors and git write.
 */
function watchFolder(folder: string): void {
  if (folder === 'prisma/client') return;
  watchers.get(folder)?.close();
  const tell = (_event: string, name: string | null) => look(join(folder, String(name)));
  watchers.set(folder, watch(join(root, folder), tell));
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true }))
    if (entry.isDirectory()) watchFolder(join(folder, entry.name));
}

function look(path: string): void {
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) watchFolder(path);
  if (isStopping || !(isFolder || /\.(?:tsx?|css|js|svg|html|prisma|sql)$/.test(path))) return;
  // The one that waits has the database client of before.
  if (path.startsWith('prisma')) renewSpare();
  else changed.add(path);
  clearTimeout(timer);
  timer = setTimeout(() => {
    turn = turn.then(() => restart(path));
  }, settleMs);
}

async function restart(path: string): Promise<void> {
  if (isStopping) return;
  say(`${path} has changed`);
  const isOfDashboard = [...changed].some((file) => file.startsWith('src/dashboard/'));
  if (isOfDashboard && !(await isBuilt())) return;
  const old = running;
  running = spare;
  tell(running, { changed: [...changed] });
  await end(old, 'SIGTERM');
  await begin(running);
}

/** While it is built, which takes some seconds, the service of before serves. */
async function isBuilt(): Promise<boolean> {
  const built = await writeDashboardHashes()
    .then(() => buildDashboard({ onProgress: say }))
    .catch((error: Error) => say(error.message));
  return built !== undefined;
}

/** Once it is ready, or has failed, there is a spare again, which rehearses: before, it would take the time from it. */
async function begin(service: ChildProcess): Promise<void> {
  const { connectionString: databaseUrl } = database;
  service.once('exit', () => {
    if (service === running && !isStopping) say('The service has ended; it begins anew with the next change');
  });
  tell(service, { to: 'begin', databaseUrl });
  await Promise.race([once(service, 'message'), once(service, 'exit')]);
  if (isStopping) return;
  if (spare === running) renewSpare();
  tell(spare, { to: 'rehearse', databaseUrl });
}

function tell(service: ChildProcess, order: DevOrder): void {
  // One that has ended has told why.
  if (service.connected) service.send(order);
}

function renewSpare(): void {
  if (spare !== running) spare.kill();
  changed.clear();
  spare = launch();
}

async function end(service: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const exited = once(service, 'exit');
  service.kill(signal);
  const cut = setTimeout(() => service.kill('SIGKILL'), stopMsMax);
  await exited;
  clearTimeout(cut);
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  isStopping = true;
  spare.kill();
  await end(running, signal);
  await database.stop();
  release();
  process.exit(0);
}
