import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import { buildApp } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import type { ConnectionTimeouts } from '../../src/http/timeouts.ts';
import { systemClock } from '../../src/kit/clock.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { createHub } from '../../src/live/hub.ts';
import { listen } from '../../src/live/listen.ts';
import { createReadCache } from '../../src/live/read-cache.ts';
import { atEnd } from './at-end.ts';
import type { OneClock } from './clock.ts';
import { testService } from './service.ts';
import { suiteLog } from './suite-log.ts';

export type TestApp = {
  app: FastifyInstance;
  context: Context & { clock: OneClock };
  connectionString: string;
};

/**
 * The whole application on a database of the test file's own, with live notices. `app.inject` calls it; a test that
 * needs sockets calls `app.listen({ port: 0 })`. Nothing is kept between requests, so that a test may change rows in the
 * database; `keepsReads`: what a service keeps is kept.
 */
export async function testApp(
  options: {
    clock?: OneClock;
    limiter?: RateLimiter | undefined;
    metricsToken?: string;
    keepsReads?: boolean;
    answerMsMax?: number;
    log?: Logger;
    times?: ConnectionTimeouts;
    publicUrl?: string;
    trustProxy?: string[];
  } = {},
): Promise<TestApp> {
  const service = await testService();
  if (options.publicUrl !== undefined) service.settings.publicUrl = options.publicUrl;
  const onError = (error: Error) => console.error(error);
  const hub = createHub();
  const listener = await listen(service.connectionString, hub, onError);
  const announcer = startAnnouncer(service.connectionString, onError);
  const reads = options.keepsReads ? createReadCache(service, hub) : undefined;
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
    // The limit of a service that serves is no more than a busy machine may take for many at once.
    requestTimeoutMs: options.answerMsMax ?? 60_000,
    loggerInstance: options.log ?? suiteLog,
    ...(options.times && { times: options.times }),
  });
  atEnd(async () => {
    await app.close();
    await announcer.stop();
    await listener.stop();
  });
  return { app, context, connectionString: service.connectionString };
}
