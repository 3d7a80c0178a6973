import type { FastifyInstance } from 'fastify';
import { invalidInput } from '../kit/errors.ts';

/** The version of the documented API. Within a version there are only additions. */
export const apiVersion = '2026-11';

/** Every answer says the version and the request's id; a request may ask for a version by the same header. */
export function handleApiVersion(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('causeway-version', apiVersion).header('x-request-id', request.id);
    const requestedVersion = request.headers['causeway-version'];
    if (requestedVersion !== undefined && requestedVersion !== apiVersion) {
      throw invalidInput('/headers/Causeway-Version', `must be ${apiVersion}`);
    }
    done();
  });
}
