import type { NotificationKind } from '../../prisma/client/client.ts';
import { hourMs, minuteMs, secondMs } from '../kit/duration.ts';
import { getRetryTime } from '../kit/retry-at.ts';

/** The waits after failed attempts; 75.6 hours in total. */
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

/**
 * `Retry-After` is capped at the length of the whole schedule, so that a receiver cannot delay a delivery for
 * years.
 */
const retryAfterMsMax = retryWaitsMs.reduce((sum, waitMs) => sum + waitMs);

const goneStatus = 410;

type AttemptOutcome = {
  /** The HTTP status; null without a response. */
  status: number | null;
  /** Why there is no complete response; null if there is one. */
  error: string | null;
  /** The delay that the `Retry-After` header requests; null without one. */
  retryAfterMs: number | null;
};

export type NextNotificationState =
  | { status: 'delivered'; disablesWebhook: false }
  | { status: 'pending'; nextAttemptAt: Date; disablesWebhook: false }
  | { status: 'failed'; disablesWebhook: boolean };

/** Returns whether the response is complete with a 2xx status; a redirect is a failure. */
export function isDelivered(outcome: Pick<AttemptOutcome, 'status' | 'error'>): boolean {
  return outcome.error === null && outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
}

/**
 * Returns the state after an attempt. `attemptCount` includes that attempt; `random` is from 0 to 1 and adds
 * jitter. Status 410 ends the delivery and disables a webhook. With `noRetry` there is no second attempt and
 * no effect on the webhook.
 */
export function getNextState(
  outcome: AttemptOutcome,
  options: {
    kind: NotificationKind;
    attemptCount: number;
    noRetry?: boolean;
    now: Date;
    random: number;
  },
): NextNotificationState {
  if (isDelivered(outcome)) return { status: 'delivered', disablesWebhook: false };
  if (options.noRetry) return { status: 'failed', disablesWebhook: false };
  if (outcome.status === goneStatus) return { status: 'failed', disablesWebhook: options.kind === 'webhook' };
  const waitMs = retryWaitsMs[options.attemptCount - 1];
  if (waitMs === undefined) return { status: 'failed', disablesWebhook: false };
  const wait = { waitMs, requestedMs: outcome.retryAfterMs, requestedMsMax: retryAfterMsMax };
  const nextAttemptAt = getRetryTime(wait, options);
  return { status: 'pending', nextAttemptAt, disablesWebhook: false };
}

/**
 * Parses `Retry-After`, in seconds or as an HTTP date (RFC 9110, 10.2.3). Returns milliseconds from `now`, or
 * null if the header is invalid.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * secondMs;
  const time = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, time - now.getTime());
}
