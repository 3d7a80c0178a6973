import type { FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';

/** What fails because the client hung up, in the middle of its body or of our answer: no fault of ours. */
export function clientAborted(error: { code?: string }, { raw }: FastifyRequest): DomainError | undefined {
  const isTruncated = raw.destroyed && !raw.complete;
  if (!isTruncated && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') return undefined;
  return new DomainError('invalid_request', 'The client closed the connection');
}
