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
import { authenticateCaller, type Credentials, callerName } from '../../src/http/caller.ts';
import { answerRaw } from '../../src/http/raw-faults.ts';
import { DomainError } from '../../src/kit/errors.ts';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { asGraphqlError } from './bound-operations.ts';
import { type Params, type Prepared, prepareOperation } from './execute-request.ts';
import { checkValues, limits } from './limits.ts';
import { type Report, showError, showErrors } from './shown-errors.ts';
import { dropSlowReaders } from './slow-readers.ts';
import { checkPageDocument, documentCost } from './visitor.ts';
import { graphqlPath, type Yoga } from './yoga.ts';

/** As for a body over HTTP. */
const messageBytesMax = 256 * 1024;
/** What may wait to be read by a client that goes on asking. */
const unreadBytesMax = 4 * messageBytesMax;
/** The close code of RFC 6455's registry for what may work in a moment. */
const tryAgainLater = 1013;
/** A client that does not answer our goodbye is cut off after so long. */
const goodbyeMsMax = 1_000;

/** Whom we hang up on has so long to do the same; the types do not know it yet. */
const hangingUp = { closeTimeout: 5_000 };

/** What is kept of a connection. */
type Kept = { connectionId: string; credentials: Credentials; address: string };
type Socket = Connection<Record<string, unknown> | undefined, Extra & Partial<Kept>>;

/** Whether a request is for a WebSocket of GraphQL; any other goes to its route, whatever it offers to upgrade to. */
export function asksForSocket({ url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === graphqlPath;
}

/** GraphQL over WebSocket (protocol graphql-transport-ws) on the same path; it ends with the application. */
export function serveWebSockets(app: FastifyInstance, context: Context, yoga: Yoga): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, ...hangingUp });
  const server = serveProtocol<Record<string, unknown> | undefined, Kept>(
    {
      isProd: true,
      onConnect: (socket) => connect(socket, { app, context }),
      onSubscribe: (socket, id, params) => prepare(socket, id, params, { app, context, yoga }),
      execute: (args) => (args as Prepared).execute(args),
      subscribe: (args) => (args as Prepared).subscribe(args),
      onNext: (socket, id, _params, _args, result) => {
        const shown = showErrors(result as ExecutionResult, reportOf(app, socket, id));
        endWithCredentials(socket, shown.errors);
        return shown as FormattedExecutionResult;
      },
      onError: (socket, id, _params, errors) => {
        const shown = errors.map((error) => showError(error, reportOf(app, socket, id)));
        endWithCredentials(socket, shown);
        return shown.map((error) => error.toJSON());
      },
    },
    sockets,
  );
  sockets.on('wsClientError', ({ message }: Error, socket: Duplex) => {
    const { service } = context;
    const error = new DomainError('invalid_request', `The WebSocket handshake is invalid: ${message}`);
    answerRaw(error, socket, { service, log: app.log });
  });
  const stopWatch = dropSlowReaders(sockets);
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      sockets.emit('connection', client, request);
      // The protocol's own handler writes each frame that anybody garbles to stderr.
      client.removeAllListeners('error');
      client.on('error', ({ message }) => app.log.info({ fault: message }, 'WebSocket connection failed'));
      refuseServerMessages(client);
      readAsItReads(client, socket);
    });
  });
  app.addHook('preClose', async () => {
    const cut = setTimeout(() => {
      for (const client of sockets.clients) client.terminate();
    }, goodbyeMsMax);
    stopWatch();
    await server.dispose();
    clearTimeout(cut);
  });
}

/** What only a server says, said by a client: the protocol's own handler would take it for a fault of ours. */
function refuseServerMessages(client: WebSocket): void {
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
function readAsItReads(client: WebSocket, socket: Duplex): void {
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

function reportOf(app: FastifyInstance, { extra }: Socket, operationId: string): Report {
  return { log: app.log, requestId: `${extra.connectionId}/${operationId.slice(0, 64)}` };
}

/**
 * Lets a connection in by `connectionParams.authorization`, or by the session of the dashboard in the mode of
 * `connectionParams.mode`, of the user whom `connectionParams.viewer` names: without credentials 4401, with wrong ones 4403.
 */
async function connect(
  socket: Socket,
  { app, context }: { app: FastifyInstance; context: Context },
): Promise<boolean> {
  const params = socket.connectionParams ?? {};
  const { headers } = socket.extra.request;
  const given = params.authorization ?? params.Authorization ?? headers.authorization;
  const credentials: Credentials = { authorization: typeof given === 'string' ? given : undefined };
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
async function prepare(
  socket: Socket,
  id: string,
  params: Params,
  { app, context, yoga }: { app: FastifyInstance; context: Context; yoga: Yoga },
): Promise<Prepared | readonly GraphQLError[]> {
  const { credentials = { authorization: undefined }, address = '' } = socket.extra;
  const authenticate = () => authenticateCaller(context.service, credentials, context.clock.now());
  try {
    const caller = await authenticate();
    const cost = caller.kind === 'page' ? documentCost(params.query) : 1;
    const verdict = context.limiter?.take(callerName(caller, address), performance.now(), cost);
    if (verdict?.isAllowed === false) throw new DomainError('rate_limited');
    if (caller.kind === 'page') checkPageDocument(params.query);
    checkValues(params.variables, '/variables');
    checkCount(socket);
    const report = reportOf(app, socket, id);
    const operation: GraphqlContext = { ...context, ...report, caller, authenticate, address };
    return await prepareOperation(yoga, params, operation);
  } catch (error) {
    return [asGraphqlError(error)];
  }
}

/** A connection whose credentials have ended is closed as one that came with wrong ones: the code is the answer. */
function endWithCredentials({ extra }: Socket, errors: readonly GraphQLError[] = []): void {
  const ends = ['unauthenticated', 'account_disabled'];
  if (errors.some(({ extensions }) => ends.includes(String(extensions.code)))) {
    extra.socket.close(CloseCode.Forbidden, 'Forbidden');
  }
}

/** One connection may have so many operations at a time. Error: `rate_limited`. */
function checkCount({ subscriptions }: Socket): void {
  const { operations } = limits;
  if (Object.keys(subscriptions).length <= operations) return;
  throw new DomainError('rate_limited', `A connection can have at most ${operations} concurrent operations`);
}
