/**
 * A process of `npm run dev`: loads what does not change while somebody works, then waits to be told to load our own code
 * (`load`), and to be the service (`begin`). Says `ready` once it is.
 */
import { readSources } from './import-graph.ts';

/** Our own code, but for what begins by itself. */
const entries = ['start-service', 'app', 'worker', 'demo/ensure-demo', 'demo/welcome'];

process.once('disconnect', () => process.exit());
process.on('message', (asked) => {
  // Told here with its place; the service says only that it cannot start.
  if (asked === 'load') Promise.all(entries.map((name) => import(`../src/${name}.ts`))).catch(console.error);
  if (asked === 'begin') void serve();
});
await Promise.all(packages().map((name) => import(name)));
await import('../prisma/client/client.ts');

async function serve(): Promise<void> {
  performance.mark('begin');
  await import('../src/main.ts');
  process.send?.('ready');
}

/** The packages that the service imports. */
function packages(): string[] {
  const names = [...readSources()]
    .filter(([file]) => /^(?:src|schema)\//.test(file) && !/dashboard|pages\/script/.test(file))
    .flatMap(([, text]) => [...text.matchAll(/^import (?!type )[^']*'([^.'][^']*)';$/gm)])
    .map((match) => match[1] as string);
  return [...new Set(names)].filter((name) => !name.startsWith('node:'));
}
