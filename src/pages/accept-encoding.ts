import type { FastifyRequest } from 'fastify';

/** Whether the browser takes a coding such as `br` or `gzip`. */
export function accepts(request: FastifyRequest, coding: string): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return accepted.split(',').some((item) => {
    const [name, weight = '1'] = item.trim().split(/\s*;\s*q=/);
    return name === coding && Number(weight) > 0;
  });
}
