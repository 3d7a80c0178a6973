import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../domain/platform/service.ts';
import { hourMs } from '../kit/duration.ts';
import { hasBody } from './has-body.ts';
import { answerRawFault } from './raw-faults.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its bodies are files: they may take long, as long as something comes. */
    takesFiles?: true;
  }
}

/** How long a connection may take for what. docs/operating.md tells them. */
export type TimeOuts = {
  /** From the first byte of a request to its last header; also for a connection on which nothing comes. */
  headersMs: number;
  /** From the headers to the last byte of a body that is no file. */
  bodyMs: number;
  /** For the whole of a file. */
  fileMs: number;
  /** A connection between two requests. */
  keepAliveMs: number;
  /** A connection on which nothing moves, in neither direction. */
  silentMs: number;
  /** So often it is looked which connections are over their time. */
  checkMs: number;
};

export const timeOuts: TimeOuts = {
  headersMs: 20_000,
  bodyMs: 30_000,
  fileMs: hourMs,
  keepAliveMs: 72_000,
  silentMs: 120_000,
  checkMs: 5_000,
};

/** For Fastify and Node, which keep the times of whole connections. */
export function serverTimeOuts(given: TimeOuts) {
  return {
    requestTimeout: given.fileMs,
    keepAliveTimeout: given.keepAliveMs,
    connectionTimeout: given.silentMs,
    http: {
      headersTimeout: given.headersMs,
      connectionsCheckingInterval: given.checkMs,
      // `requireHost` checks it.
      requireHostHeader: false,
    },
  };
}

/** Cuts connections whose body takes too long: 408 where there is no answer yet. */
export function cutSlowBodies(
  app: FastifyInstance,
  { bodyMs, service }: Pick<TimeOuts, 'bodyMs'> & { service: Pick<Service, 'settings'> },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // What is injected has no connection.
    if (hasBody(request.raw) && socket instanceof Socket && !request.routeOptions.config.takesFiles) {
      const timer = setTimeout(() => {
        if (reply.raw.headersSent) socket.destroy();
        else answerRawFault({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket, { service, log: request.log });
      }, bodyMs);
      const clear = () => clearTimeout(timer);
      request.raw.once('end', clear).once('close', clear);
    }
    done();
  });
}
