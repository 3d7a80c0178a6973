import type { Service } from './domain/platform/service.ts';
import type { Clock } from './kit/clock.ts';
import type { RateLimiter } from './kit/rate-limiter.ts';
import type { Tracer } from './kit/tracer.ts';
import type { Hub } from './live/hub.ts';

/** The dependencies of a transport: the service, the clock, and the hub for live notices. */
export type Context = {
  service: Service;
  clock: Clock;
  hub: Hub;
  /** If undefined, requests are not rate-limited. */
  limiter?: RateLimiter | undefined;
  /** If undefined, tracing is off. */
  tracer?: Tracer | undefined;
  /** Aborted when the process starts to shut down. */
  stopSignal?: AbortSignal | undefined;
  options: {
    /** The IP addresses and named ranges of the proxies whose forwarding headers are trusted. */
    trustProxy: string[];
    /** The Bearer token for /metrics. If undefined, only requests from this machine are allowed. */
    metricsToken?: string | undefined;
  };
};
