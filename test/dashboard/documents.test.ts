import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { dashboardTypesFile, renderDashboardTypes } from '../../scripts/dashboard-types.ts';

/** The dashboard and the schema fit together. */

const dashboard = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));

test('the dashboard’s types are those of the schema; `npm run schema` writes them', () => {
  expect(readFileSync(dashboardTypesFile, 'utf8')).toBe(renderDashboardTypes(schema));
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
