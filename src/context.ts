import type { Service } from './domain/platform/service.ts';
import type { Clock } from './kit/clock.ts';
import type { RateLimiter } from './kit/rate-limiter.ts';
import type { Tracer } from './kit/tracer.ts';
import type { Hub } from './live/hub.ts';

/** What a transport is given: the service it calls, the time, and the notices it may wait for. */
export type Context = {
  service: Service;
  clock: Clock;
  hub: Hub;
  /** Undefined: requests are not limited. */
  limiter?: RateLimiter | undefined;
  /** Undefined: nothing is traced. */
  tracer?: Tracer | undefined;
  /** Aborted once the process is to stop; undefined where nobody tells. */
  stopSignal?: AbortSignal | undefined;
  options: {
    /** Addresses of proxies whose forwarded headers count. */
    trustProxy: string[];
    /** Opens /metrics to others than loopback. */
    metricsToken?: string | undefined;
  };
};
