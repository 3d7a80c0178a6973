import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A part of the documented interface that will be removed. The changelog announces it at least 12 months ahead. */
export type Deprecation = {
  /** The method and path as in the OpenAPI document, such as `GET /charges/{id}`. */
  operation: string;
  /** A query parameter or body member; undefined for the whole operation. */
  member?: string;
  /** The day of the announcement, `YYYY-MM-DD`. */
  since: string;
  /** The earliest day of the removal, `YYYY-MM-DD`. */
  sunset: string;
};

export const deprecations: readonly Deprecation[] = [];

/**
 * Sends the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) with the responses to authenticated requests that
 * use a deprecated part, including errors. If several deprecations apply, the headers describe the deprecation with
 * the earliest sunset.
 */
export function setDeprecationHeaders(app: FastifyInstance, announced = deprecations): void {
  if (announced.length === 0) return;
  app.addHook('preValidation', async (request, reply) => {
    const [earliest] = announced
      .filter((deprecation) => isDeprecatedUse(request, deprecation))
      .sort((a, b) => a.sunset.localeCompare(b.sunset));
    if (!earliest) return;
    reply
      .header('deprecation', `@${new Date(earliest.since).getTime() / 1_000}`)
      .header('sunset', new Date(earliest.sunset).toUTCString());
  });
}

function isDeprecatedUse(request: FastifyRequest, { operation, member }: Deprecation): boolean {
  const { method, routeOptions, query, body } = request;
  const effectiveMethod = method === 'HEAD' ? 'GET' : method;
  if (operation !== `${effectiveMethod} ${routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}')}`) return false;
  return member === undefined || [query, body].some((part) => hasMember(part, member));
}

function hasMember(part: unknown, member: string): boolean {
  return typeof part === 'object' && part !== null && Object.hasOwn(part, member);
}
