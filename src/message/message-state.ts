import type { MessageAudience, MessageStatus, Mode } from '../../prisma/client/client.ts';
import { hourMs, minuteMs, secondMs } from '../kit/duration.ts';
import { getRetryTime } from '../kit/retry-at.ts';

/** The waits after failed attempts; 46.4 hours in total. */
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

/** The longest wait that a server can request. */
const retryAfterMsMax = 24 * hourMs;

/** The result of one attempt to hand a message to a server. */
export type SendResult =
  | { isSent: true }
  | {
      isSent: false;
      /** A short reason without any message content. */
      error: string;
      /** Whether the server rejected the message permanently. */
      isPermanent: boolean;
      /** The delay that the server requested; null if none. */
      retryAfterMs: number | null;
    };

/** The next state of a pending message. All but `pending` are final. */
export type MessageNextState =
  | { status: 'sent' | 'captured' }
  | { status: 'failed'; error: string }
  | { status: 'pending'; error: string; nextAttemptAt: Date };

/**
 * Returns the initial status. Sandbox messages to customers are captured and not sent, because test addresses
 * may belong to real people. The merchant's team receives sandbox messages.
 */
export function getInitialStatus(message: { audience: MessageAudience; mode: Mode | null }): MessageStatus {
  return message.audience === 'customer' && message.mode === 'sandbox' ? 'captured' : 'pending';
}

/**
 * Returns the state after an attempt. `attemptCount` includes that attempt; `random` is from 0 to 1 and adds
 * jitter.
 */
export function getNextState(
  result: SendResult,
  options: { attemptCount: number; expiresAt: Date | null; now: Date; random: number },
): MessageNextState {
  if (result.isSent) return { status: 'sent' };
  const { error } = result;
  const waitMs = retryWaitsMs[options.attemptCount - 1];
  if (result.isPermanent || waitMs === undefined) return { status: 'failed', error };
  const wait = { waitMs, requestedMs: result.retryAfterMs, requestedMsMax: retryAfterMsMax };
  const nextAttemptAt = getRetryTime(wait, options);
  if (options.expiresAt && nextAttemptAt >= options.expiresAt) return { status: 'failed', error };
  return { status: 'pending', error, nextAttemptAt };
}
