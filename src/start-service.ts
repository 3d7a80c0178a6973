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
import { settingsOf } from './domain/platform/service.ts';
import { startAnnouncer } from './event/announcer.ts';
import { stopListening } from './http/leave-gently.ts';
import { type Clock, systemClock } from './kit/clock.ts';
import type { Config } from './kit/config.ts';
import { closeDb, openDb } from './kit/db.ts';
import { inTime } from './kit/in-time.ts';
import { makeLog } from './kit/log.ts';
import { migrate } from './kit/migrate.ts';
import { createRateLimiter } from './kit/rate-limiter.ts';
import type { Tracer } from './kit/tracer.ts';
import { createHub } from './live/hub.ts';
import { listen } from './live/listen.ts';
import { createReadCache } from './live/read-cache.ts';
import type { AlertDraft } from './notification/endpoint-health.ts';
import { choosePort, holdDataDir, openDatabase } from './start-database.ts';

/** Runs at most this long after the signal: requests end, jobs finish or are released. */
const stopGraceMs = 10_000;
/** Of that, what connections on which nothing is asked may take. */
const lingerMsMax = 5_000;

/** Longer than any statement or transaction of the service takes. */
const silenceMsMax = 30_000;

export type RunningService = {
  /** As given, with the port where it listens. */
  config: Config;
  context: Context;
  /** Where it listens; undefined for a worker. */
  address: string | undefined;
  stop(): Promise<void>;
};

/** What a start works with: how it tells what it does, what tells it to break off, and the time (the machine's). */
export type StartOptions = { say: (line: string) => void; signal: AbortSignal; clock?: Clock };

type Stops = (() => Promise<void>)[];

/**
 * Brings up what the role needs, in order: database, schema, live notices, HTTP, jobs. What is up already is stopped
 * again when a later step fails, or `signal` says so: then it rejects with the signal's reason.
 */
export async function startService(
  given: Config,
  { say, signal, clock = systemClock }: StartOptions,
): Promise<RunningService> {
  const log = makeLog(given.logLevel);
  const onError = (error: Error) => log.error({ err: error }, error.message);
  const stops: Stops = [];
  let stopped: Promise<void> | undefined;
  const stopAll = async () => {
    for (const step of stops.reverse()) await step().catch(onError);
  };
  const stop = () => {
    stopped ??= stopAll();
    return stopped;
  };
  try {
    const release = await holdDataDir(given);
    stops.push(async () => release());
    const config = await choosePort(given);
    signal.throwIfAborted();
    const loading = loadCode();
    // Waited for below, unless an earlier step fails: then that is what is told.
    loading.catch(() => {});
    const building = prepareDashboard(config, { say, signal });
    const database = await openDatabase(config, say);
    stops.push(database.stop);
    signal.throwIfAborted();
    await prepareSchema(database.connectionString, say);
    signal.throwIfAborted();
    const code = await loading;
    await building;
    const context = await makeContext(config, database.connectionString, {
      clock,
      stopping: signal,
      stops,
      onError,
    });
    const { connectionString } = database;
    const jobs = await openJobs(config, context, { connectionString, code, stops, log, onError });
    const address =
      config.role === 'worker' ? undefined : await serve(config, context, { code, stops, log, jobs });
    signal.throwIfAborted();
    await jobs.start();
    signal.throwIfAborted();
    return { config, context, address, stop };
  } catch (error) {
    await stop();
    throw signal.aborted ? signal.reason : error;
  }
}

type Code = Awaited<ReturnType<typeof loadCode>>;

/** The larger part of the code: loaded while PostgreSQL starts, and not at all where a start is refused. */
async function loadCode() {
  const [app, worker, dashboard, operators, demo] = await Promise.all([
    import('./app.ts'),
    import('./worker.ts'),
    import('./jobs/job-dashboard.ts'),
    import('./jobs/operators-only.ts'),
    import('./demo/receiver.ts'),
  ]);
  return { ...app, ...worker, ...dashboard, ...operators, ...demo };
}

/** Made while PostgreSQL starts, where there is none of the present sources. */
function prepareDashboard(config: Config, { say, signal }: StartOptions): Promise<unknown> {
  if (config.role === 'worker') return Promise.resolve();
  const building = buildDashboard({ onProgress: say, signal });
  // A start that fails meanwhile does not get to where this is awaited.
  building.catch(() => {});
  return building;
}

async function prepareSchema(connectionString: string, say: (line: string) => void): Promise<void> {
  say('Migrating the database schema');
  const applied = await migrate(connectionString);
  if (applied.length > 0) say(`Applied ${applied.length} migration${applied.length === 1 ? '' : 's'}`);
}

