import type { JobRepository } from 'agenda';
import type { MessageChannel } from '../../prisma/client/client.ts';
import { pruneAlerts } from '../domain/accounts/alert/prune-alerts.ts';
import { mailAlerts } from '../domain/accounts/notice/mail-alerts.ts';
import { queueNotices } from '../domain/accounts/notice/queue-notices.ts';
import { pruneNotifications } from '../domain/accounts/notification/prune-notifications.ts';
import { alertLowReferences } from '../domain/accounts/receiving-account/alert-low-references.ts';
import { pruneSignIns } from '../domain/accounts/user/prune-sign-ins.ts';
import { processResetRequests } from '../domain/accounts/user/reset-password.ts';
import { renewSubscriptions } from '../domain/billing/collection/renew-subscriptions.ts';
import { markLateFeeds } from '../domain/money-in/feed/mark-late-feeds.ts';
import { processDeliveries } from '../domain/money-in/feed/process-deliveries.ts';
import { pruneFeedDeliveries } from '../domain/money-in/feed/prune-feed-deliveries.ts';
import { expireCharges } from '../domain/payments/charge/expire-charges.ts';
import { foldChargeCounts } from '../domain/payments/charge-list/fold-charge-counts.ts';
import { pruneCheckoutSlots } from '../domain/payments/customer-page/checkout-slot.ts';
import { prunePhoneVerifications } from '../domain/payments/phone-verification/prune-phone-verifications.ts';
import { expireSessions } from '../domain/payments/session/expire-sessions.ts';
import { buildExports } from '../domain/payouts/export/build-exports.ts';
import { pruneExports } from '../domain/payouts/export/delete-exports.ts';
import { forEachClock } from '../domain/platform/clock/for-each-clock.ts';
import { refreshRates } from '../domain/platform/forex/refresh-rates.ts';
import { pruneIdempotencyKeys } from '../domain/platform/idempotency/prune-idempotency-keys.ts';
import type { Service } from '../domain/platform/service.ts';
import { pruneUploads } from '../domain/platform/upload/prune-uploads.ts';
import { pruneEvents } from '../event/prune-events.ts';
import { relayEvents } from '../event/relay-events.ts';
import type { Clock } from '../kit/clock.ts';
import { hourMs } from '../kit/duration.ts';
import type { WorkSlots } from '../kit/work-slots.ts';
import type { Messenger } from '../message/messenger.ts';
import { pruneMessages } from '../message/prune-messages.ts';
import { sendMessages } from '../message/send-messages.ts';
import type { Deliverer } from '../notification/start-deliverer.ts';
import { purgeJobs } from './purge-jobs.ts';

export type JobContext = {
  service: Service;
  clock: Clock;
  repository: JobRepository;
  /** One per process, because all deliveries share its limits and open connections. */
  deliverer: Deliverer;
  /** One per process, with its connections to the mail server and the SMS gateway. */
  messenger: Messenger;
  /** One per process, with its running imports. */
  importer: WorkSlots;
  /** The poller of this process, which keeps the running polls. */
  feedPoller: WorkSlots;
  /** Receives errors that do not end a run. */
  onError: (error: Error) => void;
  /** Starts a run of another job soon. */
  wake: (name: string) => void;
};

export type JobDefinition = {
  name: string;
  /** The interval in Agenda's syntax, as the job dashboard shows it. */
  every: string;
  /**
   * Whether the run continues after its work, and repeats the work at each wake and after `idleIntervalMs` (default:
   * one second).
   */
  keepAlive?: boolean;
  idleIntervalMs?: number;
  /**
   * Calls domain operations, which must be safe to repeat and to run concurrently. `signal` aborts at the time limit of
   * the run or when the worker stops. Work in batches then ends after the current batch, and the next run continues.
   */
  work: (context: JobContext, signal: AbortSignal) => Promise<unknown> | undefined;
};

/** The time for which failed one-off jobs are retained, so that operators can inspect them. */
const endedRetentionMs = hourMs;

