/**
 * A process of `npm run dev`: loads the service's code and, told to, rehearses: what has run once runs faster the second
 * time. Then it waits to be told which files have changed since (these and all that imports them are loaded anew), and
 * that it is its turn to be the service. Says `ready` once it is.
 */
import { registerHooks } from 'node:module';
import SchemaBuilder from '@pothos/core';
import { type Config, readConfig } from '../src/kit/config.ts';
import { findByName } from './find-by-name.ts';

/** What it is told; `databaseUrl`: of the database that runs, embedded or not. */
export type DevOrder = { databaseUrl: string; to: 'begin' | 'rehearse' } | { changed: string[] };

const root = new URL('../', import.meta.url).href;
/** Its files add themselves to one builder: with one of them all are loaded anew. */
const schemaFolder = `${root}schema/`;
// So are the plugins of ours among them.
SchemaBuilder.allowPluginReRegistration = true;

/** Who imports each of our files; all by their addresses. */
const importers = new Map<string, Set<string>>();
let renewed: ReadonlySet<string> = new Set();
let rehearsed = Promise.resolve();
let renewing = Promise.resolve();
/** Aborted when there is a change: what is rehearsed is no longer so. */
const rehearsing = new AbortController();

registerHooks({
  resolve(specifier, context, next) {
    const { url, ...found } = findByName(specifier, context.parentURL) ?? next(specifier, context);
    if (!isOurs(url)) return { ...found, url };
    importers.set(url, (importers.get(url) ?? new Set()).add(String(context.parentURL)));
    // Another address is another module.
    return { ...found, url: renewed.has(url) ? `${url}?changed` : url };
  },
});

process.once('disconnect', () => process.exit());
process.on('message', (order: DevOrder) => {
  if ('changed' in order) renewing = renew(order.changed);
  else if (order.to === 'rehearse') rehearsed = rehearse(order.databaseUrl);
  else void serve(order.databaseUrl);
});

/** Whether all is loaded. A fault of now may be mended by then; else it is told then. */
const loaded = load().then(
  () => true,
  () => false,
);

/** All of our own code, but for what begins by itself. */
async function load(): Promise<void> {
  const { loadCode } = await import('../src/start-service.ts');
  await Promise.all([
    loadCode(),
    import('../src/start-process.ts'),
    import('../src/demo/ensure-demo.ts'),
    import('../src/demo/welcome.ts'),
  ]);
}

/** Who holds DATA_DIR and its PostgreSQL for all of them is `npm run dev` itself. */
function configWith(databaseUrl: string): Config {
  return { ...readConfig(process.env), databaseUrl };
}

/** A service that nobody asks for anything. What keeps it from starting is told by the next that is the service. */
async function rehearse(databaseUrl: string): Promise<void> {
  if (!(await loaded)) return;
  const { signal } = rehearsing;
  const quiet = { port: 0, role: 'api', stopDelayMs: 0, logLevel: 'silent' } as const;
  const { startService } = await import('../src/start-service.ts');
  await startService({ ...configWith(databaseUrl), ...quiet }, { say: () => {}, signal }).then(
    ({ stop }) => stop(),
    () => {},
  );
}

async function renew(changed: string[]): Promise<void> {
  rehearsing.abort();
  await rehearsed;
  // Styles and the like are read when the service begins.
  const files = changed.filter((file) => /\.tsx?$/.test(file)).map((file) => `${root}${file}`);
  // A new one may have been looked for already, as one of a folder.
  const isKnown = (await loaded) && files.every((file) => importers.has(file));
  renewed = isKnown ? withImporters(files) : new Set(importers.keys());
  // Told here with its place; the service says only that it cannot start.
  await load().catch(console.error);
}

function withImporters(files: string[]): Set<string> {
  const found = new Set(files);
  const schema = [...importers.keys()].filter((file) => file.startsWith(schemaFolder));
  // A set goes on to what is added to it meanwhile.
  for (const file of found) {
    for (const importer of importers.get(file) ?? []) found.add(importer);
    if (file.startsWith(schemaFolder)) for (const other of schema) found.add(other);
  }
  return found;
}

function isOurs(url: string): boolean {
  return url.startsWith(schemaFolder) || url.startsWith(`${root}src/`);
}

async function serve(databaseUrl: string): Promise<void> {
  await renewing;
  const { startProcess } = await import('../src/start-process.ts');
  const isAgain = rehearsing.signal.aborted;
  await startProcess(() => configWith(databaseUrl), { begunAt: performance.now(), isAgain });
  process.send?.('ready');
}
