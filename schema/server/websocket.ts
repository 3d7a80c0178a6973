import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import findAddress from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import type { ExecutionResult, FormattedExecutionResult, GraphQLError } from 'graphql';
import { CloseCode, type Context as Connection } from 'graphql-ws';
import { type Extra, useServer as serveProtocol } from 'graphql-ws/use/ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../../src/context.ts';
import { readBrowser } from '../../src/http/browser.ts';
import { authenticateCaller, type CallerCredentials, toRateLimitKey } from '../../src/http/caller.ts';
import { tooManyRequestsError, toVisitorKey } from '../../src/http/limit-rate.ts';
import { sendRawProblem } from '../../src/http/raw-errors.ts';
import { DomainError } from '../../src/kit/errors.ts';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { dropSlowReaders } from './drop-slow-readers.ts';
import { type PreparedOperation, prepareOperation, type RequestParams } from './execute-request.ts';
import { type ErrorLogContext, formatError, formatErrors } from './format-errors.ts';
import { checkValues, limits } from './limits.ts';
import { toGraphqlError } from './operation-limits.ts';
import { checkPageDocument, getDocumentCost } from './visitor.ts';
import { graphqlPath, type Yoga } from './yoga.ts';

/** The maximum size of a message, the same as of an HTTP body. */
const messageBytesMax = 256 * 1024;
/** The maximum number of buffered response bytes above which a client's messages are not read. */
const unreadBytesMax = 4 * messageBytesMax;
/** The close code for temporary errors in the registry of RFC 6455. */
const tryAgainLater = 1013;
/** The close code for a restart in the registry of RFC 6455. */
const serviceRestart = 1012;
/** Connections that do not complete the closing handshake at shutdown are terminated after this time. */
const closeMsMax = 1_000;

/** How long a client has to complete the closing handshake; the type definitions lack this option. */
const closeOptions = { closeTimeout: 5_000 };

type ConnectionState = { connectionId: string; credentials: CallerCredentials; ipAddress: string };
type GraphqlSocket = Connection<Record<string, unknown> | undefined, Extra & Partial<ConnectionState>>;

/** Returns whether a request opens a WebSocket for GraphQL. Other upgrade requests go to their route. */
export function isGraphqlUpgrade({ url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === graphqlPath;
}

/** Serves GraphQL over WebSocket (graphql-transport-ws) on the same path, until the application closes. */
export function serveWebSockets(app: FastifyInstance, context: Context, yoga: Yoga): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, ...closeOptions });
  const server = serveProtocol<Record<string, unknown> | undefined, ConnectionState>(
    {
      isProd: true,
      onConnect: (socket) => authenticateConnection(socket, { app, context }),
      onSubscribe: (socket, id, params) => prepareRequest(socket, id, params, { app, context, yoga }),
      execute: (args) => (args as PreparedOperation).execute(args),
      subscribe: (args) => (args as PreparedOperation).subscribe(args),
      onNext: (socket, id, _params, _args, result) => {
        const formatted = formatErrors(result as ExecutionResult, toErrorLogContext(app, socket, id));
        closeIfUnauthenticated(socket, formatted.errors);
        return formatted as FormattedExecutionResult;
      },
      onError: (socket, id, _params, errors) => {
        const formatted = errors.map((error) => formatError(error, toErrorLogContext(app, socket, id)));
        closeIfUnauthenticated(socket, formatted);
        return formatted.map((error) => error.toJSON());
      },
    },
    sockets,
  );
  sockets.on('wsClientError', ({ message }: Error, socket: Duplex) => {
    const { service } = context;
    const error = new DomainError('invalid_request', `The WebSocket handshake is invalid: ${message}`);
    sendRawProblem(error, socket, { service, log: app.log });
  });
  const stopMonitor = dropSlowReaders(sockets);
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      sockets.emit('connection', client, request);
      // Without this, the handler of the protocol library writes each invalid frame to stderr.
      client.removeAllListeners('error');
      client.on('error', ({ message }) => app.log.info({ error: message }, 'WebSocket connection failed'));
      rejectServerMessages(client);
      applyBackpressure(client, socket);
    });
  });
  // Closes the sockets before the streams end, because clients do not resume a stream after its `complete` message.
  context.hub.onClose(() => {
    for (const client of sockets.clients) client.close(serviceRestart, 'Service restart');
  });
  app.addHook('preClose', async () => {
    const terminateTimer = setTimeout(() => {
      for (const client of sockets.clients) client.terminate();
    }, closeMsMax);
    stopMonitor();
    await server.dispose();
    clearTimeout(terminateTimer);
  });
}

/** Rejects messages that only servers may send, which the protocol library would report as an internal error. */
function rejectServerMessages(client: WebSocket): void {
  const [handle] = client.listeners('message') as ((data: RawData, isBinary: boolean) => void)[];
  client.removeAllListeners('message');
  client.on('message', (data, isBinary) => {
    if (isServerMessage(String(data))) client.close(CloseCode.BadRequest, 'Invalid message received');
    else handle?.call(client, data, isBinary);
  });
}

