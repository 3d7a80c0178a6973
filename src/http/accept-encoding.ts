import type { FastifyRequest } from 'fastify';

export type ContentCoding = 'br' | 'gzip';

/** Returns the best coding that the client accepts, if any. */
export function negotiateCoding(request: FastifyRequest): ContentCoding | undefined {
  const codings = ['br', 'gzip'] as const;
  return codings.find((coding) => acceptsCoding(request, coding));
}

/** Returns whether the client accepts a coding, for responses available only in that coding. */
export function acceptsCoding(request: FastifyRequest, coding: ContentCoding): boolean {
  const header = String(request.headers['accept-encoding'] ?? '');
  return header.split(',').some((item) => {
    const [name, parameter = 'q=1'] = item.split(';').map((part) => part.trim());
    return name === coding && parameter.startsWith('q=') && Number(parameter.slice(2)) > 0;
  });
}
