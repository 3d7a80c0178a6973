import type { FastifyRequest } from 'fastify';

export type ContentCoding = 'br' | 'gzip';

/** Returns the smallest coding that the client accepts, regardless of its preferences. */
export function negotiateCoding(request: FastifyRequest): ContentCoding | undefined {
  const codings = ['br', 'gzip'] as const;
  return codings.find((coding) => acceptsCoding(request, coding));
}

export function acceptsCoding(request: FastifyRequest, coding: ContentCoding): boolean {
  const header = String(request.headers['accept-encoding'] ?? '');
  return header.split(',').some((item) => {
    const [name, parameter = 'q=1'] = item.split(';').map((part) => part.trim());
    return name === coding && parameter.startsWith('q=') && Number(parameter.slice(2)) > 0;
  });
}
