/**
 * `npm run dev`: the service, begun anew when a file changes. PostgreSQL goes on meanwhile, and a process that has
 * loaded everything waits for that moment and loads anew only what the change touches, so that it takes about a second.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../src/kit/config.ts';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['src', 'schema', 'prisma'];
/** Editors write a file in several steps, and several files at once. */
const settleMs = 30;
/** A service that does not stop by itself is not waited for. */
const stopMsMax = 3_000;

const say = (line: string) => console.log(`· ${line}`);
const launch = (): ChildProcess => fork(join(root, 'scripts/launch.mjs'), ['scripts/dev-service.ts']);

const config = readConfig(process.env);
// Held as by the service itself: the last who lets go stops it.
const { dataDir } = config;
const postgres = config.databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir }) : undefined;

let running = begin(launch());
let spare = launch();
/** Since it was launched. */
const changed = new Set<string>();
let isStopping = false;
/** Restarts follow each other. */
let turn = Promise.resolve();
let timer: NodeJS.Timeout | undefined;
const watchers = new Map<string, FSWatcher>();

for (const folder of folders) watchFolder(folder);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));

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

function begin(service: ChildProcess): ChildProcess {
  service.send('begin');
  service.once('exit', () => {
    if (service === running && !isStopping) say('The service has ended; it begins anew with the next change');
  });
  return service;
}

async function restart(path: string): Promise<void> {
  if (isStopping) return;
  say(`${path} has changed`);
  const [old, next] = [running, spare];
  next.send({ changed: [...changed] });
  running = next;
  await end(old, 'SIGTERM');
  begin(next);
  // Only then: making another one would take the time from this one.
  await Promise.race([once(next, 'message'), once(next, 'exit')]);
  renewSpare();
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
  if (isStopping) return;
  isStopping = true;
  spare.kill();
  await end(running, signal);
  await postgres?.stop();
  process.exit(0);
}
