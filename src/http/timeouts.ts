import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../domain/platform/service.ts';
import { hourMs } from '../kit/duration.ts';
import { hasBody } from './has-body.ts';
import { handleClientError } from './raw-errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its bodies are files: they may take long, as long as something comes. */
    takesFiles?: true;
  }
}

/** How long a connection may take for what. docs/operating.md tells them. */
export type ConnectionTimeouts = {
  /** From the first byte of a request to its last header; also for a connection on which nothing comes. */
  headersMs: number;
  /** From the headers to the last byte of a body that is no file. */
  bodyMs: number;
  /** For the whole of a file. */
  fileMs: number;
  /** A connection between two requests. */
  keepAliveMs: number;
  /** A connection on which nothing moves, in neither direction. */
  idleMs: number;
  /** So often it is looked which connections are over their time. */
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

/** For Fastify and Node, which keep the times of whole connections. */
export function toServerOptions(timeouts: ConnectionTimeouts) {
  return {
    requestTimeout: timeouts.fileMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionTimeout: timeouts.idleMs,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // `requireHost` checks it.
      requireHostHeader: false,
    },
  };
}

/** Cuts connections whose body takes too long: 408 where there is no answer yet. */
export function enforceBodyTimeout(
  app: FastifyInstance,
  { bodyMs, service }: Pick<ConnectionTimeouts, 'bodyMs'> & { service: Pick<Service, 'settings'> },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // What is injected has no connection.
    if (hasBody(request.raw) && socket instanceof Socket && !request.routeOptions.config.takesFiles) {
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
