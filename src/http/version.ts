import type { FastifyInstance } from 'fastify';
import { invalidInputError } from '../kit/errors.ts';

/** The version of the documented API. Changes within a version are additive. */
export const apiVersion = '2026-11';

/** Sends the API version and the request ID with every response. Rejects requests for another version. */
export function handleApiVersion(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('causeway-version', apiVersion).header('x-request-id', request.id);
    const requestedVersion = request.headers['causeway-version'];
    if (requestedVersion !== undefined && requestedVersion !== apiVersion) {
      throw invalidInputError('/headers/Causeway-Version', `must be ${apiVersion}`);
    }
    done();
  });
}
