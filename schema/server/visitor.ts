import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../src/context.ts';
import { limitRate, visitorName } from '../../src/http/limit-rate.ts';
import type { CodedFile } from '../../src/http/send-coded.ts';
import { DomainError, invalidInput } from '../../src/kit/errors.ts';
import { dashboardHashes } from './dashboard-hashes.ts';
import { introspectionOf } from './introspection.ts';

/** So many characters of a document count as one request. */
const charactersPerRequest = 1_000;

/** How long a document sent with a client token may be: anyone can get such a token, and validation may be quadratic. */
const pageDocumentMax = 4_000;

/** How many requests a document counts as, for callers that have no secret. */
export function documentCost(document: string): number {
  return Math.max(1, Math.ceil(document.length / charactersPerRequest));
}

/** Error: `invalid_request`. */
export function checkPageDocument(document: string): void {
  if (document.length <= pageDocumentMax) return;
  throw invalidInput(
    '/query',
    `must have at most ${pageDocumentMax} characters when sent with a client token`,
  );
}

type Asked = { request: FastifyRequest; reply: FastifyReply; context: Pick<Context, 'limiter'> };

/** Counts a request with a client token for the network that sends it. Errors: `rate_limited`, `invalid_request`. */
export function admitPage(document: string, { request, reply, context: { limiter } }: Asked): void {
  limitRate(limiter, visitorName(request), reply, documentCost(document));
  checkPageDocument(document);
}

/**
 * Holds a browser without a session to the documents of the dashboard, before anything is parsed: validating a document
 * of a visitor's own could take seconds. Returns the prepared result of an introspection; undefined for a document that
 * is to be executed. Errors: `rate_limited`, `unauthenticated`.
 */
export async function admitVisitor(
  document: string,
  { request, reply, context: { limiter } }: Asked,
): Promise<CodedFile | undefined> {
  limitRate(limiter, visitorName(request), reply, documentCost(document));
  if (dashboardHashes.has(createHash('sha256').update(document).digest('hex'))) return undefined;
  const introspection = introspectionOf(document);
  if (introspection) return introspection;
  throw new DomainError('unauthenticated', 'Sign in, or reload the dashboard page');
}
