import { resetRequestTopic } from '../domain/accounts/user/request-password-reset.ts';
import type { Notice } from '../event/notice.ts';
import { idPrefixes, nounOfId } from '../kit/id.ts';
import { everyNotice, type Hub } from '../live/hub.ts';

/** After a failure the schedule is left to try again. */
const failurePauseMs = 1_000;

export type Waker = {
  /** A run begins after this call, here or in another worker. */
  wake(name: string): void;
  /** To be told of failed runs: jobs that fail are not begun again and again. */
  failed(name: string): void;
};

type Asking = { underWay: boolean; again: boolean; notBefore: number };

/**
 * Asks Agenda for runs, one at a time for each job. `ask` writes a one-off job and resolves once a worker has it. Its
 * run sees whatever was committed before the call; a wake that comes in between leads to one more, unless a run is
 * `underWay` here by then.
 */
export function createWaker(options: {
  ask: (name: string) => Promise<unknown>;
  underWay: (name: string) => boolean;
  onError: (error: Error) => void;
}): Waker {
  const all = new Map<string, Asking>();
  const of = (name: string): Asking => {
    const asking = all.get(name) ?? { underWay: false, again: false, notBefore: 0 };
    all.set(name, asking);
    return asking;
  };
  const failed = (name: string): void => {
    of(name).notBefore = performance.now() + failurePauseMs;
  };

  const ask = async (name: string, asking: Asking): Promise<void> => {
    asking.underWay = true;
    try {
      do {
        asking.again = false;
        await options.ask(name);
      } while (asking.again && !options.underWay(name));
    } catch (error) {
      failed(name);
      options.onError(error as Error);
    }
    asking.underWay = false;
  };

  return {
    failed,
    wake(name) {
      const asking = of(name);
      if (asking.underWay) asking.again = true;
      else if (performance.now() >= asking.notBefore) void ask(name, asking);
    },
  };
}

/** Wakes the jobs that changes make work for. Returns what ends it. */
export function wakeOnNotices(hub: Hub, wake: (name: string) => void): () => void {
  return hub.subscribe(everyNotice, (notice) => {
    for (const name of notice ? jobsOf(notice) : allWoken) wake(name);
  });
}

/** What all else that changes makes work for, since it has an event. */
const wokenByEvents = ['relay-events'];

/** What changes without an event, with the jobs that it makes work for. */
const wokenBy: Readonly<Record<string, readonly string[] | undefined>> = {
  [idPrefixes.notification]: ['deliver-notifications'],
  [idPrefixes.message]: ['send-mail', 'send-sms'],
  [resetRequestTopic]: ['answer-reset-requests'],
  [idPrefixes.statement]: ['import-statements'],
  [idPrefixes.export]: ['build-exports'],
};

/** Where notices were missed. */
const allWoken = [wokenByEvents, ...Object.values(wokenBy)].flatMap((names) => names ?? []);

function jobsOf({ objectId }: Notice): readonly string[] {
  const noun = nounOfId(objectId);
  return wokenBy[noun === undefined ? objectId : idPrefixes[noun]] ?? wokenByEvents;
}
