import { test } from 'vitest';
import type { OnCleanup } from './cleanup.ts';
import { createFakeClock } from './fake-clock.ts';
import { failOnLoggedSecrets } from './logged-secrets.ts';
import { noon, seedMerchant } from './seed.ts';
import { setupService } from './service.ts';

/**
 * Fixtures of scope `file` are created for the first test that names them, all others for each test. A test file adds
 * its own with `.extend`.
 */

/** Fixtures of scope `file` pass `onFileCleanup` to helpers; tests pass `onTestFinished`. */
export const fileTest = test.extend(
  'onFileCleanup',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed.
  ({}, { onCleanup }): OnCleanup => {
    const stack = new AsyncDisposableStack();
    // Vitest releases these fixtures after every `afterAll`, so that the log is checked once more.
    onCleanup(async () => {
      await stack.disposeAsync();
      failOnLoggedSecrets();
    });
    return (cleanup) => stack.defer(cleanup);
  },
);

/** A service on a database of the file's own, and a new merchant for each test. */
export const serviceTest = fileTest
  .extend('service', { scope: 'file' }, ({ onFileCleanup }) => setupService(onFileCleanup))
  .extend('merchant', ({ service }) => seedMerchant(service));

export const clockTest = fileTest
  .extend('fileClock', { scope: 'file' }, () => createFakeClock(noon))
  .extend('clock', ({ fileClock }, { onCleanup }) => {
    onCleanup(() => fileClock.set(noon));
    return fileClock;
  });
