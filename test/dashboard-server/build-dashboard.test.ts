import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findImports } from '../../scripts/import-graph.ts';
import { buildDashboard, bundlerSources, sharedSources } from '../../src/dashboard-server/build-dashboard.ts';
import { createTempDir } from '../setup/temp-dir.ts';

/** When the dashboard is built: once for all who start, and anew with what it is made of. */

const dashboard = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));

test('several who start at once share one build, and each gets it whole', async () => {
  const distFolder = await createTempDir(onTestFinished);
  const lines: string[] = [];
  const onProgress = (line: string) => lines.push(line);
  const folders = await Promise.all([
    buildDashboard({ distFolder, onProgress }),
    buildDashboard({ distFolder, onProgress }),
  ]);
  expect(new Set(folders).size).toBe(1);
  expect(lines).toEqual(['Building the dashboard']);
  expect(await readdir(folders[0])).toEqual(expect.arrayContaining(['assets', 'index.html']));
  expect(await buildDashboard({ distFolder, onProgress })).toBe(folders[0]);
  expect(lines).toHaveLength(1);
  const names = await readdir(distFolder);
  expect(names.filter((name) => name !== '.lock')).toEqual([folders[0].slice(join(distFolder, '/').length)]);
});

test('what the dashboard imports from outside its folder is known: with it the bundle is made anew', async () => {
  const files = (await readdir(dashboard, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const imported = files.flatMap((name) => {
    const source = readFileSync(join(dashboard, name), 'utf8');
    const paths = [...source.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path]) => path as string);
    return paths.map((path) => join('src/dashboard', dirname(name), path));
  });
  const outside = imported.filter((path) => !path.startsWith('src/dashboard/'));
  expect([...new Set(outside)].sort()).toEqual(sharedSources);
  const further = sharedSources.flatMap((file) => findImports(file, readFileSync(file, 'utf8')));
  expect(further.filter((file) => !sharedSources.includes(file))).toEqual([]);
});

test('what the bundler imports of ours is known too', () => {
  const [script, ...others] = bundlerSources;
  const imported = readFileSync(script, 'utf8').matchAll(/from '(\.[^']+)'/g);
  expect([...imported].map(([, path]) => join(dirname(script), path as string))).toEqual(others);
  for (const file of others) expect(readFileSync(file, 'utf8')).not.toMatch(/^import /m);
});
