import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Agenda } from 'agenda';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Context } from './context.ts';
import { buildDashboard } from './dashboard-server/build-dashboard.ts';
import { secretsTopic } from './domain/platform/secrets/data-keys.ts';
import { openSecrets } from './domain/platform/secrets/open-secrets.ts';
import type { Service } from './domain/platform/service.ts';
import { pickSettings } from './domain/platform/service.ts';
import { startAnnouncer } from './event/announcer.ts';
import { stopListening } from './http/drain-connections.ts';
import { type Clock, systemClock } from './kit/clock.ts';
import type { Config } from './kit/config.ts';
import { closeDb, openDb } from './kit/db.ts';
import { createLogger } from './kit/log.ts';
import { migrate } from './kit/migrate.ts';
import { createRateLimiter } from './kit/rate-limiter.ts';
import { openReadReplicas } from './kit/read-replicas.ts';
import type { Tracer } from './kit/tracer.ts';
import { withTimeout } from './kit/with-timeout.ts';
import { assertNoticesArrive } from './live/assert-notices-arrive.ts';
import { createHub } from './live/hub.ts';
import { listen } from './live/listen.ts';
import { createReadCache } from './live/read-cache.ts';
import type { AlertDraft } from './notification/endpoint-health.ts';
import { choosePort, claimDataDir, type Database, openDatabase } from './start-database.ts';

/** The maximum duration of a shutdown after the signal: requests end, and jobs finish or are released. */
const stopGraceMs = 10_000;
/** The part of `stopGraceMs` in which idle connections may still send a request. */
const lingerMsMax = 5_000;

/** How long a connection may be without traffic: longer than any statement or transaction of the service. */
const inactivityTimeoutMs = 30_000;

export type RunningService = {
  /** The input configuration with the actual port. */
  config: Config;
  context: Context;
  /** The URL at which the process listens; undefined for a worker. */
  address: string | undefined;
  stop(): Promise<void>;
};

/** `signal` aborts the start. */
type StartOptions = { onProgress: (line: string) => void; signal: AbortSignal; clock?: Clock };

type StopHandlers = (() => Promise<void>)[];

/**
 * Starts the components that the role needs, in order: database, schema, live notices, HTTP, jobs. If a step
 * fails or `signal` aborts, stops the started ones and rejects with the error or the signal's reason.
 */
export async function startService(
  inputConfig: Config,
  { onProgress, signal, clock = systemClock }: StartOptions,
): Promise<RunningService> {
  const log = createLogger(inputConfig.logLevel);
  const onError = (error: Error) => log.error({ err: error }, error.message);
  const stops: StopHandlers = [];
  let stopPromise: Promise<void> | undefined;
  const runStopHandlers = async () => {
    for (const handler of stops.reverse()) await handler().catch(onError);
  };
  const stop = () => {
    stopPromise ??= runStopHandlers();
    return stopPromise;
  };
  try {
    const release = await claimDataDir(inputConfig);
    stops.push(async () => release());
    const config = await choosePort(inputConfig);
    signal.throwIfAborted();
    const workerPromise = import('./worker.ts');
    const serverPromise = config.role === 'worker' ? undefined : loadServer();
    // Prevents an unhandled rejection if an earlier step fails, so that these promises are never awaited.
    for (const promise of [workerPromise, serverPromise]) promise?.catch(() => {});
    const dashboardBuild = prepareDashboard(config, { onProgress, signal });
    const database = await openDatabase(config, onProgress);
    stops.push(database.stop);
    signal.throwIfAborted();
    await prepareSchema(database.directConnectionString, onProgress);
    signal.throwIfAborted();
    const [worker, server] = await Promise.all([workerPromise, serverPromise]);
    await dashboardBuild;
    const context = await createContext(config, database, {
      clock,
      stopSignal: signal,
      stops,
      onError,
    });
    const { connectionString } = database;
    const jobs = await openJobs(config, context, { connectionString, worker, server, stops, log, onError });
    const address = server && (await serve(config, context, { server, stops, log, jobs }));
    signal.throwIfAborted();
    await jobs.start();
    signal.throwIfAborted();
    return { config, context, address, stop };
  } catch (error) {
    await stop();
    throw signal.aborted ? signal.reason : error;
  }
}

type ServerModules = Awaited<ReturnType<typeof loadServer>>;

/**
 * Imports the code of the HTTP server, while PostgreSQL starts. The earlier checks do not wait for it, and a worker
 * does without it.
 */
async function loadServer() {
  const [app, dashboard, operators, demo] = await Promise.all([
    import('./app.ts'),
    import('./jobs/job-dashboard.ts'),
    import('./jobs/operator-guard.ts'),
    import('./demo/receiver.ts'),
  ]);
  return { ...app, ...dashboard, ...operators, ...demo };
}

/** Builds the dashboard while PostgreSQL starts, unless the bundle is current. */
function prepareDashboard(config: Config, { onProgress, signal }: StartOptions): Promise<unknown> {
  if (config.role === 'worker') return Promise.resolve();
  const build = buildDashboard({ onProgress, signal });
  // Prevents an unhandled rejection if an earlier step fails, so that this promise is never awaited.
  build.catch(() => {});
  return build;
}

async function prepareSchema(connectionString: string, onProgress: (line: string) => void): Promise<void> {
  onProgress('Migrating the database schema');
  const applied = await migrate(connectionString);
  if (applied.length > 0) onProgress(`Applied ${applied.length} migration${applied.length === 1 ? '' : 's'}`);
}

