import { fillText } from '../../../language/fill-text.ts';
import { pluralize } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatSize } from '../../format/size.ts';
import { t } from '../../language/texts.ts';
import type { Health } from './health-query.ts';

export const queueLabels: Record<Health['queues'][number]['name'], string> = {
  jobs: t.operator.jobRuns,
  events: t.operator.events,
  notifications: t.operator.webhookNotifications,
  messages: t.operator.emailAndSms,
  feed_deliveries: t.operator.bankFeedDeliveries,
  statements: t.operator.statementImports,
  exports: t.common.exports,
};

/** Workers usually start due work within seconds. */
const delaySecondsMax = 60;
const freeShareMin = 0.1;
const connectionShareMax = 0.8;

/** Each text names a problem and the next step for the operator. */
export function findProblems(health: Health): string[] {
  const { queues, workerCount, mail, feeds, webhooks, database, disk } = health;
  const delayed = queues.filter(({ delaySeconds }) => (delaySeconds ?? 0) > delaySecondsMax);
  return [
    workerCount === 0 && t.operator.noWorkerIsRunning,
    ...delayed.map(({ name, delaySeconds }) =>
      fillText(t.operator.haveBeenWaitingFor, {
        queue: queueLabels[name],
        duration: formatDuration(delaySeconds ?? 0),
      }),
    ),
    disk !== null &&
      disk.freeBytes < disk.totalBytes * freeShareMin &&
      fillText(t.operator.theDiskHasOnly, { freeBytes: formatSize(disk.freeBytes) }),
    database.connectionCount > database.maxConnectionCount * connectionShareMax &&
      fillText(t.operator.ofDatabaseConnectionsAre, {
        connectionCount: database.connectionCount,
        maxConnectionCount: database.maxConnectionCount,
      }),
    !mail.hasMailServer && t.operator.noMailServerIs,
    mail.failedCount > 0 && pluralize(mail.failedCount, t.operator.messagesCouldNotBeSent),
    feeds.failingCount > 0 && pluralize(feeds.failingCount, t.operator.bankFeedsAreFailing),
    feeds.lateCount > 0 && pluralize(feeds.lateCount, t.operator.bankFeedsAreSilent),
    webhooks.failingCount > 0 && pluralize(webhooks.failingCount, t.operator.webhooksAreFailing),
  ].filter((problem) => problem !== false);
}
