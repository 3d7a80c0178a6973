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
    /** Addresses of proxies with trusted forwarding headers. */
    trustProxy: string[];
    /** Allows access to /metrics from addresses other than loopback. */
    metricsToken?: string | undefined;
  };
};
