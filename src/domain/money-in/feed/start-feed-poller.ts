import type { Clock } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { claimPoll } from './claim-poll.ts';
import { pollBankFeed } from './poll-bank-feed.ts';

/** The default number of concurrent polls, so that a slow server does not delay the other feeds. */
const defaultConcurrency = 4;

export type FeedPoller = {
  /** Starts polls that are due, up to the concurrency limit. Resolves once they are started, not finished. */
  startDue(): Promise<void>;
  /** Starts no more polls, aborts running ones and waits for them. */
  stop(): Promise<void>;
};

/**
 * Starts the poller of a process. Any number of processes share the work; a lease assigns each poll to one of
 * them. Polls may take longer than a run of a job, which therefore only starts them.
 */
export function startFeedPoller(
  service: Service,
  options: { clock: Clock; concurrency?: number; onError: (error: Error) => void },
): FeedPoller {
  const { clock, concurrency = defaultConcurrency, onError } = options;
  const controller = new AbortController();
  const running = new Set<Promise<void>>();
  const claimAndStart = async (): Promise<void> => {
    while (running.size < concurrency && !controller.signal.aborted) {
      const claim = await claimPoll(service, clock.now());
      if (!claim) return;
      const poll = pollBankFeed(service, claim, { clock, signal: controller.signal, onError }).catch(onError);
      running.add(poll);
      void poll.then(() => {
        running.delete(poll);
        // A feed may have become due while all slots were used.
        startDue().catch(onError);
      });
    }
  };
  let lastStart: Promise<void> = Promise.resolve();
  /** Waits for the previous call, because two concurrent calls would fill the same slot twice. */
  const startDue = (): Promise<void> => {
    const start = lastStart.then(claimAndStart);
    lastStart = start.catch(() => {});
    return start;
  };
  return {
    startDue,
    async stop() {
      controller.abort();
      // A poll that was claimed before the abort must still release its feed.
      await lastStart;
      await Promise.all(running);
    },
  };
}
