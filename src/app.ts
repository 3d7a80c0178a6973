import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { mountGraphql } from '../schema/server/mount.ts';
import { asksForSocket } from '../schema/server/websocket.ts';
import type { Context } from './context.ts';
import { mountDashboard } from './dashboard-server/mount-dashboard.ts';
import { answerInTime } from './http/answer-in-time.ts';
import { healthRoutes } from './http/health.ts';
import { leaveGently } from './http/leave-gently.ts';
import { lateLogger, oneLineEach } from './http/log-requests.ts';
import { metricsRoute } from './http/metrics.ts';
import { handleErrors, sendProblem } from './http/problem.ts';
import { answerRawFault, newRequestId, refuseExpectations, requireHost } from './http/raw-faults.ts';
import { answerSafely, safeHeaders } from './http/safe-headers.ts';
import { cutSlowBodies, serverTimeOuts, type TimeOuts, timeOuts } from './http/time-outs.ts';
import { traceRequests } from './http/trace-requests.ts';
import { refuseUnknownRoute } from './http/unknown-route.ts';
import { DomainError } from './kit/errors.ts';
import { mountPages } from './pages/mount.ts';
import { registerRest } from './rest/register.ts';

/** Largest body of a request; statement files come by their own, streamed way. */
const bodyLimitBytes = 256 * 1024;

/** Builds the HTTP application from its parts and never listens; tests use `inject`. */
export async function buildApp(
  context: Context,
  options: Pick<FastifyServerOptions, 'loggerInstance'> & {
    answerMsMax?: number | undefined;
    times?: TimeOuts;
  } = {},
): Promise<FastifyInstance> {
  const { service } = context;
  const { trustProxy } = context.options;
  const { answerMsMax, times = timeOuts, ...loggerOptions } = options;
  const { http, ...limits } = serverTimeOuts(times);
  const app: FastifyInstance = Fastify({
    ...loggerOptions,
    ...limits,
    bodyLimit: bodyLimitBytes,
    genReqId: newRequestId,
    logController: oneLineEach(),
    childLoggerFactory: lateLogger,
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
        reply.headers(safeHeaders(service)),
        new DomainError('invalid_request', 'The URL is malformed'),
      ),
    // Other offers to upgrade (clients of HTTP/2 make one with every request) are left, and the request is answered.
    http: { ...http, shouldUpgradeCallback: asksForSocket },
    clientErrorHandler: (error, socket) => answerRawFault(error, socket, { service, log: app.log }),
    routerOptions: { maxParamLength: 200 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  });
  refuseExpectations(app.server, service);
  answerSafely(app, service);
  requireHost(app);
  cutSlowBodies(app, { ...times, service });
  if (context.stopping) leaveGently(app, context.stopping);
  if (context.tracer) traceRequests(app, context.tracer);
  app.addHook('preClose', async () => context.hub.close());
  answerInTime(app, answerMsMax);
  handleErrors(app, refuseUnknownRoute(app));
  healthRoutes(app, context);
  metricsRoute(app, context);
  await registerRest(app, context);
  await mountGraphql(app, context);
  await mountPages(app, context);
  mountDashboard(app, context);
  return app;
}
