import { hasSqlState, sqlStates } from './sql-state.ts';

const triesMax = 3;

/** Runs a transaction, and again after a deadlock, so `run` may be called more than once. */
export async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries >= triesMax || !hasSqlState(error, sqlStates.deadlockDetected)) throw error;
    }
  }
}
