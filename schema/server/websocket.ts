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
import { authenticateCaller, type Credentials, toRateLimitKey } from '../../src/http/caller.ts';
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

/** As for a body over HTTP. */
const messageBytesMax = 256 * 1024;
/** What may wait to be read by a client that goes on asking. */
const unreadBytesMax = 4 * messageBytesMax;
/** The close code of RFC 6455's registry for what may work in a moment. */
const tryAgainLater = 1013;
/** A client that does not answer our goodbye is cut off after so long. */
const closeMsMax = 1_000;

/** Whom we hang up on has so long to do the same; the types do not know it yet. */
const closeOptions = { closeTimeout: 5_000 };

/** What is kept of a connection. */
type ConnectionState = { connectionId: string; credentials: Credentials; address: string };
type GraphqlSocket = Connection<Record<string, unknown> | undefined, Extra & Partial<ConnectionState>>;

/** Whether a request is for a WebSocket of GraphQL; any other goes to its route, whatever it offers to upgrade to. */
export function isGraphqlUpgrade({ url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === graphqlPath;
}

/** GraphQL over WebSocket (protocol graphql-transport-ws) on the same path; it ends with the application. */
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
      // The protocol's own handler writes each frame that anybody garbles to stderr.
      client.removeAllListeners('error');
      client.on('error', ({ message }) => app.log.info({ fault: message }, 'WebSocket connection failed'));
      rejectServerMessages(client);
      applyBackpressure(client, socket);
    });
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

/** What only a server says, said by a client: the protocol's own handler would take it for a fault of ours. */
function rejectServerMessages(client: WebSocket): void {
  const [handle] = client.listeners('message') as ((data: RawData, isBinary: boolean) => void)[];
  client.removeAllListeners('message');
  client.on('message', (data, isBinary) => {
    if (isServerMessage(String(data))) client.close(CloseCode.BadRequest, 'Invalid message received');
    else handle?.call(client, data, isBinary);
  });
}

/**
 * Reads no more from a client that does not read what it is answered, until it has: pings are answered with what they
 * carry, and refusals are answers too.
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
    // What is no JSON the handler refuses itself.
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
 * Lets a connection in by `connectionParams.authorization`, or by the session of the dashboard in the mode of
 * `connectionParams.mode`, of the user whom `connectionParams.viewer` names: without credentials 4401, with wrong ones 4403.
 */
async function authenticateConnection(
  socket: GraphqlSocket,
  { app, context }: { app: FastifyInstance; context: Context },
): Promise<boolean> {
  const params = socket.connectionParams ?? {};
  const { headers } = socket.extra.request;
  const authorization = params.authorization ?? params.Authorization ?? headers.authorization;
  const credentials: Credentials = {
    authorization: typeof authorization === 'string' ? authorization : undefined,
  };
  socket.extra.connectionId = randomUUID();
  socket.extra.credentials = credentials;
  socket.extra.address = findAddress(socket.extra.request, context.options.trustProxy);
  try {
    // The dashboard always names the mode it shows. GraphiQL does not: it has only the credentials of its headers.
    if (params.mode !== undefined) {
      const { mode, viewer } = params;
      credentials.browser = readBrowser(context.service, { headers, mode, viewer });
    }
    await authenticateCaller(context.service, credentials, context.clock.now());
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) {
      app.log.error({ err: error, requestId: socket.extra.connectionId }, 'GraphQL connection failed');
      // Clients give up after 4500: what fails here may work in a moment.
      socket.extra.socket.close(tryAgainLater, 'Try again later');
    } else if (credentials.authorization === undefined) {
      socket.extra.socket.close(CloseCode.Unauthorized, 'Unauthorized');
    }
    // What is still open is closed with 4403.
    return false;
  }
}

/** Each operation looks its credentials up anew, and is parsed and checked by the same engine as over HTTP. */
async function prepareRequest(
  socket: GraphqlSocket,
  id: string,
  params: RequestParams,
  { app, context, yoga }: { app: FastifyInstance; context: Context; yoga: Yoga },
): Promise<PreparedOperation | readonly GraphQLError[]> {
  const { credentials = { authorization: undefined }, address = '' } = socket.extra;
  const authenticate = () => authenticateCaller(context.service, credentials, context.clock.now());
  try {
    const caller = await authenticate();
    const cost = caller.kind === 'page' ? getDocumentCost(params.query) : 1;
    const verdict = context.limiter?.take(toRateLimitKey(caller, address), performance.now(), cost);
    if (verdict?.isAllowed === false) throw new DomainError('rate_limited');
    if (caller.kind === 'page') checkPageDocument(params.query);
    checkValues(params.variables, '/variables');
    checkOperationCount(socket);
    const logContext = toErrorLogContext(app, socket, id);
    const requestContext: GraphqlContext = { ...context, ...logContext, caller, authenticate, address };
    return await prepareOperation(yoga, params, requestContext);
  } catch (error) {
    return [toGraphqlError(error)];
  }
}

/** A connection whose credentials have ended is closed as one that came with wrong ones: the code is the answer. */
function closeIfUnauthenticated({ extra }: GraphqlSocket, errors: readonly GraphQLError[] = []): void {
  const closingCodes = ['unauthenticated', 'account_disabled'];
  if (errors.some(({ extensions }) => closingCodes.includes(String(extensions.code)))) {
    extra.socket.close(CloseCode.Forbidden, 'Forbidden');
  }
}

/** One connection may have so many operations at a time. Error: `rate_limited`. */
function checkOperationCount({ subscriptions }: GraphqlSocket): void {
  const { operationsPerSocket } = limits;
  if (Object.keys(subscriptions).length <= operationsPerSocket) return;
  throw new DomainError(
    'rate_limited',
    `A connection can have at most ${operationsPerSocket} concurrent operations`,
  );
}
