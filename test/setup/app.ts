import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import type { ConnectionTimeouts } from '../../src/http/timeouts.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { createLogger } from '../../src/kit/log.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { createHub } from '../../src/live/hub.ts';
import { listen } from '../../src/live/listen.ts';
import { createReadCache } from '../../src/live/read-cache.ts';
import type { OnCleanup } from './cleanup.ts';
import type { PlainClock } from './fake-clock.ts';
import { scanLog } from './logged-secrets.ts';
import { toPooled } from './pooler.ts';
import { type ServiceOnDatabase, setupService } from './service.ts';

export type TestApp = {
  app: FastifyInstance;
  context: Context & { clock: PlainClock };
  connectionString: string;
};

/**
 * Sets up the complete application on its own database, with live updates. A test calls `app.inject`, or `app.listen({
 * port: 0 })` if it needs sockets. Reads are cached only with `cachesReads`, so that tests may change rows directly.
 */
export async function setupApp(
  onCleanup: OnCleanup,
  options: {
    clock?: PlainClock;
    limiter?: RateLimiter | undefined;
    metricsToken?: string;
    cachesReads?: boolean;
    requestTimeoutMs?: number;
    log?: Logger;
    timeouts?: ConnectionTimeouts;
    publicUrl?: string;
    trustProxy?: string[];
    service?: ServiceOnDatabase;
  } = {},
): Promise<TestApp> {
  const service = options.service ?? (await setupService(onCleanup));
  if (options.publicUrl !== undefined) service.settings.publicUrl = options.publicUrl;
  const onError = (error: Error) => console.error(error);
  const hub = createHub();
  const listener = await listen(service.connectionString, hub, onError);
  const announcer = startAnnouncer(toPooled(service.connectionString), onError);
  const reads = options.cachesReads ? createReadCache(service, hub) : undefined;
  const context: TestApp['context'] = {
    service: {
      ...service,
      ...(reads && { reads }),
      announce: (notice) => {
        reads?.invalidate(notice);
        announcer.announce(notice);
      },
    },
    clock: options.clock ?? systemClock,
    hub,
    limiter: options.limiter,
    options: { trustProxy: options.trustProxy ?? [], metricsToken: options.metricsToken },
  };
  const app = await buildApp(context, {
    // A busy machine may exceed the default limit when a test sends many requests at once.
    requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
    loggerInstance: options.log ?? testLogger,
    // The responses must not depend on whether the documentation site was built.
    guidesFolder: '/none',
    ...(options.timeouts && { timeouts: options.timeouts }),
  });
  onCleanup(async () => {
    await app.close();
    await announcer.stop();
    await listener.stop();
  });
  return { app, context, connectionString: service.connectionString };
}

/** The default logger. A logged secret fails the test file. */
const testLogger: Logger = createLogger('trace', { write: scanLog });
