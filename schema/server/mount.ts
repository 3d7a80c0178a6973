import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { printSchema } from 'graphql';
import type { Context } from '../../src/context.ts';
import {
  modeHeader,
  readBrowser,
  serializeSessionCookie,
  serializeTrustedBrowserCookie,
  viewerHeader,
} from '../../src/http/browser.ts';
import {
  authenticateCaller,
  type Caller,
  type CallerCredentials,
  toRateLimitKey,
} from '../../src/http/caller.ts';
import { toClientAbortedError } from '../../src/http/client-aborted.ts';
import { readIdempotencyKey } from '../../src/http/idempotency-key.ts';
import { limitRate, limitRejected, toVisitorKey } from '../../src/http/limit-rate.ts';
import { createCachedTextHandler } from '../../src/http/send-compressed.ts';
import { handleApiVersion } from '../../src/http/version.ts';
import { DomainError, type ErrorCode, errorCatalog } from '../../src/kit/errors.ts';
import type { BrowserSession, GraphqlContext } from '../kit/graphql-context.ts';
import { schema } from '../schema.ts';
import { executeJson } from './execute-request.ts';
import { formatError } from './format-errors.ts';
import { createGraphiqlHandler, isBrowser } from './graphiql.ts';
import { getFullIntrospection, sendIntrospection } from './introspection.ts';
import { checkParams, readRequestParams } from './request-params.ts';
import { admitPage, admitVisitor } from './visitor.ts';
import { serveWebSockets } from './websocket.ts';
import { createGraphqlServer, graphqlPath, type Yoga } from './yoga.ts';

/**
 * Serves GraphQL over HTTP, SSE and WebSocket at /graphql, and GraphiQL to browsers at the same path. Serves
 * the SDL at /schema.graphql. Content type parsers and error responses apply to this scope only.
 */
export async function mountGraphql(app: FastifyInstance, context: Context): Promise<void> {
  const yoga = createGraphqlServer(context.tracer);
  const sendGraphiql = createGraphiqlHandler(context);
  await app.register(async (scope) => {
    // Accepts only JSON: any website can send forms and plain text without a CORS preflight.
    scope.removeContentTypeParser('text/plain');
    scope.setErrorHandler<FastifyError>(sendError);
    scope.addHook('onRequest', async (request, reply) => setCorsHeaders(request, reply));
    handleApiVersion(scope);
    scope.route({
      method: ['GET', 'POST'],
      url: graphqlPath,
      config: { isTimeoutExempt: (request) => slowRequests.has(request) },
      handler: (request, reply) =>
        isBrowser(request) ? sendGraphiql(request, reply) : handleRequest(request, reply, { context, yoga }),
    });
    scope.options(graphqlPath, async (_request, reply) => reply.code(204).send());
    scope.route({
      method: ['PUT', 'PATCH', 'DELETE'],
      url: graphqlPath,
      handler: async (_request, reply) => {
        reply.header('allow', 'GET, POST');
        throw new DomainError('method_not_allowed', `${graphqlPath} supports GET, POST`);
      },
    });
    serveSchema(scope, context);
  });
  serveWebSockets(app, context, yoga);
}

/** Serves the SDL, and the introspection result for GraphiQL. */
function serveSchema(scope: FastifyInstance, { limiter }: Context): void {
  const sendSdl = createCachedTextHandler('text/plain; charset=utf-8', () => `${printSchema(schema)}\n`);
  scope.get('/schema.graphql', async (request, reply) => {
    const accept = request.headers.accept ?? '';
    reply.header('vary', 'Origin, Authorization, Accept');
    if (accept.includes('application/json')) {
      return sendIntrospection(request, reply, { file: await getFullIntrospection(), limiter });
    }
    return sendSdl(request, reply);
  });
}

/** Requests that are exempt from the timeout because their mutation has the option `isLongRunning`. */
const slowRequests = new WeakSet<FastifyRequest>();

async function handleRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { context, yoga }: { context: Context; yoga: Yoga },
): Promise<FastifyReply> {
  const credentials = readCredentials(request, context);
  const authenticate = () => authenticateCaller(context.service, credentials, context.clock.now());
  const caller = await limitRejected(context.limiter, { request, reply }, () =>
    authenticate().catch((error) => toVisitor(error, { credentials, request })),
  );
  const params = readRequestParams(request);
  const document = params.query ?? '';
  if (caller.kind === 'visitor') {
    const introspection = await admitVisitor(document, { request, reply, context });
    if (introspection) {
      return sendIntrospection(request, reply, { file: introspection, limiter: context.limiter });
    }
  } else if (caller.kind === 'clientToken') {
    admitPage(document, { request, reply, context });
  } else {
    limitRate(context.limiter, toRateLimitKey(caller, request.ip), reply);
  }
  const requestContext: GraphqlContext = {
    ...context,
    caller,
    authenticate,
    params,
    browser: createBrowserSession(credentials, { context, request, reply }),
    ipAddress: request.ip,
    requestId: request.id,
    log: request.log,
    idempotencyKey: request.method === 'POST' ? readIdempotencyKey(request) : undefined,
    extendTime: () => void slowRequests.add(request),
    onReplay: () => void reply.header('idempotent-replayed', 'true'),
  };
  checkParams(request, params);
  const result = wantsJson(request) ? await executeJson(yoga, params, requestContext) : undefined;
  if (result) {
    return reply
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(result));
  }
  const response = await yoga.handleNodeRequestAndResponse(request, reply, requestContext);
  // Yoga sends 406 without an explanation.
  if (response.status === 406) throw notAcceptableError();
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  reply.header('cache-control', 'no-store');
  return reply.send(response.body);
}

