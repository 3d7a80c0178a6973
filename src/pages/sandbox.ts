import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../prisma/client/client.ts';
import { PageError } from './error-page.ts';

/**
 * Returns whether the URL lacks `isSandbox=true` for a sandbox object. Throws `PageError` if the URL has it
 * for a live object.
 */
export function needsSandboxParameter(isSandbox: unknown, mode: Mode): boolean {
  const isSandboxRequested = isSandbox === 'true';
  if (isSandboxRequested && mode === 'live') throw new PageError('liveAsSandbox', 400);
  return !isSandboxRequested && mode === 'sandbox';
}

/**
 * Redirects to the same URL with `isSandbox=true` if the parameter is missing, and returns whether it
 * redirected. Throws the error of {@link needsSandboxParameter}.
 */
export function redirectToSandbox(request: FastifyRequest, reply: FastifyReply, mode: Mode): boolean {
  const { isSandbox } = request.query as { isSandbox?: unknown };
  if (!needsSandboxParameter(isSandbox, mode)) return false;
  const url = new URL(request.url, 'http://page');
  url.searchParams.set('isSandbox', 'true');
  reply.redirect(url.pathname + url.search, request.method === 'POST' ? 303 : 302);
  return true;
}
