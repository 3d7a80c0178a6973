import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tracer, TraceSpan } from '../kit/tracer.ts';

/**
 * Records each request as a span, in the trace of the caller's `traceparent` if there is one. The span is named after
 * the route, because URLs of pages contain tokens.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, TraceSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, id, headers, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const span = tracer.startSpan(`${method} ${route}`, {
      kind: 'server',
      parent: headers.traceparent === undefined ? 'none' : String(headers.traceparent),
      attributes: { 'http.request.method': method, 'http.route': route, 'causeway.request': id },
    });
    spans.set(request, span);
    span.run(done);
  });
  // Enters the span again after the body was read in the async context of the connection, which may belong to an
  // earlier request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    span?.setAttributes({ 'http.response.status_code': reply.statusCode });
    span?.end(reply.statusCode >= 500 ? `HTTP ${reply.statusCode}` : undefined);
  });
}
