/**
 * `npm test` and what CI runs: types, lint and format, then every test. Arguments go to the test runner:
 *   npm test -- test/rest/charges.test.ts
 * Ends with one line for the whole: N passed, N failed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditDependencies } from './audit.mjs';
import { generate } from './generate.mjs';
import { isUsable, whyUnusable } from './platform.mjs';

if (!isUsable()) {
  console.error(whyUnusable());
  process.exit(1);
}
await generate();

const args = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'causeway-check-'));
const counted = join(folder, 'counts.json');
const totals = { passed: 0, failed: 0, skipped: 0 };

if (args.length === 0) {
  count(run('types', ['typescript/bin/tsc', '--noEmit']));
  count(run('types of the dashboard', ['typescript/bin/tsc', '--noEmit', '-p', 'src/dashboard']));
  count(run('lint and format', ['@biomejs/biome/bin/biome', 'ci', '--error-on-warnings']));
  audit();
}
const testsRan = run('tests', [
  'vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=./scripts/count-tests.mjs',
  ...args,
]);
addCounts(testsRan);
rmSync(folder, { recursive: true, force: true });

console.log(
  `${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
);
process.exit(totals.failed > 0 ? 1 : 0);

function run(title, [script, ...rest]) {
  const startedAt = performance.now();
  console.log(`== ${title}`);
  const { status } = spawnSync(process.execPath, [join('node_modules', script), ...rest], {
    stdio: 'inherit',
    // Takes an eighth off the time of one file; a whole run would only write it.
    env: {
      ...process.env,
      COUNTS: counted,
      ...(args.length > 0 && { NODE_COMPILE_CACHE: 'node_modules/.cache/tests' }),
    },
  });
  console.log(
    `== ${title}: ${status === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
  );
  return status === 0;
}

function count(passed) {
  totals[passed ? 'passed' : 'failed']++;
}

function audit() {
  const { outcome, said } = auditDependencies();
  console.log(`== known vulnerabilities: ${said}\n`);
  totals[outcome]++;
}

/** A run that broke before it could report counts as one failure. */
function addCounts(ranWell) {
  if (!existsSync(counted)) return count(false);
  const tests = JSON.parse(readFileSync(counted, 'utf8'));
  for (const [outcome, number] of Object.entries(tests)) totals[outcome] += number;
  if (!ranWell && tests.failed === 0) count(false);
  else if (args.length > 0 && tests.passed + tests.failed === 0) {
    console.error('No test of that name was run.');
    count(false);
  }
}
