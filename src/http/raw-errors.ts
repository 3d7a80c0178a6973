import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Service } from '../domain/platform/service.ts';
import { DomainError } from '../kit/errors.ts';
import { readRandomBytes } from '../kit/random.ts';
import { toProblem } from './problem.ts';
import { getSecurityHeaders } from './security-headers.ts';
import { apiVersion } from './version.ts';

/** Returns an ID that is unique across processes and restarts: 96 random bits. */
export const newRequestId = (): string => `req_${readRandomBytes(12).toString('base64url')}`;

/** An error of Node's HTTP parser. */
type HttpClientError = { code?: string };

type RawResponseOptions = { service: Pick<Service, 'settings'>; log: FastifyBaseLogger };

/** The time in which a client can read the response before its connection is closed. */
const closeMsMax = 1_000;

/** Responds to malformed and incomplete requests with problem+json, and closes the connection. */
export function handleClientError(error: HttpClientError, socket: Duplex, options: RawResponseOptions): void {
  // After a connection reset, the client cannot receive a response.
  if (error.code === 'ECONNRESET') socket.destroy();
  else sendRawProblem(toDomainError(error), socket, options);
}

/** Writes an error response to a connection on which Fastify handles no request, and closes the connection. */
export function sendRawProblem(
  error: DomainError,
  socket: Duplex,
  { service, log }: RawResponseOptions,
): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  log.info({ reqId: requestId, error: error.message }, 'malformed request');
  const body = JSON.stringify(toProblem(error, requestId));
  const headers = { ...getRawHeaders(service, requestId), 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), closeMsMax).unref();
}

function getRawHeaders(service: RawResponseOptions['service'], requestId: string): Record<string, string> {
  return {
    ...getSecurityHeaders(service),
    'content-type': 'application/problem+json',
    'x-request-id': requestId,
    'causeway-version': apiVersion,
    connection: 'close',
  };
}

function toDomainError({ code }: HttpClientError): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError('headers_too_large', 'The headers must be at most 16 KiB in total');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new DomainError('request_timeout', 'The request was not received in time; send it again');
  }
  return new DomainError('invalid_request', 'The request is not valid HTTP');
}

/** Rejects expectations other than 100-continue, to which Node would respond with an empty body. */
export function rejectExpectations(server: Server, service: RawResponseOptions['service']): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const requestId = newRequestId();
    const error = new DomainError('invalid_request', 'The Expect header must be 100-continue');
    response.writeHead(error.status, getRawHeaders(service, requestId));
    response.end(JSON.stringify(toProblem(error, requestId)));
  });
}

/** Rejects HTTP/1.1 requests without a Host header. Node's own rejection would lack the common headers. */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new DomainError('invalid_request', 'The Host header is required');
    }
    done();
  });
}
