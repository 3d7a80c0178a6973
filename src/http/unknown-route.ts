import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';
import { sendProblem } from './problem.ts';

export type AnswerUnknownRoute = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * A path that is known with another method: 405 with what it takes; anything else: 404. Looks at the routes that are
 * registered after it. Gives what answers so.
 */
export function refuseUnknownRoute(app: FastifyInstance): AnswerUnknownRoute {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, schema }) => {
    const methods = methodsOf.get(url) ?? new Set();
    methodsOf.set(url, methods);
    // HEAD comes with every GET, and is not told of.
    for (const one of [method].flat()) if (one !== 'HEAD' && schema !== undefined) methods.add(one);
  });
  const answer: AnswerUnknownRoute = (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const allowed = [...(methodsOf.get(path) ?? patternMethods(methodsOf, path))].sort();
    if (allowed.length === 0) {
      return sendProblem(request, reply, new DomainError('route_not_found', `${request.method} ${path}`));
    }
    reply.header('allow', allowed.join(', '));
    const detail = `${path} supports ${allowed.join(', ')}`;
    return sendProblem(request, reply, new DomainError('method_not_allowed', detail));
  };
  app.setNotFoundHandler(answer);
  return answer;
}

/** `/charges/hash` is a route of its own, so patterns come second. */
function patternMethods(methodsOf: Map<string, Set<string>>, path: string): Set<string> {
  const parts = path.split('/');
  const found = [...methodsOf].filter(([url]) => {
    const pattern = url.split('/');
    return (
      pattern.length === parts.length &&
      pattern.every((part, i) => part === parts[i] || (part.startsWith(':') && parts[i] !== ''))
    );
  });
  return new Set(found.flatMap(([, methods]) => [...methods]));
}
