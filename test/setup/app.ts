import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { buildApp } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { createApiKeyCache } from '../../src/domain/api-key/api-key-cache.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import type { Clock } from '../../src/kit/clock.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { createHub } from '../../src/live/hub.ts';
import { listen } from '../../src/live/listen.ts';
import { testService } from './service.ts';

export type TestClock = Clock & { set(now: Date): void };

export function testClock(start: Date): TestClock {
  let now = start;
  return {
    now: () => now,
    set: (time) => {
      now = time;
    },
  };
}

export type TestApp = { app: FastifyInstance; context: Context; connectionString: string };

/**
 * The whole application on a database of the test file's own, with live notices. `app.inject` calls it; a test that
 * needs sockets calls `app.listen({ port: 0 })`. Keys are read with every request, so that a test may change them in the
 * database; `keepsKeys`: they are kept as a service keeps them.
 */
export async function testApp(
  options: {
    clock?: Clock;
    limiter?: RateLimiter | undefined;
    metricsToken?: string;
    keepsKeys?: boolean;
  } = {},
): Promise<TestApp> {
  const service = await testService();
  const onError = (error: Error) => console.error(error);
  const hub = createHub();
  const listener = await listen(service.connectionString, hub, onError);
  const announcer = startAnnouncer(service.connectionString, onError);
  const apiKeys = options.keepsKeys ? createApiKeyCache(service, hub) : undefined;
  const context: Context = {
    service: {
      ...service,
      ...(apiKeys && { apiKeys }),
      announce: (notice) => {
        apiKeys?.forget(notice);
        announcer.announce(notice);
      },
    },
    clock: options.clock ?? { now: () => new Date() },
    hub,
    limiter: options.limiter,
    options: { trustProxy: [], demo: false, metricsToken: options.metricsToken },
  };
  const app = await buildApp(context);
  afterAll(async () => {
    await app.close();
    await announcer.stop();
    await listener.stop();
  });
  return { app, context, connectionString: service.connectionString };
}