function notAcceptableError(): DomainError {
  return new DomainError(
    'not_acceptable',
    'The Accept header must allow application/json or application/graphql-response+json, or text/event-stream for a subscription. Subscriptions also work over WebSocket with the protocol graphql-transport-ws',
  );
}

/** Returns whether `executeJson` can respond; Yoga's handler serves other methods and Accept headers. */
function wantsJson({ method, headers: { accept = 'application/json' } }: FastifyRequest): boolean {
  return method === 'POST' && (accept === 'application/json' || accept === '*/*');
}

/**
 * Reads the credentials. Session cookies are accepted only for JSON by POST, which browsers do not send
 * cross-origin without a preflight.
 */
function readCredentials(request: FastifyRequest, { service }: Context): CallerCredentials {
  const { headers, method } = request;
  const { authorization } = headers;
  if (authorization !== undefined || method !== 'POST') return { authorization };
  const [mode, viewer] = [headers[modeHeader], headers[viewerHeader]];
  return { authorization, browser: readBrowser(service, { headers, mode, viewer }) };
}

/** Returns a visitor for a page of the dashboard before sign-in; otherwise rethrows the error. */
function toVisitor(
  error: unknown,
  { credentials, request }: { credentials: CallerCredentials; request: FastifyRequest },
): Caller {
  const isSignedOut = error instanceof DomainError && error.code === 'unauthenticated';
  if (!isSignedOut || !credentials.browser) throw error;
  return { kind: 'visitor', actor: toVisitorKey(request) };
}

function createBrowserSession(
  { browser }: CallerCredentials,
  { context, request, reply }: { context: Context; request: FastifyRequest; reply: FastifyReply },
): BrowserSession | undefined {
  if (!browser) return undefined;
  return {
    ...browser,
    ipAddress: request.ip,
    userAgent: request.headers['user-agent'],
    setSessionCookie: (session) =>
      void reply.header('set-cookie', serializeSessionCookie(context.service, session)),
    setTrustedBrowserCookie: (email) =>
      void reply.header(
        'set-cookie',
        serializeTrustedBrowserCookie(context.service, { email, now: context.clock.now() }),
      ),
    clearSessionCookie: () => void reply.header('set-cookie', serializeSessionCookie(context.service)),
  };
}

/** The headers that pages may send: those of the API, and those that tracing and GraphQL clients add by default. */
const allowedHeaders =
  'Authorization, Content-Type, Causeway-Version, Idempotency-Key, Traceparent, Tracestate, Baggage, Sentry-Trace, Apollo-Require-Preflight';

/**
 * Allows any origin to call with a client token, and to send preflight requests. API secrets must not be used
 * in pages. Browsers do not send cookies to a wildcard origin.
 */
function setCorsHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'Origin, Authorization');
  const { authorization = '' } = request.headers;
  if (authorization !== '' && !/^bearer /i.test(authorization)) return;
  reply
    .header('access-control-allow-origin', '*')
    .header(
      'access-control-expose-headers',
      'X-Request-Id, Causeway-Version, Retry-After, Idempotent-Replayed',
    );
  if (request.method !== 'OPTIONS') return;
  reply
    .header('access-control-allow-methods', 'GET, POST')
    .header('access-control-allow-headers', allowedHeaders)
    .header('access-control-max-age', '86400');
}

/** Sends errors that occur before the GraphQL engine runs in the form of a GraphQL response. */
function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const domainError = toClientAbortedError(error, request) ?? toDomainError(error);
  const graphqlError = formatError(domainError, { log: request.log, requestId: request.id });
  if (domainError instanceof DomainError && domainError.retryAfterSeconds !== undefined)
    reply.header('retry-after', domainError.retryAfterSeconds);
  const { status } = errorCatalog[graphqlError.extensions.code as ErrorCode];
  // With this header, browsers would show a password prompt for requests of web pages, which have an Origin.
  if (status === 401 && request.headers.origin === undefined)
    reply.header('www-authenticate', 'Basic realm="Causeway", charset="UTF-8"');
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors: [graphqlError] }));
}

/** Converts Fastify's errors of the request body, which it distinguishes by status, into domain errors. */
function toDomainError(error: FastifyError): Error {
  if (error.statusCode === 413)
    return new DomainError('payload_too_large', 'The body must be at most 256 KiB');
  if (error.statusCode === 415)
    return new DomainError('unsupported_media_type', 'The Content-Type must be application/json');
  return error.statusCode === 400 ? new DomainError('invalid_request', 'The body is not valid JSON') : error;
}
