import { dayMs, hourMs } from '../kit/duration.ts';
import { newId } from '../kit/id.ts';
import { insertNewRows } from '../kit/insert-rows.ts';
import { createSql } from '../kit/sql.ts';
import type { Queryable } from '../kit/with-client.ts';
import type { DeliveryAttempt } from './attempt-notification.ts';

/** The number of consecutive failures that alerts the merchant. */
const alertAfterFailures = 4;
/** A webhook is disabled if attempts have failed for this long without a success in between. */
const disableAfterMs = 5 * dayMs;

/** Why a webhook was disabled: by a person, by a 410 response, or by failures. These values are stored. */
export type WebhookDisabledReason = 'manual' | 'endpoint_gone' | 'delivery_failures';

const disabledReasonTexts: Record<Exclude<WebhookDisabledReason, 'manual'>, string> = {
  endpoint_gone: 'The endpoint responded with 410 Gone',
  delivery_failures: 'All deliveries failed for 5 days',
};

type EndpointHealth = {
  consecutiveFailures: number;
  failingSince: Date | null;
  /** When the merchant was alerted; null after a recovery, and while an alert of the same hour suppresses the next. */
  failureAlertedAt: Date | null;
  disabledAt: Date | null;
  disabledReason: WebhookDisabledReason | null;
};

export const endpointAlertKinds = [
  'endpoint_failing',
  'delivery_failed',
  'webhook_disabled',
  'endpoint_recovered',
] as const;
export type EndpointAlertKind = (typeof endpointAlertKinds)[number];

/**
 * An alert to the merchant. `dedupeKey` names the kind, queue and period, and limits alerts to one per
 * period.
 */
export type AlertDraft = {
  kind: EndpointAlertKind;
  detail: string;
  dedupeKey: string;
  attempt: DeliveryAttempt;
};

/**
 * Computes a webhook's health after these attempts, in the order in which they ended, and its alerts: at the
 * fourth consecutive failure, when a delivery fails permanently, when the webhook is disabled, and when
 * it recovers.
 */
function computeWebhookHealth(previous: EndpointHealth, attempts: readonly DeliveryAttempt[]) {
  const health = { ...previous };
  const alerts: AlertDraft[] = [];
  for (const attempt of attempts.toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime())) {
    if (health.disabledAt) break;
    const { endedAt, next } = attempt;
    if (next.status === 'delivered') {
      if (health.failureAlertedAt) alerts.push(draftRecoveredAlert(attempt));
      Object.assign(health, { consecutiveFailures: 0, failingSince: null, failureAlertedAt: null });
      continue;
    }
    health.consecutiveFailures++;
    health.failingSince ??= attempt.startedAt;
    if (health.consecutiveFailures >= alertAfterFailures && !health.failureAlertedAt) {
      health.failureAlertedAt = endedAt;
      alerts.push(draftAlert(attempt, 'endpoint_failing', hourMs));
    }
    const reason = getDisableReason(attempt, health.failingSince);
    if (reason !== null) {
      Object.assign(health, { disabledAt: endedAt, disabledReason: reason });
      alerts.push(draftAlert(attempt, 'webhook_disabled', 1, disabledReasonTexts[reason]));
    } else if (next.status === 'failed') {
      alerts.push(draftAlert(attempt, 'delivery_failed', dayMs));
    }
  }
  return { health, alerts };
}

/**
 * Drafts alerts for a callback, which has no health record. A merchant gets at most one alert of a kind per hour for
 * each host, or per day for permanent failures.
 */
export function draftCallbackAlerts(attempt: DeliveryAttempt): AlertDraft[] {
  const { claim, next } = attempt;
  const previousFailures = claim.attemptCount - claim.attemptCountAtReset;
  if (next.status === 'delivered')
    return previousFailures < alertAfterFailures ? [] : [draftRecoveredAlert(attempt)];
  if (next.status === 'failed') return [draftAlert(attempt, 'delivery_failed', dayMs)];
  if (previousFailures + 1 !== alertAfterFailures) return [];
  return [draftAlert(attempt, 'endpoint_failing', hourMs)];
}

