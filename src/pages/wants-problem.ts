import type { FastifyRequest } from 'fastify';

/** Returns whether the client is a program, not a browser: it accepts JSON and no HTML. */
export function wantsProblem({ headers: { accept = '' } }: FastifyRequest): boolean {
  return /\bapplication\/(?:problem\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