export const serviceJobs: readonly JobDefinition[] = [
  { name: 'relay-events', every: '1 second', keepAlive: true, work: relay },
  { name: 'deliver-notifications', every: '1 second', keepAlive: true, work: deliver },
  // The channels have separate jobs, so that an unresponsive mail server or chat never delays codes sent by SMS.
  {
    name: 'send-mail',
    every: '1 second',
    keepAlive: true,
    idleIntervalMs: 5_000,
    work: createSendWork('email'),
  },
  {
    name: 'send-sms',
    every: '1 second',
    keepAlive: true,
    idleIntervalMs: 5_000,
    work: createSendWork('sms'),
  },
  {
    name: 'send-chat',
    every: '1 second',
    keepAlive: true,
    idleIntervalMs: 5_000,
    work: createSendWork('chat'),
  },
  {
    name: 'expire-charges',
    every: '5 seconds',
    work: ({ service, clock }, signal) =>
      forEachClock(service, clock.now(), async (time) => {
        await expireCharges(service, time, signal);
        await pruneCheckoutSlots(service, time, signal);
      }),
  },
  {
    name: 'fold-charge-counts',
    every: '10 seconds',
    work: ({ service }, signal) => foldChargeCounts(service, signal),
  },
  {
    name: 'expire-sessions',
    every: '30 seconds',
    work: ({ service, clock }, signal) =>
      forEachClock(service, clock.now(), (time) => expireSessions(service, time, signal)),
  },
  {
    name: 'renew-subscriptions',
    // With this interval, any idle worker continues a backlog that takes more than one run.
    every: '1 second',
    keepAlive: true,
    idleIntervalMs: 5_000,
    work: ({ service, clock }, signal) =>
      forEachClock(service, clock.now(), (time) => renewSubscriptions(service, time, signal)),
  },
  // Large files take longer than the time limit of a run, so the run only starts imports.
  { name: 'import-statements', every: '3 seconds', work: ({ importer }) => importer.startDue() },
  {
    name: 'process-feed-deliveries',
    every: '1 second',
    keepAlive: true,
    idleIntervalMs: 2_000,
    work: ({ service, clock, onError }, signal) =>
      processDeliveries(service, { now: clock.now(), signal, onError }),
  },
  // A poll may take longer than the time limit of a run, so the run only starts polls.
  { name: 'poll-feeds', every: '5 seconds', work: ({ feedPoller }) => feedPoller.startDue() },
  {
    name: 'mark-late-feeds',
    every: '1 minute',
    work: ({ service, clock }, signal) => markLateFeeds(service, { now: clock.now(), signal }),
  },
  {
    name: 'prune-feed-deliveries',
    every: '1 hour',
    work: ({ service, clock }, signal) => pruneFeedDeliveries(service, { now: clock.now(), signal }),
  },
  {
    name: 'prune-uploads',
    every: '1 hour',
    work: ({ service, clock }, signal) => pruneUploads(service, { now: clock.now(), signal }),
  },
  {
    name: 'refresh-rates',
    every: '1 hour',
    work: ({ service, clock }, signal) => refreshRates(service, { now: clock.now(), signal }),
  },
  {
    name: 'prune-idempotency-keys',
    every: '1 hour',
    work: ({ service, clock }, signal) => pruneIdempotencyKeys(service, { now: clock.now(), signal }),
  },
  {
    name: 'prune-phone-verifications',
    every: '1 hour',
    work: ({ service, clock }, signal) => prunePhoneVerifications(service, { now: clock.now(), signal }),
  },
  {
    name: 'prune-messages',
    every: '10 minutes',
    work: ({ service, clock }, signal) => pruneMessages(service, { now: clock.now(), signal }),
  },
  {
    name: 'prune-sign-ins',
    every: '1 hour',
    work: ({ service, clock }, signal) => pruneSignIns(service, { now: clock.now(), signal }),
  },
  {
    name: 'process-reset-requests',
    every: '5 seconds',
    work: ({ service, clock }, signal) => processResetRequests(service, { now: clock.now(), signal }),
  },
  {
    name: 'mail-alerts',
    every: '10 seconds',
    work: ({ service, clock }, signal) => mailAlerts(service, { now: clock.now(), signal }),
  },
  {
    name: 'queue-notices',
    every: '10 seconds',
    work: ({ service, clock }, signal) => queueNotices(service, { now: clock.now(), signal }),
  },
  {
    name: 'prune-notifications',
    every: '10 minutes',
    work: async ({ service, clock }, signal) => {
      await pruneNotifications(service, { now: clock.now(), signal });
      await pruneAlerts(service, { now: clock.now() });
    },
  },
  {
    name: 'alert-low-references',
    every: '1 hour',
    work: ({ service, clock }, signal) => alertLowReferences(service, { now: clock.now(), signal }),
  },
  {
    name: 'build-exports',
    every: '1 second',
    keepAlive: true,
    idleIntervalMs: 5_000,
    work: ({ service, clock }, signal) => buildExports(service, { clock, signal }),
  },
  {
    name: 'prune-exports',
    every: '1 hour',
    work: ({ service, clock }, signal) => pruneExports(service, { now: clock.now(), signal }),
  },
  {
    name: 'prune-events',
    every: '10 minutes',
    work: ({ service, clock }, signal) => pruneEvents(service, { now: clock.now(), signal }),
  },
  {
    name: 'purge-jobs',
    every: '1 hour',
    work: ({ repository, clock }) =>
      purgeJobs(repository, { before: new Date(clock.now().getTime() - endedRetentionMs) }),
  },
];

/** Relays events, and wakes the deliverer after each batch, so that deliveries do not wait for the last batch. */
function relay({ service, clock, wake }: JobContext, signal: AbortSignal): Promise<unknown> {
  const announce = (notice: string): void => {
    wake('deliver-notifications');
    service.announce(notice);
  };
  return relayEvents({ ...service, announce }, { now: clock.now(), signal });
}

/** Starts deliveries without waiting, because a slow endpoint must not delay the next search for due notifications. */
function deliver({ deliverer }: JobContext): undefined {
  void deliverer.deliver();
}

function createSendWork(channel: MessageChannel): JobDefinition['work'] {
  return ({ service, clock, messenger, onError }, signal) =>
    sendMessages(service, { channel, messenger, clock, signal, onError });
}
