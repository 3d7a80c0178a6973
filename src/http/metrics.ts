import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { isLoopback } from '../kit/config.ts';
import { DomainError } from '../kit/errors.ts';
import { sameText } from '../kit/secrets.ts';
import { backlogGauges } from './backlog-gauges.ts';
import { requestDurations } from './request-durations.ts';

/** `/metrics` for Prometheus: requests by route, connections, and what waits to be relayed and delivered. */
export function metricsRoute(app: FastifyInstance, { service, clock, options }: Context): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = requestDurations(
    'causeway_http_request_duration_seconds',
    'Duration of HTTP requests by route, method and status',
  );
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    durations.observe({ route, method: request.method, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const pool = gauge('causeway_database_connections', 'Connections of this process to PostgreSQL');
  const waiting = gauge('causeway_database_waiting', 'What waits in this process for a connection');
  const backlog = backlogGauges(registry);

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireMetricsAccess(request, options.metricsToken);
    pool.set(service.pool.totalCount);
    waiting.set(service.pool.waitingCount);
    await backlog.read(service, clock.now());
    return reply.type(registry.contentType).send((await registry.metrics()) + durations.text());
  });
}

/** By these a proxy on this machine tells that it asks for somebody else. */
const forwardedHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** With a token: those who send it as Bearer. Without: who asks from this machine itself, by its own name. */
function requireMetricsAccess(request: FastifyRequest, token: string | undefined): void {
  if (token === undefined) {
    const isLocal =
      isLoopback((request.raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
      isLoopback(request.hostname) &&
      !forwardedHeaders.some((name) => request.headers[name] !== undefined);
    if (!isLocal) throw new DomainError('permission_denied', 'Set METRICS_TOKEN, and send it as Bearer');
    return;
  }
  const sent = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (!sameText(sent, token)) throw new DomainError('unauthenticated', 'Send METRICS_TOKEN as Bearer');
}
