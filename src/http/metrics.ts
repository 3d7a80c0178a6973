import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { attemptResults, measureBacklog } from '../domain/check/measure-backlog.ts';
import { measureJobs } from '../domain/check/measure-jobs.ts';
import { isLoopback } from '../kit/config.ts';
import { DomainError } from '../kit/errors.ts';
import { sameText } from '../kit/secrets.ts';
import { type MessageBacklog, measureMessages } from '../message/measure-messages.ts';

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
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      route: request.routeOptions.url ?? 'unknown',
      method: request.method,
      status: reply.statusCode,
    };
    duration.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const gauges = {
    eventsUnrelayed: gauge('causeway_events_unrelayed', 'Events that wait for the relay'),
    oldestUnrelayedSeconds: gauge('causeway_oldest_unrelayed_event_seconds', 'Age of the oldest of them'),
    notificationsPending: gauge('causeway_notifications_pending', 'Notifications not yet delivered'),
    notificationsDue: gauge('causeway_notifications_due', 'Those of them whose next attempt is due'),
    oldestUndeliveredSeconds: gauge(
      'causeway_oldest_undelivered_notification_seconds',
      'Age of the oldest notification not yet delivered',
    ),
    oldestDueSeconds: gauge(
      'causeway_oldest_due_notification_seconds',
      'How long the most overdue attempt has waited',
    ),
    webhooksFailing: gauge('causeway_webhooks_failing', 'Webhooks with nothing but failures at present'),
    webhooksDisabled: gauge('causeway_webhooks_disabled', 'Webhooks that are switched off'),
  };
  const jobLag = gauge('causeway_job_lag_seconds', 'How long the most overdue job has waited for a worker');
  const messageGauges = gaugesOfMessages(registry);
  const attempts = new Gauge({
    name: 'causeway_notification_attempts_last_minute',
    help: 'Attempts to deliver in the last minute, by the class of the answer or none',
    labelNames: ['result'],
    registers: [registry],
  });
  const pool = gauge('causeway_database_connections', 'Connections of this process to PostgreSQL');
  const waiting = gauge('causeway_database_waiting', 'Requests that wait for a connection');

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireMetricsAccess(request, options.metricsToken);
    const backlog = await measureBacklog(service, clock.now());
    for (const name of Object.keys(gauges) as (keyof typeof gauges)[]) gauges[name].set(backlog[name]);
    const messages = await measureMessages(service, clock.now());
    for (const name of messageNames) messageGauges[name].set(messages[name]);
    jobLag.set((await measureJobs(service, clock.now())) ?? Number.NaN);
    for (const result of attemptResults) attempts.set({ result }, backlog.attempts[result]);
    pool.set(service.pool.totalCount);
    waiting.set(service.pool.waitingCount);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

const messageNames = ['pending', 'oldestDueSeconds', 'failed'] as const;

function gaugesOfMessages(registry: Registry): Record<keyof MessageBacklog, Gauge> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  return {
    pending: gauge('causeway_messages_pending', 'Mail and SMS not yet handed over'),
    oldestDueSeconds: gauge(
      'causeway_oldest_due_message_seconds',
      'How long the most overdue mail or SMS has waited',
    ),
    failed: gauge('causeway_messages_failed', 'Mail and SMS given up within the last day'),
  };
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
