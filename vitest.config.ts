import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs tests with processes and browsers first. Otherwise one worker would run them alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /test\/(?:process|dashboard|dashboard-server|jobs|pages)\/|schemathesis/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: process.env.PLUGIN ? [`plugins/${process.env.PLUGIN}/test/*.test.ts`] : ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global-setup.ts'],
    setupFiles: [
      // First, because it resolves the imports of the others.
      'test/setup/resolve-imports.ts',
      'test/setup/check-logged-secrets.ts',
      'test/setup/fixed-seed.ts',
      // Imports the database client, which tests of plain functions do not need.
      ...(process.env.STATEMENTS ? ['test/setup/record-statements.ts'] : []),
    ],
    // For tests that hang. Waits inside a test time out earlier, with a specific message. The long run has many times the
    // cases.
    testTimeout: process.env.LONG ? 1_200_000 : 90_000,
    hookTimeout: 120_000,
    // Long enough for busy machines; the default is one second.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // One more than the cores of CI, because tests often wait for browsers and child processes.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // Node loads the modules, as in production: packages resolve as for users, and files are not transformed
    // first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