function getDisableReason(
  { endedAt, next }: DeliveryAttempt,
  failingSince: Date,
): keyof typeof disabledReasonTexts | null {
  if (next.status === 'failed' && next.disablesWebhook) return 'endpoint_gone';
  if (endedAt.getTime() - failingSince.getTime() < disableAfterMs) return null;
  return 'delivery_failures';
}

function draftRecoveredAlert(attempt: DeliveryAttempt): AlertDraft {
  return draftAlert(attempt, 'endpoint_recovered', hourMs, 'Deliveries are succeeding again');
}

function draftAlert(
  attempt: DeliveryAttempt,
  kind: EndpointAlertKind,
  periodMs: number,
  detail = attempt.result?.error ?? `the endpoint responded with ${attempt.result?.status}`,
): AlertDraft {
  const period = Math.floor(attempt.endedAt.getTime() / periodMs) * periodMs;
  const dedupeKey = `${kind} ${attempt.claim.queueKey} ${new Date(period).toISOString()}`;
  return { kind, detail, dedupeKey, attempt };
}

/**
 * Records the health of the webhooks and their alerts, in the transaction of the attempts. Returns the new
 * alerts.
 */
export async function updateEndpointHealth(
  tx: Queryable,
  attempts: readonly DeliveryAttempt[],
): Promise<AlertDraft[]> {
  const byWebhook = Map.groupBy(attempts, ({ claim }) => claim.webhook?.id);
  const callbackAlerts = (byWebhook.get(undefined) ?? []).flatMap(draftCallbackAlerts);
  // Webhooks are locked in ID order everywhere, to prevent deadlocks.
  const { rows } = await tx.query<EndpointHealth & { id: string }>(
    `SELECT id, consecutive_failures AS "consecutiveFailures", failing_since AS "failingSince",
       failure_alerted_at AS "failureAlertedAt", disabled_at AS "disabledAt", disabled_reason AS "disabledReason"
     FROM webhook WHERE id = ANY ($1) ORDER BY id FOR UPDATE`,
    [[...byWebhook.keys()].filter((id) => id !== undefined)],
  );
  const updates = rows.map((row) => ({ id: row.id, ...computeWebhookHealth(row, byWebhook.get(row.id)!) }));
  const webhookAlerts = updates.flatMap(({ alerts }) => alerts);
  const newAlerts = await insertAlerts(tx, [...callbackAlerts, ...webhookAlerts]);
  const updatedHealth = updates.map(({ id, health, alerts }) => {
    const failingAlert = alerts.findLast(({ kind }) => kind === 'endpoint_failing');
    // After a suppressed alert, the first failure of the next hour alerts the merchant.
    const isSuppressed = failingAlert !== undefined && !newAlerts.includes(failingAlert);
    return { ...health, id, ...(isSuppressed && { failureAlertedAt: null }) };
  });
  await tx.query(healthSql, [JSON.stringify(updatedHealth)]);
  return newAlerts;
}

const healthSql = `
  UPDATE webhook SET consecutive_failures = "consecutiveFailures", failing_since = "failingSince",
    failure_alerted_at = "failureAlertedAt", disabled_at = "disabledAt", disabled_reason = "disabledReason",
    updated_at = CASE WHEN disabled_at IS NULL THEN coalesce("disabledAt", updated_at) ELSE updated_at END
  FROM json_to_recordset($1) AS health (id text, "consecutiveFailures" int, "failingSince" timestamptz,
    "failureAlertedAt" timestamptz, "disabledAt" timestamptz, "disabledReason" text)
  WHERE webhook.id = health.id`;

async function insertAlerts(tx: Queryable, drafts: readonly AlertDraft[]): Promise<AlertDraft[]> {
  const rows = drafts.map(({ kind, detail, dedupeKey, attempt: { claim, endedAt } }) => ({
    id: newId('alert', endedAt),
    merchantId: claim.merchantId,
    mode: claim.mode,
    kind,
    webhookId: claim.webhook?.id,
    notificationId: claim.id,
    url: claim.url,
    detail,
    dedupeKey,
    createdAt: endedAt,
  }));
  const ids = new Set(await insertNewRows(createSql(tx), 'alert', rows));
  return drafts.filter((_, i) => ids.has(rows[i]!.id));
}
