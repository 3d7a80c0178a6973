import { Gauge, type Registry } from 'prom-client';
import { attemptResults, measureBacklog } from '../domain/operations/check/measure-backlog.ts';
import { measureJobs } from '../domain/operations/check/measure-jobs.ts';
import type { Service } from '../domain/platform/service.ts';
import { isUnavailable } from '../kit/unavailable.ts';
import { timedOut, withTimeout } from '../kit/with-timeout.ts';
import { measureMessages } from '../message/measure-messages.ts';
import { paymentReferenceCooldownDays } from '../method/payment-reference.ts';

/** The time after which a database that does not respond is reported as down. */
const databaseTimeoutMs = 5_000;

/**
 * Registers gauges of backlogs and deliveries. `update` sets them from the database, so all processes report the same.
 */
export function createBacklogGauges(registry: Registry): {
  update: (service: Service, now: Date) => Promise<void>;
} {
  const registers = [registry];
  const up = new Gauge({
    name: 'causeway_database_up',
    help: '1 if the database responds, otherwise 0',
    registers,
  });
  const gauges = new Map(
    Object.entries(helpTexts).map(([name, help]) => [
      name,
      new Gauge({ name: `causeway_${name}`, help, registers }),
    ]),
  );
  const attempts = new Gauge({
    name: 'causeway_notification_attempts_last_minute',
    help: 'Delivery attempts in the last minute, by response status class; `none` if there was no response',
    labelNames: ['result'],
    registers,
  });
  const update = async (service: Service, now: Date): Promise<void> => {
    const measurement = await measureWithTimeout(service, now);
    up.set(measurement ? 1 : 0);
    for (const [name, gauge] of gauges) gauge.set(measurement?.values[name as BacklogMetric] ?? Number.NaN);
    for (const result of attemptResults)
      attempts.set({ result }, measurement?.attempts[result] ?? Number.NaN);
  };
  return { update };
}

const helpTexts = {
  events_unrelayed: 'Events whose notifications have not been created yet',
  oldest_unrelayed_event_seconds: 'Age of the oldest event whose notifications have not been created yet',
  notifications_pending: 'Notifications not yet delivered',
  notifications_due: 'Pending notifications whose next attempt is due',
  oldest_undelivered_notification_seconds: 'Age of the oldest notification not yet delivered',
  oldest_due_notification_seconds: 'How long the most overdue attempt has been due',
  webhooks_failing: 'Webhooks whose deliveries are currently failing',
  webhooks_disabled: 'Webhooks that are disabled',
  receiving_accounts_low_on_references: `Receiving accounts that have used half of their payment references in the last ${paymentReferenceCooldownDays} days`,
  job_lag_seconds: 'How long the most overdue job has been waiting for a worker',
  messages_pending: 'Email and SMS messages not yet sent',
  oldest_due_message_seconds: 'How long the most overdue email or SMS message has been waiting',
  messages_failed: 'Email and SMS messages that failed within the last day',
};
type BacklogMetric = keyof typeof helpTexts;

type BacklogMeasurement = {
  values: Record<BacklogMetric, number | undefined>;
  attempts: Awaited<ReturnType<typeof measureBacklog>>['attempts'];
};

/** Returns undefined while the database is down, so that the metrics of the process remain available. */
async function measureWithTimeout(service: Service, now: Date): Promise<BacklogMeasurement | undefined> {
  const pending = measureAll(service, now).catch((error) => {
    if (isUnavailable(error)) return undefined;
    throw error;
  });
  const result = await withTimeout(databaseTimeoutMs, pending);
  return result === timedOut ? undefined : result;
}

async function measureAll(service: Service, now: Date): Promise<BacklogMeasurement> {
  const backlog = await measureBacklog(service, now);
  const messages = await measureMessages(service, now);
  return {
    values: {
      events_unrelayed: backlog.eventsUnrelayed,
      oldest_unrelayed_event_seconds: backlog.oldestUnrelayedSeconds,
      notifications_pending: backlog.notificationsPending,
      notifications_due: backlog.notificationsDue,
      oldest_undelivered_notification_seconds: backlog.oldestUndeliveredSeconds,
      oldest_due_notification_seconds: backlog.oldestDueSeconds,
      webhooks_failing: backlog.webhooksFailing,
      webhooks_disabled: backlog.webhooksDisabled,
      receiving_accounts_low_on_references: backlog.accountsLowOnReferences,
      job_lag_seconds: (await measureJobs(service, now))?.lagSeconds,
      messages_pending: messages.pending,
      oldest_due_message_seconds: messages.oldestDueSeconds,
      messages_failed: messages.failed,
    },
    attempts: backlog.attempts,
  };
}
