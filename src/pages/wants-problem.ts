import type { FastifyRequest } from 'fastify';

/** Returns whether the client wants errors as problem+json: it accepts JSON, but not HTML. */
export function wantsProblem({ headers: { accept = '' } }: FastifyRequest): boolean {
  return /\bapplication\/(?:problem\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
