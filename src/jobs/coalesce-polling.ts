import type { JobRepository } from 'agenda';

type GetNextJob = JobRepository['getNextJobToRun'];

/**
 * Returns the names of jobs that can be locked: free and due by `nextScanAt`, or locked no later than
 * `lockDeadline`.
 */
export type FindDueNames = (nextScanAt: Date, lockDeadline: Date) => Promise<string[]>;

/**
 * Replaces Agenda's polls, one each second for every job name, by one statement for all names. Only the names that it
 * finds are then polled.
 */
export function coalescePolling(repository: JobRepository, findDueNames: FindDueNames): GetNextJob {
  const getNextJob = repository.getNextJobToRun.bind(repository);
  let nextScanAt = new Date(0);
  let lockDeadline = new Date(0);
  let pollCount = 0;
  let dueNames: Promise<string[] | undefined> | undefined;

  const queryDueNames = async (): Promise<string[] | undefined> => {
    // Waits for the polls that Agenda starts in the same tick.
    await Promise.resolve();
    const [scanAt, deadline, count] = [nextScanAt, lockDeadline, pollCount];
    [nextScanAt, lockDeadline, pollCount, dueNames] = [new Date(0), new Date(0), 0, undefined];
    return count === 1 ? undefined : findDueNames(scanAt, deadline);
  };

  return async (name, scanAt, deadline, ...options) => {
    nextScanAt = latest(nextScanAt, scanAt);
    lockDeadline = latest(lockDeadline, deadline);
    pollCount++;
    dueNames ??= queryDueNames();
    const names = await dueNames;
    return names === undefined || names.includes(name)
      ? getNextJob(name, scanAt, deadline, ...options)
      : undefined;
  };
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}
