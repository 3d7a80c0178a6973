import { onTestFinished } from 'vitest';
import type { PostgresProcessOptions } from './postgres-process.ts';
import { type RunningPostgresProcess, runPostgresProcess } from './run-postgres-process.ts';

/** A process that holds an embedded PostgreSQL as the service does, until the end of the test. */
export function startPostgresProcess(
  options: PostgresProcessOptions,
  as?: Parameters<typeof runPostgresProcess>[1],
): RunningPostgresProcess {
  const running = runPostgresProcess({ lock: true, settings: { fsync: 'off' }, ...options }, as);
  onTestFinished(async () => void (await running.end()));
  return running;
}
