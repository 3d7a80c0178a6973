import type { FastifyRequest } from 'fastify';

/**
 * Returns whether the client accepts an HTML page, like a browser. Some clients of the API do too, so API routes ignore
 * this.
 */
export function acceptsPage({ headers: { accept = '' } }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(accept);
}
