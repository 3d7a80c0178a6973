import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { DomainError } from '../kit/errors.ts';
import { isLoopback } from '../kit/private-address.ts';
import { sameText } from '../kit/secrets.ts';
import { backlogGauges } from './backlog-gauges.ts';

/** Upper bounds of the buckets of request durations, in seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `/metrics` for Prometheus: requests by route, connections, and what waits to be relayed and delivered. */
export function metricsRoute(app: FastifyInstance, { service, clock, options }: Context): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'causeway_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
  // Of each route, method and status: to find one among the labels takes most of the time.
  const children = new Map<string, ReturnType<typeof duration.labels>>();
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { statusCode } = reply;
    const route = request.routeOptions.url ?? 'unknown';
    const name = `${method} ${route} ${statusCode}`;
    const labelled = children.get(name) ?? duration.labels(route, method, String(statusCode));
    children.set(name, labelled);
    labelled.observe(reply.elapsedTime / 1000);
    done();
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const pool = gauge('causeway_database_connections', 'PostgreSQL connections of this process');
  const waiting = gauge(
    'causeway_database_waiting',
    'Requests in this process that are waiting for a database connection',
  );
  const backlog = backlogGauges(registry);

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireMetricsAccess(request, { ...options, ...service.settings });
    pool.set(service.pool.totalCount);
    waiting.set(service.pool.waitingCount);
    await backlog.read(service, clock.now());
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** By these a proxy on this machine tells that it asks for somebody else. */
const forwardedHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * With a token: callers who send it as Bearer. Without: callers on this machine, by its loopback name, as long as
 * PUBLIC_URL is one too. A service with a public name stands behind a proxy, whose requests may look local.
 */
function requireMetricsAccess(
  request: FastifyRequest,
  options: Context['options'] & { publicUrl: string },
): void {
  const { metricsToken: token, trustProxy, publicUrl } = options;
  if (token === undefined) {
    const isLocal =
      isLoopback(new URL(publicUrl).hostname) &&
      !trustsItself(trustProxy) &&
      isLoopback((request.raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
      isLoopback(request.hostname) &&
      !forwardedHeaders.some((name) => request.headers[name] !== undefined);
    if (!isLocal)
      throw new DomainError('permission_denied', 'Set METRICS_TOKEN and send it as a Bearer token');
    return;
  }
  const sent = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (!sameText(sent, token))
    throw new DomainError('unauthenticated', 'Send METRICS_TOKEN as a Bearer token');
}

/** Whether TRUST_PROXY names this machine. */
function trustsItself(trustProxy: readonly string[]): boolean {
  const named = new BlockList();
  for (const word of trustProxy) {
    const [address = '', bits] = word.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const wholeBits = family === 'ipv6' ? 128 : 32;
    if (isIP(address) !== 0) named.addSubnet(address, Number(bits ?? wholeBits), family);
  }
  return trustProxy.includes('loopback') || named.check('127.0.0.1') || named.check('::1', 'ipv6');
}
