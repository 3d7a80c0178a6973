import type { BankFeed } from '../../../../prisma/client/client.ts';
import type { Clock, SystemTime } from '../../../kit/clock.ts';

export type PollRun = {
  clock: Clock;
  signal: AbortSignal;
  startedAt: SystemTime;
  onError: (error: Error) => void;
};

export type PollOutcome = Partial<Pick<BankFeed, 'pollState' | 'fetchedUntil'>> & {
  /** When there is more to fetch, if that is earlier than the interval. */
  nextInMs?: number;
};
