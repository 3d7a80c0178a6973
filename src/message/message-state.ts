import type { MessageAudience, MessageStatus, Mode } from '../../prisma/client/client.ts';
import { hourMs, minuteMs, secondMs } from '../kit/duration.ts';
import { retryAt } from '../kit/retry-at.ts';

/** What follows a failed attempt: the wait before the next, in milliseconds. 46.4 hours in all. */
const retryWaitsMs: readonly number[] = [
  10 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
];

/** The first attempt and one after each wait. */
export const attemptsAllowed = retryWaitsMs.length + 1;

/** A `Retry-After` counts up to here. */
const retryAfterMsMax = 24 * hourMs;

/** How one attempt to hand a message over ended. */
export type SendResult =
  | { isSent: true }
  | {
      isSent: false;
      /** In a few words; holds nothing of the content. */
      error: string;
      /** The other side will never take this message. */
      isPermanent: boolean;
      /** What the other side asked for; null when it did not. */
      retryAfterMs: number | null;
    };

/** Where a pending message goes. Pending is left once: sent, mailbox and failed are final. */
export type MessageNextState =
  | { status: 'sent' | 'mailbox' }
  | { status: 'failed'; error: string }
  | { status: 'pending'; error: string; nextAttemptAt: Date };

/**
 * What a customer of the sandbox would get is only ever kept in the mailbox: addresses there may be anybody's. Those who
 * run the account are told of the sandbox's affairs too.
 */
export function getInitialState(message: { audience: MessageAudience; mode: Mode | null }): MessageStatus {
  return message.audience === 'customer' && message.mode === 'sandbox' ? 'mailbox' : 'pending';
}

/**
 * Where a message goes after an attempt. `attemptsMade` counts that one; `random` is from 0 to 1 and spreads the wait.
 */
export function getNextState(
  result: SendResult,
  options: { attemptsMade: number; expiresAt: Date | null; now: Date; random: number },
): MessageNextState {
  if (result.isSent) return { status: 'sent' };
  const { error } = result;
  const waitMs = retryWaitsMs[options.attemptsMade - 1];
  if (result.isPermanent || waitMs === undefined) return { status: 'failed', error };
  const wait = { waitMs, requestedMs: result.retryAfterMs, requestedMsMax: retryAfterMsMax };
  const nextAttemptAt = retryAt(wait, options);
  if (options.expiresAt && nextAttemptAt >= options.expiresAt) return { status: 'failed', error };
  return { status: 'pending', error, nextAttemptAt };
}