async function createContext(
  config: Config,
  { connectionString, directConnectionString }: Database,
  options: { clock: Clock; stopSignal: AbortSignal; stops: StopHandlers; onError: (error: Error) => void },
): Promise<Context> {
  const { clock, stopSignal, stops, onError } = options;
  const { secrets, reload, stop } = await openSecrets(directConnectionString, { sources: config, onError });
  stops.push(async () => stop());
  const announcer = startAnnouncer(connectionString, onError);
  stops.push(announcer.stop);
  const tracer = await openTracer(config, { stops, onError });
  const db = openDb({
    connectionString,
    poolSize: config.databasePoolSize,
    onError,
    inactivityTimeoutMs,
    tracer,
  });
  stops.push(() => closeDb(db));
  const replicas = openReadReplicas(config, {
    primary: db,
    clock,
    onError,
    inactivityTimeoutMs,
    tracer,
  });
  if (replicas) stops.push(replicas.stop);
  const hub = createHub();
  const listener = await listen(directConnectionString, hub, onError);
  stops.push(listener.stop);
  await assertNoticesArrive(db.pool, hub);
  hub.subscribe(secretsTopic, () => void reload());
  // The keys may have changed before the process listened.
  await secrets.reload();
  const reads = createReadCache(db, hub);
  const service: Service = {
    ...db,
    ...(replicas && { replicas }),
    reads,
    announce: (notice) => {
      reads.invalidate(notice);
      announcer.announce(notice);
    },
    secrets,
    settings: pickSettings(config),
  };
  const { trustProxy, metricsToken } = config;
  const limiter = createRateLimiter(config.rateLimit);
  return {
    service,
    clock,
    hub,
    limiter,
    tracer,
    stopSignal,
    options: { trustProxy, metricsToken },
  };
}

/** Starts tracing if it is configured. OpenTelemetry is not imported otherwise. */
async function openTracer(
  { tracing }: Config,
  { stops, onError }: { stops: StopHandlers; onError: (error: Error) => void },
): Promise<Tracer | undefined> {
  if (!tracing) return undefined;
  const { createOpenTelemetryTracer } = await import('./kit/open-telemetry.ts');
  const tracer = createOpenTelemetryTracer(tracing, (message) => onError(new Error(`Tracing: ${message}`)));
  stops.push(tracer.stop);
  return tracer;
}

async function serve(
  config: Config,
  context: Context,
  options: { server: ServerModules; stops: StopHandlers; log: Logger; jobs: JobRunner },
): Promise<string> {
  const { buildApp, registerJobDashboard, createOperatorGuard, demoReceiver } = options.server;
  const app: FastifyInstance = await buildApp(context, { loggerInstance: options.log });
  await registerJobDashboard(app, { agenda: options.jobs.agenda, ...createOperatorGuard(context) });
  if (config.demo) await app.register(demoReceiver(context));
  options.stops.push(async () => {
    const isStopping = context.stopSignal?.aborted;
    if (isStopping) await delay(config.shutdownDelayMs);
    await closeApp(app, context, isStopping ? Math.min(config.shutdownDelayMs, lingerMsMax) : 0);
  });
  return app.listen({ host: config.host, port: config.port });
}

/**
 * Closes the app. Connections with active requests are closed after `stopGraceMs` at the latest. A client may be
 * sending a request on an idle keep-alive connection. If that request arrives within `lingerMs`, it is served as the
 * last of its connection.
 */
async function closeApp(app: FastifyInstance, { hub }: Context, lingerMs: number): Promise<void> {
  const forceCloseTimer = setTimeout(() => app.server.closeAllConnections(), stopGraceMs);
  let idleCloseTimer: NodeJS.Timeout | undefined;
  try {
    const { ended } = await stopListening(app.server);
    hub.close();
    await withTimeout(lingerMs, ended);
    // After `close`, Node still waits for another request on connections whose request has finished.
    idleCloseTimer = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close();
    await ended;
  } finally {
    clearTimeout(forceCloseTimer);
    clearInterval(idleCloseTimer);
  }
}

type JobRunner = { agenda: Agenda; start: () => Promise<void> };

/** Builds the worker, or in an API process opens an agenda that only serves the job dashboard. */
async function openJobs(
  config: Config,
  context: Context,
  options: {
    connectionString: string;
    worker: typeof import('./worker.ts');
    /** Absent in a worker. */
    server: ServerModules | undefined;
    stops: StopHandlers;
    log: Logger;
    onError: (error: Error) => void;
  },
): Promise<JobRunner> {
  const { connectionString, worker, server, stops, log, onError } = options;
  const processName = `causeway-${process.pid}-${randomBytes(4).toString('hex')}`;
  const store = { connectionString, mongodbUrl: config.mongodbUrl, processName };
  if (config.role === 'api') {
    const view = await server!.openDashboardAgenda(store, onError);
    stops.push(view.stop);
    return { agenda: view.agenda, start: async () => {} };
  }
  const onAlert = ({ kind, detail, attempt: { claim } }: AlertDraft) =>
    log.warn(
      { alert: kind, queueKey: claim.queueKey, notification: claim.id, detail },
      'endpoint alert recorded',
    );
  const jobs = await worker.buildWorker({ ...context, config: store, onError, onAlert });
  stops.push(() => jobs.stop({ graceMs: stopGraceMs }));
  return jobs;
}
