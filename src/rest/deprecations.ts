import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Something of the documented interface that will be removed. It stands in the changelog at least 12 months ahead. */
export type Deprecation = {
  /** As the OpenAPI document names it: `GET /charges/{id}`. */
  operation: string;
  /** Only requests with this query parameter or member of the body; left out: the operation as a whole. */
  member?: string;
  /** The day it was announced, `YYYY-MM-DD`. */
  since: string;
  /** The first day on which it may be gone. */
  sunset: string;
};

export const deprecations: readonly Deprecation[] = [];

/**
 * Tells whoever uses what will be removed since when that is known (`Deprecation`, RFC 9745) and until when it works
 * (`Sunset`, RFC 8594): on every answer, refusals too. Of several, the one that ends first.
 */
export function setDeprecationHeaders(app: FastifyInstance, announced = deprecations): void {
  if (announced.length === 0) return;
  app.addHook('preValidation', async (request, reply) => {
    const [first] = announced
      .filter((deprecation) => isDeprecatedUse(request, deprecation))
      .sort((a, b) => a.sunset.localeCompare(b.sunset));
    if (!first) return;
    reply
      .header('deprecation', `@${new Date(first.since).getTime() / 1_000}`)
      .header('sunset', new Date(first.sunset).toUTCString());
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
