import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../src/context.ts';
import { limitRate, toVisitorKey } from '../../src/http/limit-rate.ts';
import type { CompressedFile } from '../../src/http/send-compressed.ts';
import { DomainError, invalidInputError } from '../../src/kit/errors.ts';
import { dashboardHashes } from './dashboard-hashes.ts';
import { getIntrospectionResult } from './introspection.ts';

/** The number of characters of a document that count as one request. */
const charactersPerRequest = 1_000;

/**
 * The maximum length of a document sent with a client token: anyone can get such a token, and validation can
 * take quadratic time.
 */
const pageDocumentLengthMax = 4_000;

/** Returns the number of requests that a document counts as, for callers without a secret. */
export function getDocumentCost(document: string): number {
  return Math.max(1, Math.ceil(document.length / charactersPerRequest));
}

export function checkPageDocument(document: string): void {
  if (document.length <= pageDocumentLengthMax) return;
  throw invalidInputError(
    '/query',
    `must have at most ${pageDocumentLengthMax} characters when sent with a client token`,
  );
}

type AdmissionRequest = { request: FastifyRequest; reply: FastifyReply; context: Pick<Context, 'limiter'> };

/** Counts a request with a client token against the client's network, and checks the length of its document. */
export function admitPage(
  document: string,
  { request, reply, context: { limiter } }: AdmissionRequest,
): void {
  limitRate(limiter, toVisitorKey(request), reply, getDocumentCost(document));
  checkPageDocument(document);
}

/**
 * Admits a browser without a session, but only with documents of the dashboard. Checks this before parsing,
 * because validating an arbitrary document can take seconds. Returns the cached result of an introspection,
 * or undefined for a document to execute.
 */
export async function admitVisitor(
  document: string,
  { request, reply, context: { limiter } }: AdmissionRequest,
): Promise<CompressedFile | undefined> {
  limitRate(limiter, toVisitorKey(request), reply, getDocumentCost(document));
  if (dashboardHashes.has(createHash('sha256').update(document).digest('hex'))) return undefined;
  const introspection = getIntrospectionResult(document);
  if (introspection) return introspection;
  throw new DomainError(
    'unauthenticated',
    'Send an API key in the Authorization header; in the dashboard, sign in or reload the page',
  );
}
