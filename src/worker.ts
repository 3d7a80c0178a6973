import type { Agenda } from 'agenda';
import { startImporter } from './domain/money-in/statement/start-importer.ts';
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

/** So often the schedules are looked at: what operators deleted is made again, what they paused is not woken. */
const maintenanceIntervalMs = 2_000;
/** What the job store gets at the end to unlock and disconnect; without a database it cannot. */
const closeTimeoutMs = 5_000;

export type WorkerOptions = {
  config: JobStoreConfig;
  service: Service;
  /** Fed with notices by `listen`; each is a reason to look for events to relay. */
  hub: Hub;
  clock: Clock;
  /** Told of what went wrong without ending anything: failed runs, lost connections. */
  onError: (error: Error) => void;
  /** Told of what merchants are told about their endpoints. */
  onAlert?: ((alert: AlertDraft) => void) | undefined;
  tracer?: Tracer | undefined;
  /** The jobs of the service unless a test gives others. */
  jobs?: readonly JobDefinition[];
};

export type Worker = {
  /** For the job dashboard. */
  agenda: Agenda;
  start(): Promise<void>;
  /** Takes no more work, tells runs to end, waits for them as long as `graceMs`, and frees what is locked. */
  stop(options: { graceMs: number }): Promise<void>;
};

/** Builds the worker on an open job store; it does nothing before `start`. Rejects when the store is not reachable. */
export async function buildWorker(options: WorkerOptions): Promise<Worker> {
  const { config, service, clock, onError, tracer, jobs = serviceJobs } = options;
  const store = await openJobStore(config, onError);
  const agenda = createAgenda(store, { processName: config.processName, runsJobs: true, onError });
  const deliverer = startDeliverer(service, { clock, onError, onAlert: options.onAlert, tracer });
  const messenger = createMessenger(service.settings, service);
  const importer = startImporter(service, { clock, onError });
  const jobControls = defineJobs(agenda, {
    jobs,
    context: { service, clock, deliverer, messenger, importer, onError, repository: store.repository },
    onError,
    tracer,
  });
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
    // What a mail server has whole and has not answered for would be sent again.
    const mailsSettled = jobsEnded.then(() => Promise.all(messenger.pendingAnswers));
    await withTimeout(graceMs, Promise.all([jobsEnded, mailsSettled, deliverer.stop(), importer.stop()]));
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
