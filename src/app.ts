import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { mountGraphql } from '../schema/server/mount.ts';
import { isGraphqlUpgrade } from '../schema/server/websocket.ts';
import type { Context } from './context.ts';
import { mountDashboard } from './dashboard-server/mount-dashboard.ts';
import { drainConnections } from './http/drain-connections.ts';
import { enforceRequestTimeout } from './http/enforce-request-timeout.ts';
import { registerHealthRoutes } from './http/health.ts';
import { createAccessLog, createLazyChildLogger } from './http/log-requests.ts';
import { registerMetricsRoute } from './http/metrics.ts';
import { handleErrors, sendProblem } from './http/problem.ts';
import { handleClientError, newRequestId, rejectExpectations, requireHost } from './http/raw-errors.ts';
import { getSecurityHeaders, setSecurityHeaders } from './http/security-headers.ts';
import {
  type ConnectionTimeouts,
  defaultTimeouts,
  enforceBodyTimeout,
  toServerOptions,
} from './http/timeouts.ts';
import { traceRequests } from './http/trace-requests.ts';
import { handleUnknownRoutes } from './http/unknown-route.ts';
import { DomainError } from './kit/errors.ts';
import { mountPages } from './pages/mount-pages.ts';
import { registerRest } from './rest/register.ts';

/** Largest body of a request; statement files come by their own, streamed way. */
const bodyLimitBytes = 256 * 1024;

/** Builds the HTTP application from its parts and never listens; tests use `inject`. */
export async function buildApp(
  context: Context,
  options: Pick<FastifyServerOptions, 'loggerInstance'> & {
    requestTimeoutMs?: number | undefined;
    times?: ConnectionTimeouts;
  } = {},
): Promise<FastifyInstance> {
  const { service } = context;
  const { trustProxy } = context.options;
  const { requestTimeoutMs, times = defaultTimeouts, ...loggerOptions } = options;
  const { http, ...limits } = toServerOptions(times);
  const app: FastifyInstance = Fastify({
    ...loggerOptions,
    ...limits,
    bodyLimit: bodyLimitBytes,
    genReqId: newRequestId,
    logController: createAccessLog(),
    childLoggerFactory: createLazyChildLogger,
    // Requests under way end by themselves; live streams end with the hub, see below.
    forceCloseConnections: 'idle',
    // So do those that come meanwhile over connections that are kept.
    return503OnClosing: false,
    ...(trustProxy.length > 0 && { trustProxy }),
    // What the framework refuses before any route is found, such as an address that cannot be decoded.
    frameworkErrors: (_error, request, reply) =>
      sendProblem(
        request,
        // No hook has run.
        reply.headers(getSecurityHeaders(service)),
        new DomainError('invalid_request', 'The URL is malformed'),
      ),
    // Other offers to upgrade (clients of HTTP/2 make one with every request) are left, and the request is answered.
    http: { ...http, shouldUpgradeCallback: isGraphqlUpgrade },
    clientErrorHandler: (error, socket) => handleClientError(error, socket, { service, log: app.log }),
    routerOptions: { maxParamLength: 200 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  });
  rejectExpectations(app.server, service);
  setSecurityHeaders(app, service);
  requireHost(app);
  enforceBodyTimeout(app, { ...times, service });
  if (context.stopSignal) drainConnections(app, context.stopSignal);
  if (context.tracer) traceRequests(app, context.tracer);
  app.addHook('preClose', async () => context.hub.close());
  enforceRequestTimeout(app, requestTimeoutMs);
  handleErrors(app, handleUnknownRoutes(app));
  registerHealthRoutes(app, context);
  registerMetricsRoute(app, context);
  await registerRest(app, context);
  await mountGraphql(app, context);
  await mountPages(app, context);
  mountDashboard(app, context);
  return app;
}
