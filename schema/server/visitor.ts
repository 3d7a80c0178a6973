import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../src/context.ts';
import { limitRate, visitorName } from '../../src/http/limit-rate.ts';
import type { CodedFile } from '../../src/http/send-coded.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { dashboardHashes } from './dashboard-hashes.ts';
import { introspectionOf } from './introspection.ts';

/** So many characters of a document count as one request. */
const charactersPerRequest = 1_000;

/**
 * Holds a browser without a session to the documents of the dashboard, before anything is parsed: validating a document
 * of a visitor's own could take seconds. Returns the prepared result of an introspection; undefined for a document that
 * is to be executed. Errors: `rate_limited`, `unauthenticated`.
 */
export async function admitVisitor(
  request: FastifyRequest,
  reply: FastifyReply,
  { limiter }: Pick<Context, 'limiter'>,
): Promise<CodedFile | undefined> {
  const { query } = (request.body ?? {}) as { query?: unknown };
  const document = typeof query === 'string' ? query : '';
  const cost = Math.max(1, Math.ceil(document.length / charactersPerRequest));
  limitRate(limiter, visitorName(request), reply, cost);
  if (dashboardHashes.has(createHash('sha256').update(document).digest('hex'))) return undefined;
  const introspection = introspectionOf(document);
  if (introspection) return introspection;
  throw new DomainError('unauthenticated', 'Sign in, or reload the page if it is the dashboard’s');
}
