import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../prisma/client/client.ts';
import { PageRefusal } from './refused.ts';

/**
 * Whether an address must say `isSandbox=true` and does not: every one of the sandbox does. Error: PageRefusal, for what
 * is live and asked for there.
 */
export function lacksSandbox(isSandbox: unknown, mode: Mode): boolean {
  const asksSandbox = isSandbox === 'true';
  if (asksSandbox && mode === 'live') throw new PageRefusal('liveAsSandbox', 400);
  return !asksSandbox && mode === 'sandbox';
}

/**
 * Sends the browser on to the same address in the sandbox, where what it opens is there and the address does not say so;
 * tells whether it did. Error: as lacksSandbox.
 */
export function isSentToSandbox(request: FastifyRequest, reply: FastifyReply, mode: Mode): boolean {
  const { isSandbox } = request.query as { isSandbox?: unknown };
  if (!lacksSandbox(isSandbox, mode)) return false;
  const address = new URL(request.url, 'http://page');
  address.searchParams.set('isSandbox', 'true');
  reply.redirect(address.pathname + address.search, request.method === 'POST' ? 303 : 302);
  return true;
}
