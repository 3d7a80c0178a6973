import type { FastifyRequest } from 'fastify';

/** Whether a program asks rather than a browser: it accepts JSON and no page. */
export function wantsProblem({ headers: { accept = '' } }: FastifyRequest): boolean {
  return /\bapplication\/(?:problem\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
