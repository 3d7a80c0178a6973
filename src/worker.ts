import type { Agenda } from 'agenda';
import { startFeedPoller } from './domain/money-in/feed/poll-bank-feed.ts';
import { startImporter } from './domain/money-in/statement/import/start-importer.ts';
import type { Service } from './domain/platform/service.ts';
import { createAgenda } from './jobs/agenda.ts';
import { defineJobs } from './jobs/define-jobs.ts';
import { type JobDefinition, serviceJobs } from './jobs/definitions.ts';
import type { JobStoreConfig } from './jobs/job-store.ts';
import { triggerOnNotices } from './jobs/job-trigger.ts';
import { openJobStore } from './jobs/open-job-store.ts';
import { ensureSchedules } from './jobs/schedules.ts';
import type { Clock } from './kit/clock.ts';
import type { Tracer } from './kit/tracer.ts';
import { withTimeout } from './kit/with-timeout.ts';
import type { Hub } from './live/hub.ts';
import { createMessenger } from './message/messenger.ts';
import type { AlertDraft } from './notification/endpoint-health.ts';
import { startDeliverer } from './notification/start-deliverer.ts';

/**
 * The interval of schedule maintenance: it recreates schedules that operators deleted, and stops waking
 * paused ones.
 */
const maintenanceIntervalMs = 2_000;
/** The time limit for unlocking jobs and disconnecting from the job store, which hangs without a database. */
const closeTimeoutMs = 5_000;

export type WorkerOptions = {
  config: JobStoreConfig;
  service: Service;
  /** Receives notices from `listen`; each may mean that there are events to relay. */
  hub: Hub;
  clock: Clock;
  /** Receives errors that do not end the worker, such as failed runs and lost connections. */
  onError: (error: Error) => void;
  /** Receives the endpoint alerts that are sent to merchants. */
  onAlert?: ((alert: AlertDraft) => void) | undefined;
  tracer?: Tracer | undefined;
  /** Default: the jobs of the service. */
  jobs?: readonly JobDefinition[];
};

export type Worker = {
  /** For the job dashboard. */
  agenda: Agenda;
  start(): Promise<void>;
  /** Accepts no more work, aborts runs, waits for them up to `graceMs`, and releases locked jobs. */
  stop(options: { graceMs: number }): Promise<void>;
};

/** Builds the worker on an open job store; it is idle until `start`. Rejects if the store is unreachable. */
export async function buildWorker(options: WorkerOptions): Promise<Worker> {
  const { config, service, clock, onError, tracer, jobs = serviceJobs } = options;
  const store = await openJobStore(config, onError);
  const agenda = createAgenda(store, { processName: config.processName, runsJobs: true, onError });
  // These three continue after the run of their job, so they must know whether it is paused.
  const toOptions = (job: string) => ({ clock, onError, isPaused: () => jobControls.isPaused(job) });
  const deliverer = startDeliverer(service, {
    ...toOptions('deliver-notifications'),
    onAlert: options.onAlert,
    tracer,
  });
  const messenger = createMessenger(service.settings, service);
  const importer = startImporter(service, toOptions('import-statements'));
  const feedPoller = startFeedPoller(service, toOptions('poll-feeds'));
  const { repository } = store;
  const context = { service, clock, deliverer, messenger, importer, feedPoller, onError, repository };
  const jobControls = defineJobs(agenda, { jobs, context, onError, tracer });
  let stopWaking = () => {};
  let maintenanceTimer: NodeJS.Timeout | undefined;
  let stopPromise: Promise<void> | undefined;

  const maintainSchedules = async (): Promise<void> => {
    const { paused, postponed } = await ensureSchedules(agenda, jobs);
    jobControls.pause(paused);
    if (postponed.length > 0) {
      onError(
        new Error(`Jobs scheduled in the future by a skewed clock were reset: ${postponed.join(', ')}`),
      );
    }
  };

  const stop = async (graceMs: number): Promise<void> => {
    clearInterval(maintenanceTimer);
    stopWaking();
    const jobsEnded = jobControls.end();
    await withTimeout(closeTimeoutMs, agenda.stop(false).catch(onError));
    // Without the server's acknowledgement, an email would be sent again.
    const mailsSettled = jobsEnded.then(() => Promise.all(messenger.pendingResponses));
    const stopped = [deliverer.stop(), importer.stop(), feedPoller.stop()];
    await withTimeout(graceMs, Promise.all([jobsEnded, mailsSettled, ...stopped]));
    messenger.close();
    await withTimeout(closeTimeoutMs, store.close().catch(onError));
  };

  return {
    agenda,
    async start() {
      await maintainSchedules();
      await agenda.start();
      stopWaking = triggerOnNotices(options.hub, jobControls.wake);
      maintenanceTimer = setInterval(() => maintainSchedules().catch(onError), maintenanceIntervalMs);
      // The schedules may still be locked by a worker that was killed.
      for (const { name } of jobs) jobControls.wake(name);
    },
    stop({ graceMs }) {
      stopPromise ??= stop(graceMs);
      return stopPromise;
    },
  };
}
