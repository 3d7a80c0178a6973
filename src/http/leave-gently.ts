import type { FastifyInstance } from 'fastify';

/**
 * Once the process is to stop, each answer is the last of its connection: clients and proxies that keep connections go
 * elsewhere with their next request, before anything is closed under them.
 */
export function leaveGently(app: FastifyInstance, stopping: AbortSignal): void {
  stopping.addEventListener('abort', () => {
    app.server.prependListener('request', (_request, response) => {
      response.setHeader('connection', 'close');
    });
  });
}
