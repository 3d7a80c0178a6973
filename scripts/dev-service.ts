/**
 * A process of `npm run dev`: loads what does not change while somebody works, then waits to be told to load our own code
 * (`load`), and to be the service (`begin`). Says `ready` once it is.
 */
import { readSources } from './import-graph.ts';

process.once('disconnect', () => process.exit());
process.on('message', (asked) => {
  // Told here with its place; the service says only that it cannot start.
  if (asked === 'load') load().catch(console.error);
  if (asked === 'begin') void serve();
});
await Promise.all(packages().map((name) => import(name)));
await import('../prisma/client/client.ts');

/** Our own code, but for what begins by itself. */
async function load(): Promise<void> {
  const { loadCode } = await import('../src/start-service.ts');
  await Promise.all([loadCode(), import('../src/demo/ensure-demo.ts'), import('../src/demo/welcome.ts')]);
}

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
