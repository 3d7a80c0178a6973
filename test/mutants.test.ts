import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mutants } from './mutants/all.ts';
import { countOccurrences } from './mutants/check-mutants.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('There are at least 100 mutants, each of which violates another requirement', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(100);
  expect(new Set(mutants.map(({ promise }) => promise)).size).toBe(mutants.length);
});

test('The text of every mutant occurs exactly once in its file', () => {
  const stale = mutants.filter(
    ({ file, find, replace }) => find === replace || countOccurrences(join(root, file), find) !== 1,
  );
  // After moving or changing code, correct `file` and `find` in test/mutants.
  expect(stale.map(({ promise, file, find }) => `${promise}: ${file} has not once ${find}`)).toEqual([]);
});

test('Every mutant lists existing test files', () => {
  const missing = mutants.flatMap(({ promise, tests }) =>
    tests.length === 0 ? [promise] : tests.filter((file) => !existsSync(join(root, file))),
  );
  expect(missing).toEqual([]);
});
