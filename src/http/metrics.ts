import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import type { Service } from '../domain/platform/service.ts';
import { secondMs } from '../kit/duration.ts';
import { DomainError } from '../kit/errors.ts';
import { createIpRanges, isIpRange } from '../kit/ip-ranges.ts';
import { isLoopback } from '../kit/private-address.ts';
import { isSameText } from '../kit/secrets.ts';
import { createBacklogGauges } from './backlog-gauges.ts';

/** Upper bounds of the request duration buckets, in seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Serves `/metrics` for Prometheus: metrics of this process, and backlogs of the whole service. */
export function registerMetricsRoute(app: FastifyInstance, { service, clock, options }: Context): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'causeway_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
  // Caches the histogram's children by their labels, because looking them up takes most of the time.
  const children = new Map<string, ReturnType<typeof duration.labels>>();
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { statusCode } = reply;
    const route = request.routeOptions.url ?? 'unknown';
    const name = `${method} ${route} ${statusCode}`;
    const child = children.get(name) ?? duration.labels(route, method, String(statusCode));
    children.set(name, child);
    child.observe(reply.elapsedTime / 1000);
    done();
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const poolGauge = gauge('causeway_database_connections', 'PostgreSQL connections of this process');
  const waitingGauge = gauge(
    'causeway_database_waiting',
    'Requests in this process that are waiting for a database connection',
  );
  const replicaGauges = createReplicaGauges(registry);
  const backlogGauges = createBacklogGauges(registry);

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireMetricsAccess(request, { ...options, ...service.settings });
    poolGauge.set(service.pool.totalCount);
    waitingGauge.set(service.pool.waitingCount);
    replicaGauges.update(service);
    await backlogGauges.update(service, clock.now());
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Registers gauges of the standbys of DATABASE_READ_URL, as this process measures them. */
function createReplicaGauges(registry: Registry) {
  const registers = [registry];
  const labelNames = ['host'];
  const lag = new Gauge({
    name: 'causeway_read_replica_lag_seconds',
    help: 'How far a standby is behind the primary',
    labelNames,
    registers,
  });
  const used = new Gauge({
    name: 'causeway_read_replica_used',
    help: '1 if reports and exports are read from the standby, otherwise 0',
    labelNames,
    registers,
  });
  return {
    update({ replicas }: Service): void {
      lag.reset();
      used.reset();
      for (const { host, lagMs, problem } of replicas?.getStates() ?? []) {
        lag.set({ host }, lagMs === undefined ? Number.NaN : lagMs / secondMs);
        used.set({ host }, problem === undefined ? 1 : 0);
      }
    },
  };
}

/** Headers that a proxy on this machine adds to the requests of other clients. */
const forwardedHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Requires METRICS_TOKEN as Bearer token if it is configured. Otherwise requires a request that a program on this
 * machine sent, without a proxy. Another host in PUBLIC_URL, a proxy header or a trusted loopback address means that
 * there may be a proxy, whose requests look local.
 */
function requireMetricsAccess(
  request: FastifyRequest,
  options: Context['options'] & { publicUrl: string },
): void {
  const { metricsToken: token, trustProxy, publicUrl } = options;
  if (token === undefined) {
    const isLocal =
      isLoopback(new URL(publicUrl).hostname) &&
      !trustsLoopback(trustProxy) &&
      isLoopback((request.raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
      isLoopback(request.hostname) &&
      !forwardedHeaders.some((name) => request.headers[name] !== undefined);
    if (!isLocal)
      throw new DomainError(
        'permission_denied',
        'Metrics are available only to requests from this machine; for others, set METRICS_TOKEN and send it as a Bearer token',
      );
    return;
  }
  const sentToken = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (!isSameText(sentToken, token))
    throw new DomainError(
      'unauthenticated',
      sentToken === ''
        ? 'The request has no token; send METRICS_TOKEN as a Bearer token'
        : 'The token is not METRICS_TOKEN; send the configured token as a Bearer token',
    );
}

/** Returns whether TRUST_PROXY includes this machine. */
function trustsLoopback(trustProxy: readonly string[]): boolean {
  const trustedRanges = createIpRanges(trustProxy.filter(isIpRange));
  return (
    trustProxy.includes('loopback') || trustedRanges.check('127.0.0.1') || trustedRanges.check('::1', 'ipv6')
  );
}
