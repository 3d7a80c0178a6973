import type { FastifyRequest } from 'fastify';

export function readForm(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  const textFields = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(textFields);
}

/**
 * Returns whether a POST comes from one of our pages. Pages with `Referrer-Policy: no-referrer` send `Origin:
 * null` with their forms, so Sec-Fetch-Site decides. Old browsers do not send that header, nor does any browser
 * over plain HTTP. There, our cookies with `SameSite=Lax` protect: browsers omit them from a forged POST, so it has
 * no more rights than an anonymous one.
 */
export function isSameOrigin(request: FastifyRequest, publicUrl: string): boolean {
  const fetchSite = request.headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none';
  const { origin } = request.headers;
  const allowedOrigins = [undefined, 'null', publicUrl, `${request.protocol}://${request.host}`];
  return allowedOrigins.includes(origin);
}
