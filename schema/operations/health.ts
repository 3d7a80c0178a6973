import type { BankFeedStatus } from '../../prisma/client/client.ts';
import {
  type DatabaseHealth,
  type DiskHealth,
  type InstallationState,
  type MailHealth,
  type QueueHealth,
  type queueNames,
  readHealth,
} from '../../src/domain/operations/health/read-health.ts';
import { builder } from '../kit/builder.ts';

const DatabaseHealthType = builder.objectRef<DatabaseHealth>('DatabaseHealth').implement({
  description: 'The state of the database.',
  fields: (t) => ({
    version: t.exposeString('version', { description: 'The version of PostgreSQL.' }),
    sizeBytes: t.exposeFloat('sizeBytes', { description: 'The size of the database on its disk, in bytes.' }),
    connectionCount: t.exposeInt('connectionCount', {
      description: 'The number of open connections to the database server.',
    }),
    maxConnectionCount: t.exposeInt('maxConnectionCount', {
      description: 'The number of connections that the database server accepts.',
    }),
    processCount: t.exposeInt('processCount', {
      description: 'The number of API processes and workers that are connected to the database.',
    }),
  }),
});

const QueueName = builder.enumType('QueueName', {
  description: 'A queue that background workers process. More values may be added.',
  values: {
    jobs: { description: 'Runs of background jobs.' },
    events: { description: 'Events whose notifications have not been created yet.' },
    notifications: { description: 'Notifications to webhooks and callback URLs.' },
    messages: { description: 'Emails, SMS and chat messages.' },
    feed_deliveries: { description: 'Deliveries of bank feeds whose transfers are not recorded yet.' },
    statements: { description: 'Statement files to import or to undo.' },
    exports: { description: 'Exports that are not complete.' },
  } satisfies Record<(typeof queueNames)[number], object>,
});

const QueueHealthType = builder.objectRef<QueueHealth>('QueueHealth').implement({
  description: 'The number of items that wait in a queue, and for how long.',
  fields: (t) => ({
    name: t.expose('name', { type: QueueName, description: 'The name of the queue.' }),
    waitingCount: t.exposeInt('waitingCount', {
      nullable: true,
      description: 'The number of items that are due and wait for a worker. Null if it is unknown.',
    }),
    delaySeconds: t.exposeFloat('delaySeconds', {
      nullable: true,
      description:
        'The time for which the most overdue item has been waiting, in seconds. It is 0 if no item is due, and null if it is unknown.',
    }),
  }),
});

const MailHealthType = builder.objectRef<MailHealth>('MailHealth').implement({
  description: 'The state of outgoing email and SMS messages.',
  fields: (t) => ({
    hasMailServer: t.exposeBoolean('hasMailServer', {
      description: 'Whether a mail server is configured. Otherwise, emails are captured and not sent.',
    }),
    hasSmsGateway: t.exposeBoolean('hasSmsGateway', {
      description: 'Whether an SMS gateway is configured. Otherwise, SMS messages are captured and not sent.',
    }),
    waitingCount: t.exposeInt('waitingCount', {
      description: 'The number of messages that are not sent yet, including those that wait for a retry.',
    }),
    failedCount: t.exposeInt('failedCount', {
      description: 'The number of messages that failed in the last 24 hours.',
    }),
  }),
});

const feedCounts: Record<BankFeedStatus, string> = {
  new: 'The number of bank feeds without an accepted delivery.',
  connected: 'The number of bank feeds whose deliveries arrive and are recorded.',
  late: 'The number of bank feeds that have been silent for longer than usual or than configured.',
  failing: 'The number of bank feeds whose deliveries are rejected or cannot be recorded.',
  paused: 'The number of bank feeds that merchants paused.',
};

const FeedHealth = builder.objectRef<InstallationState['feeds']>('FeedHealth').implement({
  description: 'The number of bank feeds in live mode, by status.',
  fields: (t) => ({
    newCount: t.exposeInt('new', { description: feedCounts.new }),
    connectedCount: t.exposeInt('connected', { description: feedCounts.connected }),
    lateCount: t.exposeInt('late', { description: feedCounts.late }),
    failingCount: t.exposeInt('failing', { description: feedCounts.failing }),
    pausedCount: t.exposeInt('paused', { description: feedCounts.paused }),
  }),
});

const WebhookHealth = builder.objectRef<InstallationState['webhooks']>('WebhookHealth').implement({
  description: 'The number of webhooks with problems, in both modes.',
  fields: (t) => ({
    failingCount: t.exposeInt('failingCount', {
      description: 'The number of enabled webhooks whose deliveries are failing.',
    }),
    disabledCount: t.exposeInt('disabledCount', { description: 'The number of disabled webhooks.' }),
  }),
});

const DiskHealthType = builder.objectRef<DiskHealth>('DiskHealth').implement({
  description: 'The space on the disk of the embedded database.',
  fields: (t) => ({
    freeBytes: t.exposeFloat('freeBytes', { description: 'The free space, in bytes.' }),
    totalBytes: t.exposeFloat('totalBytes', { description: 'The total space, in bytes.' }),
  }),
});

const InstallationHealth = builder.objectRef<InstallationState>('InstallationHealth').implement({
  description: 'The state of this installation. It contains no data of merchants.',
  fields: (t) => ({
    measuredAt: t.expose('measuredAt', {
      type: 'DateTime',
      description: 'The time at which the values were measured.',
    }),
    database: t.expose('database', {
      type: DatabaseHealthType,
      description: 'The state of the database.',
    }),
    workerCount: t.exposeInt('workerCount', {
      nullable: true,
      description:
        'The number of workers that were active in the last 15 seconds. Null if the jobs are stored in MongoDB, or no worker has ever started.',
    }),
    queues: t.expose('queues', { type: [QueueHealthType], description: 'The queues of the workers.' }),
    mail: t.expose('mail', {
      type: MailHealthType,
      description: 'The state of outgoing email and SMS messages.',
    }),
    feeds: t.expose('feeds', { type: FeedHealth, description: 'The state of the bank feeds.' }),
    webhooks: t.expose('webhooks', { type: WebhookHealth, description: 'The state of the webhooks.' }),
    disk: t.expose('disk', {
      type: DiskHealthType,
      nullable: true,
      description:
        'The space on the disk of the embedded database. Null with `DATABASE_URL`, because the disk of another server cannot be measured.',
    }),
  }),
});

builder.queryField('installationHealth', (t) =>
  t.field({
    type: InstallationHealth,
    nullable: true,
    skipTypeScopes: true,
    authScopes: { operator: true },
    description: 'Returns the state of this installation. Requires an operator.',
    resolve: (_root, _args, { service, clock }) => readHealth(service, clock.now()),
  }),
);
