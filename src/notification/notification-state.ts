import type { NotificationKind } from '../../prisma/client/client.ts';
import { hourMs, minuteMs, secondMs } from '../kit/duration.ts';
import { retryAt } from '../kit/retry-at.ts';

/** What follows a failed attempt: the wait before the next, in milliseconds. 75.6 hours in all. */
export const retryWaitsMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** The first attempt and one after each wait. */
export const attemptsMax = retryWaitsMs.length + 1;

/** A `Retry-After` counts up to the length of the whole schedule; a receiver cannot park a delivery for years. */
const retryAfterMsMax = retryWaitsMs.reduce((sum, waitMs) => sum + waitMs);

const goneStatus = 410;

/** How one attempt ended. */
export type AttemptOutcome = {
  /** HTTP status; null without an answer. */
  status: number | null;
  /** Why there was no whole answer; null when there was one. */
  error: string | null;
  /** What `Retry-After` asked for, in milliseconds. */
  retryAfterMs: number | null;
};

export type NextNotificationState =
  | { status: 'delivered'; disablesWebhook: false }
  | { status: 'pending'; nextAttemptAt: Date; disablesWebhook: false }
  | { status: 'failed'; disablesWebhook: boolean };

/** Delivered is a whole answer with any 2xx; a redirect is a failure. */
export function isDelivered(outcome: Pick<AttemptOutcome, 'status' | 'error'>): boolean {
  return outcome.error === null && outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
}

/**
 * Where a pending notification goes after an attempt. `attemptsMade` counts that attempt; `random` is from 0 to 1 and
 * spreads the wait. 410 ends the delivery, and tells that the webhook is not wanted any more. `attemptedOnce`: there is no
 * second attempt, and nothing follows for the webhook.
 */
export function getNextState(
  outcome: AttemptOutcome,
  options: {
    kind: NotificationKind;
    attemptsMade: number;
    noRetry?: boolean;
    now: Date;
    random: number;
  },
): NextNotificationState {
  if (isDelivered(outcome)) return { status: 'delivered', disablesWebhook: false };
  if (options.noRetry) return { status: 'failed', disablesWebhook: false };
  if (outcome.status === goneStatus) return { status: 'failed', disablesWebhook: options.kind === 'webhook' };
  const waitMs = retryWaitsMs[options.attemptsMade - 1];
  if (waitMs === undefined) return { status: 'failed', disablesWebhook: false };
  const wait = { waitMs, requestedMs: outcome.retryAfterMs, requestedMsMax: retryAfterMsMax };
  const nextAttemptAt = retryAt(wait, options);
  return { status: 'pending', nextAttemptAt, disablesWebhook: false };
}

/** `Retry-After` in milliseconds from `now`: seconds or an HTTP date (RFC 9110, 10.2.3); null when it is neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * secondMs;
  const time = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, time - now.getTime());
}