/**
 * Stops reading from a client while its unread responses exceed the limit. This includes pongs, which repeat
 * the payload of pings, and errors.
 */
function applyBackpressure(client: WebSocket, socket: Duplex): void {
  client.prependListener('message', () => {
    if (client.bufferedAmount > unreadBytesMax) client.pause();
  });
  socket.on('drain', () => client.resume());
}

function isServerMessage(text: string): boolean {
  try {
    return ['connection_ack', 'next', 'error'].includes(JSON.parse(text)?.type);
  } catch {
    // The protocol library rejects invalid JSON.
    return false;
  }
}

function toErrorLogContext(
  app: FastifyInstance,
  { extra }: GraphqlSocket,
  operationId: string,
): ErrorLogContext {
  return { log: app.log, requestId: `${extra.connectionId}/${operationId.slice(0, 64)}` };
}

/**
 * Authenticates a connection by `connectionParams.authorization`, or by the dashboard's session in the mode
 * `connectionParams.mode` and of the user `connectionParams.viewer`. Closes with 4401 without valid
 * credentials, after which clients do not reconnect, and counts the connection for the client's network.
 */
async function authenticateConnection(
  socket: GraphqlSocket,
  { app, context }: { app: FastifyInstance; context: Context },
): Promise<boolean> {
  const params = socket.connectionParams ?? {};
  const { headers } = socket.extra.request;
  const authorization = params.authorization ?? params.Authorization ?? headers.authorization;
  const credentials: CallerCredentials = {
    authorization: typeof authorization === 'string' ? authorization : undefined,
  };
  socket.extra.connectionId = randomUUID();
  socket.extra.credentials = credentials;
  socket.extra.ipAddress = findAddress(socket.extra.request, context.options.trustProxy);
  try {
    // The dashboard always sends its mode. GraphiQL does not, so it has only the credentials of its headers.
    if (params.mode !== undefined) {
      const { mode, viewer } = params;
      credentials.browser = readBrowser(context.service, { headers, mode, viewer });
    }
    await authenticateCaller(context.service, credentials, context.clock.now());
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) {
      app.log.error({ err: error, requestId: socket.extra.connectionId }, 'GraphQL connection failed');
      // Clients do not reconnect after 4500, but this error may be temporary.
      socket.extra.socket.close(tryAgainLater, 'Try again later');
    } else {
      context.limiter?.take(toVisitorKey({ ip: socket.extra.ipAddress }), performance.now());
      socket.extra.socket.close(CloseCode.Unauthorized, 'Unauthorized');
    }
    return false;
  }
}

/** Authenticates each operation again; parses and validates it with the same engine as HTTP. */
async function prepareRequest(
  socket: GraphqlSocket,
  id: string,
  params: RequestParams,
  { app, context, yoga }: { app: FastifyInstance; context: Context; yoga: Yoga },
): Promise<PreparedOperation | readonly GraphQLError[]> {
  const { credentials = { authorization: undefined }, ipAddress = '' } = socket.extra;
  const authenticate = () => authenticateCaller(context.service, credentials, context.clock.now());
  try {
    const caller = await authenticate();
    const cost = caller.kind === 'clientToken' ? getDocumentCost(params.query) : 1;
    const verdict = context.limiter?.take(toRateLimitKey(caller, ipAddress), performance.now(), cost);
    if (verdict?.isAllowed === false) throw tooManyRequestsError(verdict.retryAfterSeconds);
    if (caller.kind === 'clientToken') checkPageDocument(params.query);
    checkValues(params.variables, '/variables');
    checkOperationCount(socket);
    const logContext = toErrorLogContext(app, socket, id);
    const requestContext: GraphqlContext = { ...context, ...logContext, caller, authenticate, ipAddress };
    return await prepareOperation(yoga, params, requestContext);
  } catch (error) {
    return [toGraphqlError(error)];
  }
}

/**
 * Closes a connection whose credentials became invalid, with the same close code as for credentials that were
 * invalid from the start.
 */
function closeIfUnauthenticated({ extra }: GraphqlSocket, errors: readonly GraphQLError[] = []): void {
  const closingCodes = ['unauthenticated', 'account_disabled'];
  if (errors.some(({ extensions }) => closingCodes.includes(String(extensions.code)))) {
    extra.socket.close(CloseCode.Unauthorized, 'Unauthorized');
  }
}

function checkOperationCount({ subscriptions }: GraphqlSocket): void {
  const { operationsPerSocket } = limits;
  if (Object.keys(subscriptions).length <= operationsPerSocket) return;
  throw new DomainError(
    'rate_limited',
    `A connection can have at most ${operationsPerSocket} concurrent operations`,
  );
}
