import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What starts processes and browsers begins first: one worker would be left with it at the end, the others idle. */
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
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global-setup.ts'],
    setupFiles: [
      // First: it is what the others are found by.
      'test/setup/quick-imports.ts',
      'test/setup/end-file.ts',
      'test/setup/fixed-seed.ts',
      // Loads the database client, for which a test on functions would wait.
      ...(process.env.STATEMENTS ? ['test/setup/keep-statements.ts'] : []),
    ],
    // For what hangs; what a test waits for gives up before, and says what that was.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A condition is awaited, however busy the machine; the default is one second.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // One more than the cores CI has: browsers and child processes are waited for often.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongFirst },
    // By Node itself, as the service is run: packages are resolved as for its users, and nothing is transformed first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
