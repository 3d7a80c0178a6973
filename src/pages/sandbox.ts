import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../prisma/client/client.ts';
import { PageError } from './error-page.ts';

/**
 * Whether an address must say `isSandbox=true` and does not: every one of the sandbox does. Error: PageRefusal, for what
 * is live and asked for there.
 */
export function needsSandboxParameter(isSandbox: unknown, mode: Mode): boolean {
  const isSandboxRequested = isSandbox === 'true';
  if (isSandboxRequested && mode === 'live') throw new PageError('liveAsSandbox', 400);
  return !isSandboxRequested && mode === 'sandbox';
}

/**
 * Sends the browser on to the same address in the sandbox, where what it opens is there and the address does not say so;
 * tells whether it did. Error: as lacksSandbox.
 */
export function redirectToSandbox(request: FastifyRequest, reply: FastifyReply, mode: Mode): boolean {
  const { isSandbox } = request.query as { isSandbox?: unknown };
  if (!needsSandboxParameter(isSandbox, mode)) return false;
  const address = new URL(request.url, 'http://page');
  address.searchParams.set('isSandbox', 'true');
  reply.redirect(address.pathname + address.search, request.method === 'POST' ? 303 : 302);
  return true;
}