async function makeContext(
  config: Config,
  connectionString: string,
  given: { clock: Clock; stopping: AbortSignal; stops: Stops; onError: (error: Error) => void },
): Promise<Context> {
  const { clock, stopping, stops, onError } = given;
  const { secrets, reload, stop } = await openSecrets(connectionString, { sources: config, onError });
  stops.push(async () => stop());
  const announcer = startAnnouncer(connectionString, onError);
  stops.push(announcer.stop);
  const tracer = await openTracer(config, { stops, onError });
  const db = openDb({ connectionString, poolSize: config.databasePool, onError, silenceMsMax, tracer });
  stops.push(() => closeDb(db));
  const hub = createHub();
  const listener = await listen(connectionString, hub, onError);
  stops.push(listener.stop);
  hub.subscribe(secretsTopic, () => void reload());
  // They may have changed before the process listened.
  await secrets.reload();
  const reads = createReadCache(db, hub);
  const service: Service = {
    ...db,
    reads,
    announce: (notice) => {
      reads.forget(notice);
      announcer.announce(notice);
    },
    secrets,
    settings: settingsOf(config),
  };
  const { trustProxy, metricsToken } = config;
  const limiter = createRateLimiter(config.rateLimit);
  return { service, clock, hub, limiter, tracer, stopping, options: { trustProxy, metricsToken } };
}

/** Loaded only where it is asked for. */
async function openTracer(
  { tracing }: Config,
  { stops, onError }: { stops: Stops; onError: (error: Error) => void },
): Promise<Tracer | undefined> {
  if (!tracing) return undefined;
  const { openTelemetry } = await import('./kit/open-telemetry.ts');
  const tracer = openTelemetry(tracing, (message) => onError(new Error(`Tracing: ${message}`)));
  stops.push(tracer.stop);
  return tracer;
}

async function serve(
  config: Config,
  context: Context,
  parts: { code: Code; stops: Stops; log: Logger; jobs: Jobs },
): Promise<string> {
  const { buildApp, registerJobDashboard, operatorsOnly, demoReceiver } = parts.code;
  const app: FastifyInstance = await buildApp(context, { loggerInstance: parts.log });
  await registerJobDashboard(app, { agenda: parts.jobs.agenda, ...operatorsOnly(context) });
  if (config.demo) await app.register(demoReceiver(context));
  parts.stops.push(async () => {
    const isLeaving = context.stopping?.aborted;
    if (isLeaving) await delay(config.stopDelayMs);
    await closeApp(app, context, isLeaving ? Math.min(config.stopDelayMs, lingerMsMax) : 0);
  });
  return app.listen({ host: config.host, port: config.port });
}

/**
 * Requests under way may end; whoever takes longer than the grace is cut off. A connection that was kept may be written
 * to just now: what comes on it within `lingerMs` is answered, and is its last.
 */
async function closeApp(app: FastifyInstance, { hub }: Context, lingerMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), stopGraceMs);
  let rest: NodeJS.Timeout | undefined;
  try {
    const { ended } = await stopListening(app.server);
    hub.close();
    await inTime(lingerMs, ended);
    // Node keeps a connection whose request was under way for another, long after the server is closed.
    rest = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close();
    await ended;
  } finally {
    clearTimeout(cut);
    clearInterval(rest);
  }
}

type Jobs = { agenda: Agenda; start: () => Promise<void> };

/** The worker, which starts last; or for an API process a view of the jobs for its dashboard. */
async function openJobs(
  config: Config,
  context: Context,
  parts: {
    connectionString: string;
    code: Code;
    stops: Stops;
    log: Logger;
    onError: (error: Error) => void;
  },
): Promise<Jobs> {
  const { connectionString, code, stops, log, onError } = parts;
  const processName = `causeway-${process.pid}-${randomBytes(4).toString('hex')}`;
  const store = { connectionString, mongodbUrl: config.mongodbUrl, processName };
  if (config.role === 'api') {
    const view = await code.openDashboardAgenda(store, onError);
    stops.push(view.stop);
    return { agenda: view.agenda, start: async () => {} };
  }
  const onAlert = ({ kind, detail, attempt: { claim } }: AlertDraft) =>
    log.warn(
      { alert: kind, queueKey: claim.queueKey, notification: claim.id, detail },
      'endpoint alert recorded',
    );
  const worker = await code.buildWorker({ ...context, config: store, onError, onAlert });
  stops.push(() => worker.stop({ graceMs: stopGraceMs }));
  return worker;
}
