import { resetRequestTopic } from '../domain/accounts/user/reset-password.ts';
import type { Notice } from '../event/notice.ts';
import { getIdType, idPrefixes } from '../kit/id.ts';
import { type Hub, wildcardTopic } from '../live/hub.ts';

/** The time after a failure in which wakes are ignored, so that only the schedule retries the job. */
const failurePauseMs = 1_000;

type JobTrigger = {
  /** Requests a run that starts after this call, in this or another worker. */
  wake(name: string): void;
  /** Reports a failed run, so that a failing job is not restarted repeatedly. */
  recordFailure(name: string): void;
};

type TriggerState = { isPending: boolean; isRequestedAgain: boolean; notBefore: number };

/**
 * Requests runs from Agenda, one at a time for each job. `requestRun` writes a one-off job and resolves once
 * a worker has taken it. That run sees every change committed before the call. After wakes since then, one more run is
 * requested, unless `isRunning` reports a run in this process.
 */
export function createJobTrigger(options: {
  requestRun: (name: string) => Promise<unknown>;
  isRunning: (name: string) => boolean;
  onError: (error: Error) => void;
}): JobTrigger {
  const states = new Map<string, TriggerState>();
  const getState = (name: string): TriggerState => {
    const state = states.get(name) ?? { isPending: false, isRequestedAgain: false, notBefore: 0 };
    states.set(name, state);
    return state;
  };
  const recordFailure = (name: string): void => {
    getState(name).notBefore = performance.now() + failurePauseMs;
  };

  const requestRuns = async (name: string, state: TriggerState): Promise<void> => {
    state.isPending = true;
    try {
      do {
        state.isRequestedAgain = false;
        await options.requestRun(name);
      } while (state.isRequestedAgain && !options.isRunning(name));
    } catch (error) {
      recordFailure(name);
      options.onError(error as Error);
    }
    state.isPending = false;
  };

  return {
    recordFailure,
    wake(name) {
      const state = getState(name);
      if (state.isPending) state.isRequestedAgain = true;
      else if (performance.now() >= state.notBefore) void requestRuns(name, state);
    },
  };
}

/** Wakes the jobs that have work after a change. Returns a function that unsubscribes. */
export function triggerOnNotices(hub: Hub, wake: (name: string) => void): () => void {
  return hub.subscribe(wildcardTopic, (notice) => {
    for (const name of notice ? findJobs(notice) : allTriggeredJobs) wake(name);
  });
}

/** The jobs that are woken by changes that are not in `jobsByTopic`, most of which have an event. */
const eventJobs = ['relay-events'];

/** The jobs that process changes without an event, by the ID prefix or the topic of the changed object. */
const jobsByTopic: Readonly<Record<string, readonly string[] | undefined>> = {
  [idPrefixes.notification]: ['deliver-notifications'],
  [idPrefixes.message]: ['send-mail', 'send-sms', 'send-chat'],
  [resetRequestTopic]: ['process-reset-requests'],
  [idPrefixes.statement]: ['import-statements'],
  [idPrefixes.export]: ['build-exports'],
  [idPrefixes.bankFeed]: ['poll-feeds'],
};

/** The jobs that are woken when notices were missed. */
const allTriggeredJobs = [eventJobs, ...Object.values(jobsByTopic)].flatMap((names) => names ?? []);

function findJobs({ objectId }: Notice): readonly string[] {
  const idType = getIdType(objectId);
  return jobsByTopic[idType === undefined ? objectId : idPrefixes[idType]] ?? eventJobs;
}
