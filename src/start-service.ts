import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { Context } from './context.ts';
import { demoReceiver } from './demo/receiver.ts';
import type { Service } from './domain/service.ts';
import { settingsOf } from './domain/service.ts';
import { type Announcer, startAnnouncer } from './event/announcer.ts';
import { systemClock } from './kit/clock.ts';
import type { Config } from './kit/config.ts';
import { closeDb, openDb } from './kit/db.ts';
import { makeLog } from './kit/log.ts';
import { migrate } from './kit/migrate.ts';
import { createRateLimiter } from './kit/rate-limiter.ts';
import { makeSecrets } from './kit/secrets.ts';
import { createHub } from './live/hub.ts';
import { listen } from './live/listen.ts';
import { type Database, openDatabase } from './start-database.ts';
import { buildWorker } from './worker.ts';

/** Runs at most this long after the signal: requests end, jobs finish or are released. */
const stopGraceMs = 10_000;

export type RunningService = {
  context: Context;
  /** Where it listens; undefined for a worker. */
  address: string | undefined;
  stop(): Promise<void>;
};

/**
 * Brings up what the role needs, in order: database, schema, live notices, HTTP, jobs. What is up already is stopped
 * again when a later step fails.
 */
export async function startService(config: Config, say: (line: string) => void): Promise<RunningService> {
  const log = makeLog(config.logLevel);
  const onError = (error: Error) => log.error({ err: error }, error.message);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step().catch(onError);
  };
  try {
    const database = await openDatabase(config, say);
    stops.push(database.stop);
    say('Bringing the schema up to date');
    const applied = await migrate(database.connectionString);
    if (applied.length > 0) say(`Applied ${applied.length} migration${applied.length === 1 ? '' : 's'}`);
    const announcer = startAnnouncer(database.connectionString, onError);
    stops.push(announcer.stop);
    const context = makeContext(config, database, { announcer, onError });
    stops.push(() => closeDb(context.service));
    const listener = await listen(database.connectionString, context.hub, onError);
    stops.push(listener.stop);
    const address = config.role === 'worker' ? undefined : await serve(config, context, { stops, log });
    if (config.role !== 'api') await work(config, context, { stops, onError, database });
    return { context, address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function makeContext(
  config: Config,
  database: Database,
  parts: { announcer: Announcer; onError: (error: Error) => void },
): Context {
  const db = openDb({
    connectionString: database.connectionString,
    poolSize: config.databasePool,
    onError: parts.onError,
  });
  const service: Service = {
    ...db,
    announce: parts.announcer.announce,
    secrets: makeSecrets(database.appSecret),
    settings: settingsOf(config),
  };
  const { trustProxy, demo, metricsToken } = config;
  const limiter = createRateLimiter(config.rateLimit);
  return {
    service,
    clock: systemClock,
    hub: createHub(),
    limiter,
    options: { trustProxy, demo, metricsToken },
  };
}

async function serve(
  config: Config,
  context: Context,
  parts: { stops: (() => Promise<void>)[]; log: Logger },
): Promise<string> {
  const app: FastifyInstance = await buildApp(context, { loggerInstance: parts.log });
  if (config.demo) await app.register(demoReceiver(context));
  parts.stops.push(() => closeApp(app));
  return app.listen({ host: config.host, port: config.port });
}

/** Requests under way may end; whoever takes longer than the grace is cut off. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), stopGraceMs);
  await app.close().finally(() => clearTimeout(cut));
}

async function work(
  config: Config,
  context: Context,
  parts: { stops: (() => Promise<void>)[]; onError: (error: Error) => void; database: Database },
): Promise<void> {
  const worker = await buildWorker({
    ...context,
    config: {
      connectionString: parts.database.connectionString,
      mongodbUrl: config.mongodbUrl,
      processName: `causeway-${process.pid}-${randomBytes(4).toString('hex')}`,
    },
    onError: parts.onError,
  });
  parts.stops.push(() => worker.stop({ graceMs: stopGraceMs }));
  await worker.start();
}
