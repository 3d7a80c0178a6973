import { systemClock } from '../../src/kit/clock.ts';
import { setupApp } from './app.ts';
import { clockTest, fileTest } from './fixtures.ts';
import { setupGraphqlApp } from './graphql.ts';
import { seedMerchant } from './seed.ts';

// These fixtures are not in `fixtures.ts`, because loading the whole application takes seconds.

/** The application for `app.inject`, with a fake clock, which is set back to noon after each test that uses it. */
export const appTest = clockTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup, fileClock }) =>
    setupApp(onFileCleanup, { clock: fileClock }),
  )
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service)
  .extend('merchant', ({ service, clock }) => seedMerchant(service, {}, clock.now()));

/** Like `appTest`, with the system time. */
export const systemTimeAppTest = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupApp(onFileCleanup, { clock: systemClock }))
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service)
  .extend('merchant', ({ service }) => seedMerchant(service, {}, new Date()));

/** The listening application with two merchants for all tests of the file, with the system time. */
export const graphqlTest = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupGraphqlApp(onFileCleanup))
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service);

/** Like `graphqlTest`, with a fake clock, which is set back to noon after each test that uses it. */
export const fakeTimeGraphqlTest = clockTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup, fileClock }) =>
    setupGraphqlApp(onFileCleanup, { clock: fileClock }),
  )
  .extend('service', { scope: 'file' }, ({ app }) => app.context.service);
