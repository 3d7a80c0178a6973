import { dayMs, hourMs } from '../kit/duration.ts';
import type { Attempt } from './attempt.ts';
import { isDelivered } from './notification-state.ts';

/** The merchant is told at so many failures in a row. */
const failuresTold = 4;
/** A webhook with nothing but failures for so long is switched off. */
const switchOffAfterMs = 5 * dayMs;

/** How a webhook has been doing. */
export type Health = {
  failuresInRow: number;
  failingSince: Date | null;
  /** When the merchant was told; null once it works again. */
  failingToldAt: Date | null;
  disabledAt: Date | null;
  disabledReason: string | null;
};

export const endpointAlertKinds = [
  'endpoint_failing',
  'delivery_failed',
  'webhook_disabled',
  'endpoint_recovered',
] as const;
export type EndpointAlertKind = (typeof endpointAlertKinds)[number];

/** What the merchant is told. Of a kind and endpoint, one in the time that the key names. */
export type AlertDraft = { kind: EndpointAlertKind; detail: string; dedupeKey: string; attempt: Attempt };

/**
 * How a webhook does after these attempts, in the order of their ends, and what the merchant is told: at the fourth
 * failure in a row, when a delivery is given up, when the webhook is switched off, when it works again.
 */
export function judgeWebhook(
  before: Health,
  attempts: readonly Attempt[],
): { health: Health; alerts: AlertDraft[] } {
  const health = { ...before };
  const alerts: AlertDraft[] = [];
  for (const attempt of attempts.toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime())) {
    if (health.disabledAt) break;
    const alert = (kind: EndpointAlertKind, detail: string, periodMs: number) =>
      alerts.push(draftAlert(attempt, { kind, detail, periodMs }));
    if (isDelivered(attempt.result)) {
      if (health.failingToldAt) alert('endpoint_recovered', 'It works again', hourMs);
      Object.assign(health, { failuresInRow: 0, failingSince: null, failingToldAt: null });
      continue;
    }
    const { endedAt, next } = attempt;
    health.failuresInRow++;
    health.failingSince ??= attempt.startedAt;
    if (health.failuresInRow >= failuresTold && !health.failingToldAt) {
      health.failingToldAt = endedAt;
      alert('endpoint_failing', describeFailure(attempt), hourMs);
    }
    const reason = reasonToSwitchOff(attempt, health.failingSince);
    if (reason !== null) {
      Object.assign(health, { disabledAt: endedAt, disabledReason: reason });
      alert('webhook_disabled', reason, 1);
    } else if (next.status === 'failed') {
      alert('delivery_failed', describeFailure(attempt), dayMs);
    }
  }
  return { health, alerts };
}

/** Callbacks are judged per delivery; the merchant is told once an hour, or day, for each of its hosts. */
export function judgeCallback(attempt: Attempt): AlertDraft[] {
  const { claim, next } = attempt;
  const failedBefore = claim.attemptsMade - claim.attemptsBefore;
  if (isDelivered(attempt.result)) {
    if (failedBefore < failuresTold) return [];
    return [draftAlert(attempt, { kind: 'endpoint_recovered', detail: 'It works again', periodMs: hourMs })];
  }
  const detail = describeFailure(attempt);
  if (next.status === 'failed') {
    return [draftAlert(attempt, { kind: 'delivery_failed', detail, periodMs: dayMs })];
  }
  if (failedBefore + 1 !== failuresTold) return [];
  return [draftAlert(attempt, { kind: 'endpoint_failing', detail, periodMs: hourMs })];
}

function reasonToSwitchOff({ endedAt, next }: Attempt, failingSince: Date): string | null {
  if (next.status === 'failed' && next.switchWebhookOff) return 'The address answered 410 Gone';
  if (endedAt.getTime() - failingSince.getTime() < switchOffAfterMs) return null;
  return 'Nothing but failures for 5 days';
}

function describeFailure({ result: { error, status } }: Attempt): string {
  return error ?? `the address answered ${status}`;
}

function draftAlert(
  attempt: Attempt,
  { kind, detail, periodMs }: { kind: EndpointAlertKind; detail: string; periodMs: number },
): AlertDraft {
  const period = Math.floor(attempt.endedAt.getTime() / periodMs) * periodMs;
  const dedupeKey = `${kind} ${attempt.claim.lane} ${new Date(period).toISOString()}`;
  return { kind, detail, dedupeKey, attempt };
}
