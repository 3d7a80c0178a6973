import { pluralize } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatSize } from '../../format/size.ts';
import type { Health } from './health-query.ts';

export const queueLabels: Record<Health['queues'][number]['name'], string> = {
  jobs: 'Job runs',
  events: 'Events',
  notifications: 'Webhook notifications',
  messages: 'Email and SMS',
  feed_deliveries: 'Bank feed deliveries',
  statements: 'Statement imports',
  exports: 'Exports',
};

/** Workers take up due work within seconds. */
const delaySecondsMax = 60;
const freeShareMin = 0.1;
const connectionShareMax = 0.8;

/** Returns what an operator should look into, each with the next step. */
export function findProblems(health: Health): string[] {
  const { queues, workerCount, mail, feeds, webhooks, database, disk } = health;
  const delayed = queues.filter(({ delaySeconds }) => (delaySeconds ?? 0) > delaySecondsMax);
  return [
    workerCount === 0 && 'No worker is running. Start a process with ROLE=worker or ROLE=all.',
    ...delayed.map(
      ({ name, delaySeconds }) =>
        `${queueLabels[name]} have been waiting for ${formatDuration(delaySeconds ?? 0)}. Check that the workers run, or add one.`,
    ),
    disk !== null &&
      disk.freeBytes < disk.totalBytes * freeShareMin &&
      `The disk has only ${formatSize(disk.freeBytes)} left. PostgreSQL stops when it is full.`,
    database.connectionCount > database.connectionMax * connectionShareMax &&
      `${database.connectionCount} of ${database.connectionMax} database connections are in use. Increase max_connections, or use a connection pooler.`,
    !mail.hasMailServer && 'No mail server is configured, so no email is sent. Set SMTP_URL.',
    mail.failedCount > 0 &&
      `${pluralize(mail.failedCount, 'message')} could not be sent in the last 24 hours. See the log of the workers.`,
    feeds.failingCount > 0 &&
      `${pluralize(feeds.failingCount, 'bank feed')} failing. The merchants have been notified.`,
    feeds.lateCount > 0 &&
      `${pluralize(feeds.lateCount, 'bank feed')} silent for longer than usual. The merchants have been notified.`,
    webhooks.failingCount > 0 &&
      `${pluralize(webhooks.failingCount, 'webhook')} failing. The merchants have been notified.`,
  ].filter((problem) => problem !== false);
}
