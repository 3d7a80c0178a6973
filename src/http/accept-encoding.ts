import type { FastifyRequest } from 'fastify';

export type Coding = 'br' | 'gzip';

/** The best coding that the browser takes, if any. */
export function codingOf(request: FastifyRequest): Coding | undefined {
  const codings = ['br', 'gzip'] as const;
  return codings.find((coding) => accepts(request, coding));
}

/** Whether the browser takes a coding, for what exists in that alone. */
export function accepts(request: FastifyRequest, coding: Coding): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return accepted.split(',').some((item) => {
    const [name, parameter = 'q=1'] = item.split(';').map((part) => part.trim());
    return name === coding && parameter.startsWith('q=') && Number(parameter.slice(2)) > 0;
  });
}
