import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Service } from '../domain/platform/service.ts';
import { DomainError } from '../kit/errors.ts';
import { takeRandom } from '../kit/random.ts';
import { toProblem } from './problem.ts';
import { safeHeaders } from './safe-headers.ts';
import { apiVersion } from './version.ts';

/** Told apart over processes and restarts: 96 random bits. */
export const newRequestId = (): string => `req_${takeRandom(12).toString('base64url')}`;

/** What Node's parser says of a request that it cannot read. */
type RawFault = { code?: string };

type Options = { service: Pick<Service, 'settings'>; log: FastifyBaseLogger };

/** A client has so long to take the answer and hang up. */
const goodbyeMs = 1_000;

/** Requests that are none, or never come to their end, are answered like all others before their connection is closed. */
export function answerRawFault(error: RawFault, socket: Duplex, options: Options): void {
  // The client has gone, or has its answer already.
  if (error.code === 'ECONNRESET') socket.destroy();
  else answerRaw(refusalOf(error), socket, options);
}

/** Writes an error to a connection that no route answers, and closes it. */
export function answerRaw(error: DomainError, socket: Duplex, { service, log }: Options): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  log.info({ reqId: requestId, fault: error.message }, 'malformed request');
  const body = JSON.stringify(toProblem(error, requestId));
  const headers = { ...rawHeaders(service, requestId), 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), goodbyeMs).unref();
}

function rawHeaders(service: Options['service'], requestId: string): Record<string, string> {
  return {
    ...safeHeaders(service),
    'content-type': 'application/problem+json',
    'x-request-id': requestId,
    'causeway-version': apiVersion,
    connection: 'close',
  };
}

function refusalOf({ code }: RawFault): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError('headers_too_large', 'The headers must be at most 16 KiB in total');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new DomainError('request_timeout', 'The request was not received in time');
  }
  return new DomainError('invalid_request', 'Malformed HTTP request');
}

/** Node answers other expectations than 100-continue by itself, with nothing in the body. */
export function refuseExpectations(server: Server, service: Options['service']): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const requestId = newRequestId();
    const refusal = new DomainError('invalid_request', 'The Expect header must be 100-continue');
    response.writeHead(refusal.status, rawHeaders(service, requestId));
    response.end(JSON.stringify(toProblem(refusal, requestId)));
  });
}

/** Rejects HTTP/1.1 requests without a Host, which Node would answer itself without our headers. */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new DomainError('invalid_request', 'The Host header is required');
    }
    done();
  });
}
