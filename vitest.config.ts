import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As Node resolves packages: else the tests get the development build of graphql beside the one its users get.
  ssr: { resolve: { conditions: ['node', 'module-sync'], externalConditions: ['node', 'module-sync'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global-setup.ts'],
    setupFiles: ['test/setup/end-file.ts', 'test/setup/fixed-seed.ts'],
    // For what hangs; what a test waits for gives up before, and says what that was.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A condition is awaited, however busy the machine; the default is one second.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // One more than the cores CI has: browsers and child processes are waited for often.
    maxWorkers: 3,
    isolate: false,
  },
});
