import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../domain/platform/service.ts';
import { hourMs } from '../kit/duration.ts';
import { hasBody } from './enforce-request-timeout.ts';
import { handleClientError } from './raw-errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether request bodies are files, which are limited by `fileMs` and `idleMs` instead of `bodyMs`. */
    acceptsFiles?: true;
  }
}

/** The time limits of connections, documented in docs/operations/run-several-processes.md. */
export type ConnectionTimeouts = {
  /** The time from the first byte of a request, or from the connection, to the last header. */
  headersMs: number;
  /** The time from the headers to the last byte of a body that is not a file. */
  bodyMs: number;
  /** The time for the whole upload of a file. */
  fileMs: number;
  /** The time between two requests on a connection. */
  keepAliveMs: number;
  /** The time without data in either direction. */
  idleMs: number;
  /** The interval at which connections are checked. */
  checkMs: number;
};

export const defaultTimeouts: ConnectionTimeouts = {
  headersMs: 20_000,
  bodyMs: 30_000,
  fileMs: hourMs,
  keepAliveMs: 72_000,
  idleMs: 120_000,
  checkMs: 5_000,
};

/** Returns the options for Fastify and Node, which enforce the limits of whole connections. */
export function toServerOptions(timeouts: ConnectionTimeouts) {
  return {
    requestTimeout: timeouts.fileMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionTimeout: timeouts.idleMs,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // `requireHost` checks the header instead.
      requireHostHeader: false,
    },
  };
}

/** Closes the connection of a request whose body takes too long, with status 408 if no response was sent. */
export function enforceBodyTimeout(
  app: FastifyInstance,
  { bodyMs, service }: Pick<ConnectionTimeouts, 'bodyMs'> & { service: Pick<Service, 'settings'> },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Injected requests have no connection.
    if (hasBody(request.raw) && socket instanceof Socket && !request.routeOptions.config.acceptsFiles) {
      const timer = setTimeout(() => {
        if (reply.raw.headersSent) socket.destroy();
        else handleClientError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket, { service, log: request.log });
      }, bodyMs);
      const clear = () => clearTimeout(timer);
      request.raw.once('end', clear).once('close', clear);
    }
    done();
  });
}
