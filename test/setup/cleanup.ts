import { afterAll } from 'vitest';

/** Registers a function that releases what a helper has opened; the last one registered runs first. */
export type OnCleanup = (cleanup: () => void | Promise<void>) => void;

/** Collects cleanups that run after the last test of the file. Call it at the top level of a test file or `describe`. */
export function cleanupAfterFile(): OnCleanup {
  const stack = new AsyncDisposableStack();
  afterAll(() => stack.disposeAsync());
  return (cleanup) => stack.defer(cleanup);
}
