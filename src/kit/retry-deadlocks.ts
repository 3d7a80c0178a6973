import { hasSqlState, sqlStates } from './sql-state.ts';

const attemptsMax = 3;

/** Runs a transaction and retries it after a deadlock, so `run` may be called more than once. */
export async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= attemptsMax || !hasSqlState(error, sqlStates.deadlockDetected)) throw error;
    }
  }
}
