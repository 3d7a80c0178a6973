import { statfs } from 'node:fs/promises';
import type { BankFeedStatus } from '../../../../prisma/client/client.ts';
import { listenerApplicationName } from '../../../kit/application-names.ts';
import type { Db } from '../../../kit/db.ts';
import { isOfRunningMerchantSql } from '../../../kit/running-merchants.ts';
import { measureMessages } from '../../../message/measure-messages.ts';
import type { Service } from '../../platform/service.ts';
import { measureBacklog } from '../check/measure-backlog.ts';
import { measureJobs } from '../check/measure-jobs.ts';

export const queueNames = [
  'jobs',
  'events',
  'notifications',
  'messages',
  'feed_deliveries',
  'statements',
  'exports',
] as const;

/** Work that waits for a worker. */
export type QueueHealth = {
  name: (typeof queueNames)[number];
  /** Null if it is unknown. */
  waitingCount: number | null;
  /** How long the most overdue item has been waiting; null if it is unknown. */
  delaySeconds: number | null;
};

export type DatabaseHealth = {
  version: string;
  sizeBytes: number;
  connectionCount: number;
  maxConnectionCount: number;
  /** Processes that serve requests or run jobs: each has one connection that listens. */
  processCount: number;
};

export type MailHealth = {
  hasMailServer: boolean;
  hasSmsGateway: boolean;
  waitingCount: number;
  failedCount: number;
};

export type DiskHealth = { freeBytes: number; totalBytes: number };

/** The state of the installation, without any data of merchants. */
export type InstallationState = {
  measuredAt: Date;
  database: DatabaseHealth;
  /** The number of active workers; null if the jobs are stored in MongoDB, or no worker has ever started. */
  workerCount: number | null;
  queues: QueueHealth[];
  mail: MailHealth;
  feeds: Record<BankFeedStatus, number>;
  webhooks: { failingCount: number; disabledCount: number };
  /** Null if the database is on another server, whose disk this process cannot measure. */
  disk: DiskHealth | null;
};

export async function readHealth(service: Service, now: Date): Promise<InstallationState> {
  const { smtpUrl, smsUrl, dataDir } = service.settings;
  const [backlog, messages, jobs] = await Promise.all([
    measureBacklog(service, now),
    measureMessages(service, now),
    measureJobs(service, now),
  ]);
  return {
    measuredAt: now,
    database: await measureDatabase(service),
    workerCount: jobs?.workerCount ?? null,
    queues: [
      { name: 'jobs', waitingCount: jobs?.dueCount ?? null, delaySeconds: jobs?.lagSeconds ?? null },
      {
        name: 'events',
        waitingCount: backlog.eventsUnrelayed,
        delaySeconds: backlog.oldestUnrelayedSeconds,
      },
      {
        name: 'notifications',
        waitingCount: backlog.notificationsDue,
        delaySeconds: backlog.oldestDueSeconds,
      },
      { name: 'messages', waitingCount: messages.due, delaySeconds: messages.oldestDueSeconds },
      ...(await measureFileQueues(service, now)),
    ],
    mail: {
      hasMailServer: smtpUrl !== undefined,
      hasSmsGateway: smsUrl !== undefined,
      waitingCount: messages.pending,
      failedCount: messages.failed,
    },
    feeds: await countFeeds(service),
    webhooks: { failingCount: backlog.webhooksFailing, disabledCount: backlog.webhooksDisabled },
    disk: dataDir === undefined ? null : await measureDisk(dataDir),
  };
}

async function measureDatabase({ pool }: Pick<Db, 'pool'>): Promise<DatabaseHealth> {
  const { rows } = await pool.query<{ [Name in keyof DatabaseHealth]: string }>(
    `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS "sizeBytes",
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS "connectionCount",
       current_setting('max_connections') AS "maxConnectionCount",
       (SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()) AS "processCount"`,
    [listenerApplicationName],
  );
  const row = rows[0]!;
  return {
    version: row.version,
    sizeBytes: Number(row.sizeBytes),
    connectionCount: Number(row.connectionCount),
    maxConnectionCount: Number(row.maxConnectionCount),
    processCount: Number(row.processCount),
  };
}

/**
 * Statements and exports that are being processed are not counted, because their lease is active. Nor is work that no
 * worker may do, such as that of a paused feed.
 */
async function measureFileQueues({ pool }: Pick<Db, 'pool'>, now: Date): Promise<QueueHealth[]> {
  const age = (since: string) => `extract(epoch FROM $1::timestamptz - min(${since}))`;
  const isClaimable = `(leased_until IS NULL OR leased_until <= $1) AND ${isOfRunningMerchantSql}`;
  const { rows } = await pool.query<{ name: QueueHealth['name']; count: number; seconds: string | null }>(
    `SELECT 'feed_deliveries' AS name, count(*)::int, ${age('next_attempt_at')} AS seconds FROM feed_delivery
       WHERE status = 'received' AND next_attempt_at <= $1 AND ${isOfRunningMerchantSql}
         AND feed_id NOT IN (SELECT id FROM bank_feed WHERE status = 'paused' OR deleted_at IS NOT NULL)
     UNION ALL SELECT 'statements', count(*)::int, ${age('created_at')} FROM statement
       WHERE status IN ('queued', 'running', 'undoing') AND ${isClaimable}
     UNION ALL SELECT 'exports', count(*)::int, ${age('created_at')} FROM export
       WHERE status IN ('queued', 'running') AND ${isClaimable}`,
    [now],
  );
  return rows.map(({ name, count, seconds }) => ({
    name,
    waitingCount: count,
    delaySeconds: Math.max(0, Number(seconds ?? 0)),
  }));
}

async function countFeeds({ prisma }: Pick<Db, 'prisma'>): Promise<Record<BankFeedStatus, number>> {
  const groups = await prisma.bankFeed.groupBy({
    by: ['status'],
    where: { deletedAt: null, mode: 'live', merchant: { moveStatus: null } },
    _count: true,
  });
  const counts = new Map(groups.map(({ status, _count }) => [status, _count]));
  const count = (status: BankFeedStatus) => counts.get(status) ?? 0;
  return {
    new: count('new'),
    connected: count('connected'),
    late: count('late'),
    failing: count('failing'),
    paused: count('paused'),
  };
}

async function measureDisk(folder: string): Promise<DiskHealth> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
