import type { BankFeed } from '../../../../prisma/client/client.ts';
import type { Clock, SystemTime } from '../../../kit/clock.ts';

export type PollRun = {
  clock: Clock;
  signal: AbortSignal;
  startedAt: SystemTime;
  onError: (error: Error) => void;
};

export type PollOutcome = Partial<Pick<BankFeed, 'pollState' | 'fetchedUntil'>> & {
  /** How soon the next poll starts, if that is before the interval is over. */
  nextInMs?: number;
};
