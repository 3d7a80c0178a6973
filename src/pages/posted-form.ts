import type { FastifyRequest } from 'fastify';

/** The text members of what a form posted. */
export function readForm(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  const texts = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

/**
 * Whether a POST comes from a page of ours. Pages with `Referrer-Policy: no-referrer` send `Origin: null` with their
 * forms, so Sec-Fetch-Site decides. A browser too old for it, or one on plain http, is told apart by the cookies: they
 * are SameSite=Lax, so a forged POST comes without them and can do no more than anybody.
 */
export function isSameOrigin(request: FastifyRequest, publicUrl: string): boolean {
  const fetchSite = request.headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none';
  const { origin } = request.headers;
  const allowedOrigins = [undefined, 'null', publicUrl, `${request.protocol}://${request.host}`];
  return allowedOrigins.includes(origin);
}
