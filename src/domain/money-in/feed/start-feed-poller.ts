import type { Clock } from '../../../kit/clock.ts';
import { createWorkSlots, type WorkSlots } from '../../../kit/work-slots.ts';
import type { Service } from '../../platform/service.ts';
import { claimPoll } from './claim-poll.ts';
import { pollBankFeed } from './poll-bank-feed.ts';

/** The default number of concurrent polls, so that a slow server does not delay the other feeds. */
const defaultConcurrency = 4;

/** Starts the poller of a process. Polls may take longer than a run of a job, which therefore only starts them. */
export function startFeedPoller(
  service: Service,
  options: { clock: Clock; concurrency?: number; onError: (error: Error) => void },
): WorkSlots {
  const { clock, concurrency = defaultConcurrency, onError } = options;
  return createWorkSlots({
    concurrency,
    claim: () => claimPoll(service, clock.now()),
    work: (claim, signal) => pollBankFeed(service, claim, { clock, signal, onError }),
    onError,
  });
}
