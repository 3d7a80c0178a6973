import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { DomainError } from '../kit/errors.ts';
import { takeRandom } from '../kit/random.ts';
import { toProblem } from './problem.ts';
import { apiVersion } from './version.ts';

/** Told apart over processes and restarts: 96 random bits. */
export const newRequestId = (): string => `req_${takeRandom(12).toString('base64url')}`;

/** What Node's parser says of a request that it cannot read. */
type RawFault = Error & { code?: string };

/** A client has so long to take the answer and hang up. */
const goodbyeMs = 1_000;

/** Requests that are none, or never come to their end, are answered like all others before their connection is closed. */
export function answerRawFault(error: RawFault, socket: Socket, log: FastifyBaseLogger): void {
  // The client has gone, or has its answer already.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(error);
  const requestId = newRequestId();
  log.info({ reqId: requestId, fault: error.code }, 'a request could not be read');
  const body = JSON.stringify(toProblem(refusal, requestId));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n` +
      `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestId}\r\nCauseway-Version: ${apiVersion}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), goodbyeMs).unref();
}

function refusalOf({ code }: RawFault): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError('headers_too_large', 'The headers may have at most 16 KiB together');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new DomainError('request_timeout', 'The request did not arrive in time');
  }
  return new DomainError('invalid_request', 'This is no HTTP request');
}

/** Node answers other expectations than 100-continue by itself, with nothing in the body. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const requestId = newRequestId();
    const refusal = new DomainError('invalid_request', 'The header Expect may only be 100-continue');
    response.writeHead(refusal.status, {
      'content-type': 'application/problem+json',
      'x-request-id': requestId,
      'causeway-version': apiVersion,
      connection: 'close',
    });
    response.end(JSON.stringify(toProblem(refusal, requestId)));
  });
}
