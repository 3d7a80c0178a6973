import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { mountGraphql } from '../schema/server/mount.ts';
import { isGraphqlUpgrade } from '../schema/server/websocket.ts';
import type { Context } from './context.ts';
import { mountDashboard } from './dashboard-server/mount-dashboard.ts';
import { acceptsPage } from './http/accepts-page.ts';
import { createAccessLog, createLazyChildLogger } from './http/access-log.ts';
import { cutStreams, drainConnections } from './http/drain-connections.ts';
import { enforceRequestTimeout } from './http/enforce-request-timeout.ts';
import { registerHealthRoutes } from './http/health.ts';
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
import { mountGuides } from './pages/mount-guides.ts';
import { createPageContext, mountPages } from './pages/mount-pages.ts';
import { sendMalformedUrlPage, sendNotFoundPage, sendStaffErrorPage } from './pages/send-error-page.ts';
import { documentKeywords } from './rest/name-components.ts';
import { registerRest } from './rest/register.ts';

/** The maximum size of a request body. Statement files have their own streamed route. */
const bodyLimitBytes = 256 * 1024;
const validationOptions = {
  coerceTypes: false,
  removeAdditional: false,
  allErrors: true,
  keywords: documentKeywords,
} as const;

type AppOptions = Pick<FastifyServerOptions, 'loggerInstance'> & {
  requestTimeoutMs?: number | undefined;
  timeouts?: ConnectionTimeouts;
  /** By default, the documentation site that `npm run docs:build` creates. */
  guidesFolder?: string;
};

/** Builds the HTTP application without listening; tests use `inject`. */
export async function buildApp(context: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const { service } = context;
  const { trustProxy } = context.options;
  const { requestTimeoutMs, timeouts = defaultTimeouts, guidesFolder, ...loggerOptions } = options;
  const { http, ...limits } = toServerOptions(timeouts);
  const pageContext = createPageContext(context);
  const app: FastifyInstance = Fastify({
    ...loggerOptions,
    ...limits,
    bodyLimit: bodyLimitBytes,
    genReqId: newRequestId,
    logController: createAccessLog(),
    childLoggerFactory: createLazyChildLogger,
    // Active requests may finish, and live streams end in `preClose`.
    forceCloseConnections: 'idle',
    // Requests that arrive on keep-alive connections during shutdown are served too.
    return503OnClosing: false,
    ...(trustProxy.length > 0 && { trustProxy }),
    // Handles errors before routing, such as a URL that cannot be decoded.
    frameworkErrors: (_error, request, reply) => {
      // The hook of `setSecurityHeaders` has not run yet.
      reply.headers(getSecurityHeaders(service));
      if (acceptsPage(request)) return sendMalformedUrlPage(pageContext, request, reply);
      return sendProblem(request, reply, new DomainError('invalid_request', 'The URL is malformed'));
    },
    // Other upgrade offers are ignored and the request is served; HTTP/2 clients send one with every request.
    http: { ...http, shouldUpgradeCallback: isGraphqlUpgrade },
    clientErrorHandler: (error, socket) => handleClientError(error, socket, { service, log: app.log }),
    routerOptions: { maxParamLength: 200 },
    ajv: { customOptions: validationOptions },
  });
  rejectExpectations(app.server, service);
  setSecurityHeaders(app, service);
  requireHost(app);
  enforceBodyTimeout(app, { ...timeouts, service });
  if (context.stopSignal) drainConnections(app, context.stopSignal);
  if (context.tracer) traceRequests(app, context.tracer);
  cutStreams(app, context.hub);
  app.addHook('preClose', async () => context.hub.close());
  enforceRequestTimeout(app, requestTimeoutMs);
  handleErrors(app, {
    handleUnknownRoute: handleUnknownRoutes(app, (request, reply) =>
      sendNotFoundPage(pageContext, request, reply),
    ),
    sendStaffErrorPage: (request, reply, error) => sendStaffErrorPage(pageContext, request, reply, error),
  });
  registerHealthRoutes(app, context);
  registerMetricsRoute(app, context);
  await registerRest(app, context);
  await mountGraphql(app, context);
  await mountPages(app, context, pageContext);
  await mountGuides(app, guidesFolder);
  mountDashboard(app, context);
  return app;
}
