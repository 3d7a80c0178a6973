import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';
import { acceptsPage } from './accepts-page.ts';
import { sendProblem } from './problem.ts';

type UnknownRouteHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Registers and returns a handler that sends 405 with the allowed methods if the path exists with other methods, and
 * 404 otherwise, which is a page for browsers. The handler knows only routes that have a schema and are registered
 * after this call.
 */
export function handleUnknownRoutes(
  app: FastifyInstance,
  sendPage: UnknownRouteHandler,
): UnknownRouteHandler {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, schema }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    methodsByPath.set(url, methods);
    // HEAD exists for every GET and is omitted.
    for (const name of [method].flat()) if (name !== 'HEAD' && schema !== undefined) methods.add(name);
  });
  const handler: UnknownRouteHandler = (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const allowedMethods = [...(methodsByPath.get(path) ?? findPatternMethods(methodsByPath, path))].sort();
    if (allowedMethods.length === 0) {
      if (acceptsPage(request)) return sendPage(request, reply);
      return sendProblem(
        request,
        reply,
        new DomainError('route_not_found', `Route not found: ${request.method} ${path}`),
      );
    }
    reply.header('allow', allowedMethods.join(', '));
    const detail = `${path} supports ${allowedMethods.join(', ')}`;
    return sendProblem(request, reply, new DomainError('method_not_allowed', detail));
  };
  app.setNotFoundHandler(handler);
  return handler;
}

/**
 * Returns the methods of the patterns that match a path. Callers look for an exact path first, because `/charges/hash`
 * is not an ID of `/charges/:id`.
 */
function findPatternMethods(methodsByPath: Map<string, Set<string>>, path: string): Set<string> {
  const parts = path.split('/');
  const matches = [...methodsByPath].filter(([url]) => {
    const pattern = url.split('/');
    return (
      pattern.length === parts.length &&
      pattern.every((part, i) => part === parts[i] || (part.startsWith(':') && parts[i] !== ''))
    );
  });
  return new Set(matches.flatMap(([, methods]) => [...methods]));
}
