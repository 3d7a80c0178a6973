/**
 * A process of `npm run dev`: loads the service's code, then waits to be told which files have changed since (`{ changed }`:
 * these and all that imports them are loaded anew), and that it is its turn to be the service (`begin`). Says `ready` once
 * it is.
 */
import { registerHooks } from 'node:module';
import SchemaBuilder from '@pothos/core';

const root = new URL('../', import.meta.url).href;
/** Its files add themselves to one builder: with one of them all are loaded anew. */
const schemaFolder = `${root}schema/`;
// So are the plugins of ours among them.
SchemaBuilder.allowPluginReRegistration = true;

/** Who imports each of our files; all by their addresses. */
const importers = new Map<string, Set<string>>();
let renewed: ReadonlySet<string> = new Set();
/** Whether another was the service before. */
let isRenewed = false;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (!isOurs(found.url)) return found;
    importers.set(found.url, (importers.get(found.url) ?? new Set()).add(String(context.parentURL)));
    // Another address is another module.
    return renewed.has(found.url) ? { ...found, url: `${found.url}?changed` } : found;
  },
});

process.once('disconnect', () => process.exit());
process.on('message', (told: 'begin' | { changed: string[] }) => {
  if (told === 'begin') void serve();
  else void renew(told.changed);
});

/** Whether all is loaded. A fault of now may be mended by then; else it is told then. */
const loaded = load().then(
  () => true,
  () => false,
);

/** All of our own code, but for what begins by itself. */
async function load(): Promise<void> {
  const { loadCode } = await import('../src/start-service.ts');
  await Promise.all([loadCode(), import('../src/demo/ensure-demo.ts'), import('../src/demo/welcome.ts')]);
}

async function renew(changed: string[]): Promise<void> {
  isRenewed = true;
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

async function serve(): Promise<void> {
  performance.mark('begin', { detail: isRenewed ? 'again' : 'first' });
  await import('../src/main.ts');
  process.send?.('ready');
}
