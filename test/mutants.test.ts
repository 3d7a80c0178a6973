import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mutants } from './mutants/all.ts';
import { occurrences } from './mutants/check-mutants.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('There are at least 100 mutants, each of which breaks another promise', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(100);
  expect(new Set(mutants.map(({ promise }) => promise)).size).toBe(mutants.length);
});

test('Every mutant changes a text that is in its file exactly once', () => {
  const stale = mutants.filter(
    ({ file, find, replace }) => find === replace || occurrences(join(root, file), find) !== 1,
  );
  // Code that moved takes its mutant along: correct `file` and `find` in test/mutants.
  expect(stale.map(({ promise, file, find }) => `${promise}: ${file} has not once ${find}`)).toEqual([]);
});

test('Every mutant lists existing test files', () => {
  const missing = mutants.flatMap(({ promise, tests }) =>
    tests.length === 0 ? [promise] : tests.filter((file) => !existsSync(join(root, file))),
  );
  expect(missing).toEqual([]);
});
