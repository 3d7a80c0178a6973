import type { FastifyRequest } from 'fastify';

/** Whether the browser takes a coding such as `br` or `gzip`. */
export function accepts(request: FastifyRequest, coding: string): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return accepted.split(',').some((item) => {
    const [name, parameter = 'q=1'] = item.split(';').map((part) => part.trim());
    return name === coding && parameter.startsWith('q=') && Number(parameter.slice(2)) > 0;
  });
}
