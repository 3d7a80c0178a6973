import type { BankFeed } from '../../../../prisma/client/client.ts';
import { PullError } from '../../../feed/pull/pull-error.ts';
import type { Clock, SystemTime } from '../../../kit/clock.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { OpenBankFeed } from './open-bank-feed.ts';

export type PollRun = {
  clock: Clock;
  signal: AbortSignal;
  startedAt: SystemTime;
  onError: (error: Error) => void;
};

export type PollOutcome = Partial<Pick<BankFeed, 'pollState' | 'fetchedUntil'>> & {
  /** How soon the next poll starts. Without it, after the interval, or later if the poll failed. */
  nextInMs?: number;
  /** Set if the poll failed, or a part of it. */
  error?: PullError | undefined;
};

export function getPollIntervalMs({ pull }: OpenBankFeed['settings']): number {
  return (pull?.intervalMinutes ?? 1) * minuteMs;
}

/** Returns the error that the merchant sees. Internal errors are also reported to the operator. */
export function toPullError(
  error: Error,
  { onError, signal }: Omit<PollRun, 'startedAt'>,
  fileName?: string,
): PullError {
  if (error instanceof PullError) return error;
  if (!(error instanceof DomainError) && !signal.aborted) onError(error);
  const detail = 'see the log of the service';
  return new PullError('internal_error', fileName === undefined ? detail : `${fileName}: ${detail}`, {
    cause: error,
  });
}
