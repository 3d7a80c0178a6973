import { test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { setupApp } from './app.ts';
import type { OnCleanup } from './cleanup.ts';
import { createFakeClock } from './fake-clock.ts';
import { setupGraphqlApp } from './graphql.ts';
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

/** The application for `app.inject`, with a fake clock, which is set back to noon after each test that uses it. */
export const appTest = clockTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup, fileClock }) =>
    setupApp(onFileCleanup, { clock: fileClock }),
  )
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service)
  .extend('merchant', ({ service, clock }) => seedMerchant(service, {}, clock.now()));

/** The same with the system time. */
export const systemTimeAppTest = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupApp(onFileCleanup, { clock: systemClock }))
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service)
  .extend('merchant', ({ service }) => seedMerchant(service, {}, new Date()));

/** The listening application with two merchants for all tests of the file, with the system time. */
export const graphqlTest = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupGraphqlApp(onFileCleanup))
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service);

/** The same with a fake clock, which is set back to noon after each test that uses it. */
export const fakeTimeGraphqlTest = clockTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup, fileClock }) =>
    setupGraphqlApp(onFileCleanup, { clock: fileClock }),
  )
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service);
