import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../src/context.ts';
import { limitRate, toVisitorKey } from '../../src/http/limit-rate.ts';
import type { CompressedFile } from '../../src/http/send-compressed.ts';
import { DomainError, invalidInput } from '../../src/kit/errors.ts';
import { dashboardHashes } from './dashboard-hashes.ts';
import { getIntrospectionResult } from './introspection.ts';

/** So many characters of a document count as one request. */
const charactersPerRequest = 1_000;

/** How long a document sent with a client token may be: anyone can get such a token, and validation may be quadratic. */
const pageDocumentLengthMax = 4_000;

/** How many requests a document counts as, for callers that have no secret. */
export function getDocumentCost(document: string): number {
  return Math.max(1, Math.ceil(document.length / charactersPerRequest));
}

/** Error: `invalid_request`. */
export function checkPageDocument(document: string): void {
  if (document.length <= pageDocumentLengthMax) return;
  throw invalidInput(
    '/query',
    `must have at most ${pageDocumentLengthMax} characters when sent with a client token`,
  );
}

type AdmissionRequest = { request: FastifyRequest; reply: FastifyReply; context: Pick<Context, 'limiter'> };

/** Counts a request with a client token for the network that sends it. Errors: `rate_limited`, `invalid_request`. */
export function admitPage(
  document: string,
  { request, reply, context: { limiter } }: AdmissionRequest,
): void {
  limitRate(limiter, toVisitorKey(request), reply, getDocumentCost(document));
  checkPageDocument(document);
}

/**
 * Holds a browser without a session to the documents of the dashboard, before anything is parsed: validating a document
 * of a visitor's own could take seconds. Returns the prepared result of an introspection; undefined for a document that
 * is to be executed. Errors: `rate_limited`, `unauthenticated`.
 */
export async function admitVisitor(
  document: string,
  { request, reply, context: { limiter } }: AdmissionRequest,
): Promise<CompressedFile | undefined> {
  limitRate(limiter, toVisitorKey(request), reply, getDocumentCost(document));
  if (dashboardHashes.has(createHash('sha256').update(document).digest('hex'))) return undefined;
  const introspection = getIntrospectionResult(document);
  if (introspection) return introspection;
  throw new DomainError('unauthenticated', 'Sign in, or reload the dashboard page');
}
