import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidInputError } from '../kit/errors.ts';

const keyLengthMax = 255;

/** Rejects invalid Idempotency-Key headers on every POST, also on routes that ignore the key. */
export function checkIdempotencyKeys(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.method === 'POST') readIdempotencyKey(request);
    done();
  });
}

/** Returns the Idempotency-Key of a request, if it has one. Rejects an invalid key. */
export function readIdempotencyKey(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= keyLengthMax) return key;
  throw invalidInputError('/headers/Idempotency-Key', `must be 1 to ${keyLengthMax} characters long`);
}
