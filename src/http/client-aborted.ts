import type { FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';

/** Returns an error if the client closed the connection during the request body or the response. */
export function toClientAbortedError(
  error: { code?: string },
  { raw }: FastifyRequest,
): DomainError | undefined {
  const isTruncated = raw.destroyed && !raw.complete;
  if (!isTruncated && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') return undefined;
  return new DomainError('invalid_request', 'The client closed the connection');
}
