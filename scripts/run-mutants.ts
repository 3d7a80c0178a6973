import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutants } from '../test/mutants/all.ts';
import { countOccurrences } from '../test/mutants/check-mutants.ts';
import type { Mutant } from '../test/mutants/mutant.ts';
import { MutantCopy } from './mutant-copy.ts';

/**
 * Applies each mutant of test/mutants to a copy of the work tree and expects its tests to fail:
 *
 *   npm run mutants                        all mutants
 *   npm run mutants -- --only refund       the mutants with this text in their promise or file
 *   npm run mutants -- --changed main      the mutants with a file or test that differs from this commit
 *   npm run mutants -- --jobs 2            several mutants at a time, each in its own copy
 *
 * Prints the number of caught mutants. A mutant that was not caught fails the run.
 */

/**
 * `survived`: one of its test files passed. `stale`: the text to replace does not occur exactly once. `types`: the
 * mutant does not compile. `broken`: one of its test files could not be loaded, or also fails without the mutant.
 */
type MutantOutcome = 'caught' | 'survived' | 'stale' | 'types' | 'broken';
type MutantResult = { mutant: Mutant; outcome: MutantOutcome; detail: string };

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    changed: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  },
});

function selectMutants(): Mutant[] {
  const { only, changed } = options;
  const changedFiles = changed === undefined ? undefined : listFilesChangedSince(changed);
  return mutants.filter(
    ({ promise, file, tests }) =>
      (!only || only.some((text) => `${promise} ${file}`.toLowerCase().includes(text.toLowerCase()))) &&
      (!changedFiles || [file, ...tests].some((name) => changedFiles.has(name))),
  );
}

/** Returns the files that differ from the merge base with `ref`, including files that are not committed. */
function listFilesChangedSince(ref: string): Set<string> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const base = git('merge-base', ref, 'HEAD').trim();
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return new Set(`${git('diff', '--name-only', base)}\n${untracked}`.split('\n').filter(Boolean));
}

const isStale = ({ file, find }: Mutant) => countOccurrences(join(root, file), find) !== 1;

/** Returns the mutants of a round that do not compile. Applies all of them at once, and bisects only on failure. */
async function findTypeErrors(copy: MutantCopy, round: readonly Mutant[]): Promise<Mutant[]> {
  if (round.length === 0 || (await copy.withMutants(round, () => copy.compiles()))) return [];
  if (round.length === 1) return [...round];
  const half = round.length >> 1;
  return [
    ...(await findTypeErrors(copy, round.slice(0, half))),
    ...(await findTypeErrors(copy, round.slice(half))),
  ];
}

/** Groups mutants into rounds that can be applied together, because no two of them change the same text. */
function toRounds(selected: readonly Mutant[]): Mutant[][] {
  const rounds: { mutant: Mutant; from: number; to: number }[][] = [];
  for (const mutant of selected) {
    const from = readFileSync(join(root, mutant.file), 'utf8').indexOf(mutant.find);
    const to = from + mutant.find.length;
    const hasNoOverlap = (round: (typeof rounds)[number]) =>
      round.every((other) => other.mutant.file !== mutant.file || other.to <= from || other.from >= to);
    const round = rounds.find(hasNoOverlap) ?? rounds[rounds.push([]) - 1]!;
    round.push({ mutant, from, to });
  }
  return rounds.map((round) => round.map(({ mutant }) => mutant));
}

/** Returns the test files that fail without any mutant, and would therefore seem to catch every mutant. */
async function findFailingFiles(copy: MutantCopy, selected: readonly Mutant[]): Promise<Set<string>> {
  const files = [...new Set(selected.flatMap(({ tests }) => tests))];
  const { failedFiles, hasTimedOut } = await copy.test(files, { bail: false });
  return new Set(hasTimedOut ? files : failedFiles);
}

async function testMutant(copy: MutantCopy, mutant: Mutant): Promise<MutantResult> {
  const titles: string[] = [];
  for (const file of mutant.tests) {
    const run = await copy.withMutants([mutant], () => copy.test([file], { bail: true }));
    const isLoaded = run.hasTimedOut || run.failedTitles.length > 0 || run.failedFiles.length === 0;
    if (!isLoaded) return { mutant, outcome: 'broken', detail: `${file} cannot be loaded` };
    const title = run.hasTimedOut ? 'The test did not end' : run.failedTitles[0];
    if (title === undefined) return { mutant, outcome: 'survived', detail: `${file} passes` };
    titles.push(title);
  }
  return { mutant, outcome: 'caught', detail: titles.join('; ') };
}

function printResult({ mutant, outcome, detail }: MutantResult, startedAt = performance.now()): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
  console.log(`${outcome.padEnd(8)} ${seconds} s  ${mutant.promise}\n                   ${detail}`);
}

async function runMutants(copies: readonly MutantCopy[]): Promise<MutantResult[]> {
  const [first] = copies as [MutantCopy];
  const selected = selectMutants();
  const results: MutantResult[] = [];
  const addResult = (result: MutantResult, startedAt?: number) => {
    printResult(result, startedAt);
    results.push(result);
  };
  for (const mutant of selected.filter(isStale))
    addResult({ mutant, outcome: 'stale', detail: `${mutant.file} does not contain the text exactly once` });
  const applicableMutants = selected.filter((mutant) => !isStale(mutant));
  if (applicableMutants.length > 0 && !(await first.compiles()))
    throw new Error('Without a mutant the code does not compile');
  const mutantsWithTypeErrors = new Set<Mutant>();
  for (const round of toRounds(applicableMutants))
    for (const mutant of await findTypeErrors(first, round)) mutantsWithTypeErrors.add(mutant);
  for (const mutant of mutantsWithTypeErrors)
    addResult({ mutant, outcome: 'types', detail: 'does not compile' });
  const queue = applicableMutants.filter((mutant) => !mutantsWithTypeErrors.has(mutant));
  const failingFiles = queue.length > 0 ? await findFailingFiles(first, queue) : new Set<string>();
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const startedAt = performance.now();
        const failedFile = mutant.tests.find((file) => failingFiles.has(file));
        const detail = `${failedFile} fails without the mutant`;
        addResult(
          failedFile ? { mutant, outcome: 'broken', detail } : await testMutant(copy, mutant),
          startedAt,
        );
      }
    }),
  );
  return results;
}

function summarize(results: readonly MutantResult[]): void {
  const notCaught = results.filter(({ outcome }) => outcome !== 'caught');
  if (notCaught.length > 0) console.log('\nNot caught:');
  for (const { mutant, outcome, detail } of notCaught)
    console.log(`  ${outcome}: ${mutant.promise} (${mutant.file}; ${detail})`);
  const counts = (['survived', 'stale', 'types', 'broken'] as const).map(
    (outcome) => `${notCaught.filter((result) => result.outcome === outcome).length} ${outcome}`,
  );
  console.log(
    `\n${results.length - notCaught.length} of ${results.length} mutants caught, ${counts.join(', ')}`,
  );
  process.exitCode = notCaught.length > 0 ? 1 : 0;
}

const copies = Array.from({ length: Math.max(1, Number(options.jobs)) }, () => new MutantCopy(root));
const removeCopies = () => {
  for (const copy of copies) copy.remove();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    removeCopies();
    process.exit(1);
  });
}
try {
  summarize(await runMutants(copies));
} finally {
  removeCopies();
}
