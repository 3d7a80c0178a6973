/**
 * `npm test`, which CI also runs: types, lint and format, then all tests except `longTests`. Arguments are passed to the
 * test runner and skip the other checks:
 *
 *   npm test -- test/rest/charges.test.ts
 *
 * LONG=1 (`npm run test:long`) runs all tests, then some of them again through PgBouncer (the program PGBOUNCER, or one
 * that is built), and the tests of the plugins.
 *
 * The last line is the total: N passed, N failed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from './generate.mjs';
import { getUnsupportedReason, isPlatformSupported } from './platform.mjs';

if (!isPlatformSupported()) {
  console.error(getUnsupportedReason());
  process.exit(1);
}
await generate();

const args = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'causeway-check-'));
const report = join(folder, 'report.json');
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
/** The tests that a connection pooler could break. */
const pooledTests = [
  'test/process/pgbouncer.test.ts',
  'test/process/faults.test.ts',
  'test/process/multiple-processes.test.ts',
  'test/process/kills.test.ts',
  'test/live',
  'test/jobs',
];

/** Plugins for shop systems, each with its own dependencies. PLUGIN=medusa runs the tests of one. */
const plugins = ['medusa', 'vendure'];

/** Tests that only `npm run test:long` runs, unless they are named. */
const longTests = [
  'test/cli/trigger.test.ts',
  'test/dashboard/accessibility.test.ts',
  'test/dashboard/bank-feeds.test.ts',
  'test/dashboard/books.test.ts',
  'test/dashboard/charges.test.ts',
  'test/dashboard/counter.test.ts',
  'test/dashboard/forms.test.ts',
  'test/dashboard/notifications.test.ts',
  'test/dashboard/operators.test.ts',
  'test/dashboard/part-payments.test.ts',
  'test/dashboard/refunds.test.ts',
  'test/dashboard/review.test.ts',
  'test/dashboard/search.test.ts',
  'test/dashboard/setup-guide.test.ts',
  'test/dashboard/statements.test.ts',
  'test/dashboard/subscriptions.test.ts',
  'test/dashboard/transfers.test.ts',
  'test/dashboard/unsaved-changes.test.ts',
  'test/dashboard/users.test.ts',
  'test/domain/feed/sftp-feed.test.ts',
  'test/domain/feed/trust.test.ts',
  'test/domain/move/move-faults.test.ts',
  'test/domain/races/subscription-races.test.ts',
  'test/domain/statement/large-import.test.ts',
  'test/jobs/job-dashboard.test.ts',
  'test/kit/session-state.test.ts',
  'test/notification/snippets.test.ts',
  'test/pages/accessibility.test.ts',
  'test/pages/checkout-change.test.ts',
  'test/pages/checkout-live.test.ts',
  'test/pages/embed.test.ts',
  'test/pages/enrolment.test.ts',
  'test/pages/subscriptions.test.ts',
  'test/process/benchmarks.test.ts',
  'test/process/development.test.ts',
  'test/process/docs-site.test.ts',
  'test/process/failover.test.ts',
  'test/process/feed-kills.test.ts',
  'test/process/kills.test.ts',
  // CI runs this test through PgBouncer.
  'test/process/multiple-processes.test.ts',
  'test/process/read-replicas.test.ts',
  'test/process/release.test.ts',
  'test/process/restart.test.ts',
  'test/process/rolling-upgrade.test.ts',
  'test/process/upgrade.test.ts',
  'test/rest/hostile-feeds.test.ts',
];

const { PLUGIN: plugin } = process.env;
if (plugin) testPlugin(plugin);
else runChecks();
rmSync(folder, { recursive: true, force: true });

for (const failure of failures) console.log(`FAILED: ${failure}`);
console.log(
  `${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
);
process.exit(totals.failed > 0 ? 1 : 0);

function runChecks() {
  if (args.length === 0) {
    count(run('types', ['typescript/bin/tsc', '--noEmit']));
    count(run('types of the dashboard', ['typescript/bin/tsc', '--noEmit', '-p', 'src/dashboard']));
    count(run('lint and format', ['@biomejs/biome/bin/biome', 'ci', '--error-on-warnings']));
  }
  const { LONG: isLongRun, PGBOUNCER, ...plainEnv } = process.env;
  const isWholeLongRun = isLongRun && args.length === 0;
  const exclusions = args.length === 0 && !isLongRun ? longTests.flatMap((file) => ['--exclude', file]) : [];
  runTests(
    'tests',
    [...args, ...exclusions],
    isWholeLongRun ? { ...plainEnv, LONG: isLongRun } : process.env,
  );
  if (isWholeLongRun) {
    const program = PGBOUNCER ?? buildPgBouncer();
    if (program === undefined) console.log('NOT RUN: PgBouncer, which could not be built');
    else runTests('tests through PgBouncer', pooledTests, { ...process.env, PGBOUNCER: program });
    for (const name of plugins) testPlugin(name);
  }
}

/** Installs a plugin's dependencies, checks its types, and runs its tests on its shop system and a running service. */
function testPlugin(name) {
  const cwd = join('plugins', name);
  const title = `plugin for ${name}`;
  const install = spawnSync('npm', ['ci', '--loglevel=error'], { cwd, stdio: 'inherit' });
  if (install.status !== 0) return console.log(`NOT RUN: ${title}, whose packages could not be installed`);
  const compiled = [join('packages', 'client'), cwd, join(cwd, 'test')].map((project) =>
    run(`types of ${project}`, ['typescript/bin/tsc', '-p', project]),
  );
  for (const hasPassed of compiled) count(hasPassed);
  runTests(title, args, { ...process.env, PLUGIN: name });
}

function runTests(title, files, env) {
  rmSync(report, { force: true });
  const options = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  addCounts(run(title, ['vitest/vitest.mjs', ...options, ...files], env));
}

/** Returns undefined if this machine has no tools to build it. */
function buildPgBouncer() {
  const target = join(folder, 'pgbouncer');
  return spawnSync('.ci/pgbouncer/build', [target], { stdio: 'inherit' }).status === 0 ? target : undefined;
}

function run(title, [script, ...rest], env = process.env) {
  const startedAt = performance.now();
  console.log(`== ${title}`);
  const { status } = spawnSync(process.execPath, [join('node_modules', script), ...rest], {
    stdio: 'inherit',
    // The compile cache saves a tenth of the processor time.
    env: { ...env, NODE_COMPILE_CACHE: 'node_modules/.cache/tests' },
  });
  if (status !== 0) failures.push(title);
  console.log(
    `== ${title}: ${status === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
  );
  return status === 0;
}

function count(hasPassed) {
  totals[hasPassed ? 'passed' : 'failed']++;
}

/**
 * Adds the results in the report to the totals. A run without a report counts as one failure, as does a run that failed
 * without a failed test.
 */
function addCounts(hasSucceeded) {
  if (!existsSync(report)) return count(false);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const { name, assertionResults, message } of testResults) {
    if (message) failures.push(`${name}: ${message.split('\n')[0]}`);
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'failed') failures.push(`${name}: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`);
  }
  const outcomes = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  const passed = outcomes.filter((status) => status === 'passed').length;
  const skipped = outcomes.filter((status) => status === 'skipped' || status === 'todo').length;
  // All other tests failed, or did not end because their process died.
  const failed = outcomes.length - passed - skipped;
  totals.passed += passed;
  totals.skipped += skipped;
  totals.failed += failed;
  if (!hasSucceeded && failed === 0) count(false);
  else if (args.length > 0 && passed + failed === 0) {
    console.error('No test matches these arguments.');
    count(false);
  }
}
