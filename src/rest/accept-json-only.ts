import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, invalidInput } from '../kit/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Bodies are JSON in UTF-8: another type or charset is 415, what is no UTF-8 400, where Fastify would take or mend it.
 * Where a route takes none, a type that comes without a body says nothing: clients send one by themselves.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isBodyAbsent(request, body as Buffer)) return done(null, undefined);
    const [, charset = 'utf-8'] =
      /;\s*charset="?([^";\s]*)/i.exec(request.headers['content-type'] ?? '') ?? [];
    if (!/^utf-?8$/i.test(charset)) {
      return done(new DomainError('unsupported_media_type', 'The body must be JSON in UTF-8'));
    }
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch {
      return done(invalidInput('', 'is not valid UTF-8'));
    }
    return parse(request, text, done);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (isBodyAbsent(request, body as Buffer)) return done(null, undefined);
    return done(new DomainError('unsupported_media_type', 'The Content-Type must be application/json'));
  });
}

/** Nothing came, and nothing is wanted. */
function isBodyAbsent({ routeOptions }: FastifyRequest, body: Buffer): boolean {
  return body.length === 0 && routeOptions.schema?.body === undefined;
}
