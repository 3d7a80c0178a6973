import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from './process/run-service.ts';
import { createTempDir } from './setup/temp-dir.ts';

/** Runs `.ci/run` on a machine that has only npm, whose test runs end with the given line. */
async function runCi(lastLine: string, env: Record<string, string> = {}) {
  const folder = await createTempDir(onTestFinished);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const tool of ['awk', 'bash', 'cp', 'dirname', 'env', 'mktemp', 'rm', 'sh', 'tail', 'tee'])
    symlinkSync(spawnSync('which', [tool], { encoding: 'utf8' }).stdout.trim(), join(bin, tool));
  const npm = `#!/bin/sh
    [ "$1" = test ] || exit 0
    echo "${lastLine}"
    [ "\${TEST_POSTGRES:-}" = 14 ] && echo "ran on PostgreSQL $TEST_POSTGRES" >&2
    case "${lastLine}" in *' 0 failed'*) exit 0;; *) exit 1;; esac`;
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
  writeFileSync(join(bin, 'uname'), '#!/bin/sh\necho Linux x86_64', { mode: 0o755 });
  const options = { env: { PATH: bin, TMPDIR: folder, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(join(projectRoot, '.ci/run'), options);
  return { status, stdout, stderr, notRun: stdout.match(/(?<=^NOT RUN: ).*/gm) ?? [] };
}

test('.ci/run reports each part without its tool, runs the others and prints the totals', async () => {
  const { status, stdout, stderr, notRun } = await runCi('20 passed, 0 failed, 1 skipped');
  expect(
    notRun.map(
      (reason) =>
        /Schemathesis|independent readers|generated Python client|promtool|openssl command|Python|PHP|PgBouncer|MongoDB/.exec(
          reason,
        )?.[0],
    ),
  ).toEqual([
    'Schemathesis',
    'independent readers',
    'generated Python client',
    'promtool',
    'openssl command',
    'Python',
    'PHP',
    'PgBouncer',
    'MongoDB',
  ]);
  expect(stderr).toContain('ran on PostgreSQL 14');
  expect(stdout).toMatch(/\nIn \d+ s: 40 passed, 0 failed\n$/);
  expect(status).toBe(0);
});

test('with CI_FULL=1, a missing tool fails .ci/run after everything else has run', async () => {
  const { status, stdout } = await runCi('20 passed, 0 failed', { CI_FULL: '1' });
  expect(stdout).toMatch(/\nIn \d+ s: 40 passed, 0 failed\n$/);
  expect(status).toBe(1);
});

test('a failed test fails .ci/run after everything else has run', async () => {
  const { status, stdout } = await runCi('19 passed, 1 failed');
  expect(stdout).toMatch(/\nIn \d+ s: 38 passed, 2 failed\n$/);
  expect(status).toBe(1);
});

test('no part of .ci/run is skipped because of the time it has taken', async () => {
  const { stdout } = await runCi('20 passed, 0 failed', { SECONDS: '100000' });
  expect(stdout).toMatch(/\nIn 100\d{3} s: 40 passed, 0 failed\n$/);
});
