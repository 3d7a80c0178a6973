import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { dashboardTypes, dashboardTypesFile } from '../../scripts/dashboard-types.ts';
import { bundlerSources, sharedSources } from '../../src/dashboard-server/build-dashboard.ts';

/** The dashboard and the schema fit together. */

const dashboard = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));

test('the dashboard’s types are those of the schema; `npm run schema` writes them', () => {
  expect(readFileSync(dashboardTypesFile, 'utf8')).toBe(dashboardTypes(schema));
});

test('all that the dashboard asks is valid, and every fragment is used', async () => {
  const files = (await readdir(dashboard, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const documents = files.flatMap((name) => {
    const source = readFileSync(dashboard + name, 'utf8');
    return [...source.matchAll(/graphql\(\s*`([^`]+)`/g)].map((match) => match[1] as string);
  });
  const whole = parse(documents.join('\n'));
  expect(whole.definitions.length).toBeGreaterThan(10);
  expect(validate(schema, whole).map(({ message }) => message)).toEqual([]);
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
  for (const file of sharedSources) expect(readFileSync(file, 'utf8')).not.toMatch(/^import /m);
});

test('what the bundler imports of ours is known too', () => {
  const [script, ...others] = bundlerSources;
  const imported = readFileSync(script, 'utf8').matchAll(/from '(\.[^']+)'/g);
  expect([...imported].map(([, path]) => join(dirname(script), path as string))).toEqual(others);
  for (const file of others) expect(readFileSync(file, 'utf8')).not.toMatch(/^import /m);
});
