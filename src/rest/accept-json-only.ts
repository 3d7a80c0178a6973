import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, invalidInputError } from '../kit/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Responds 415 if the Content-Type is not JSON in UTF-8, and 400 if the bytes are not valid UTF-8. Fastify would ignore
 * the charset and replace invalid bytes. Routes without a body ignore the Content-Type of an empty body, because some
 * clients always send one.
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
      return done(invalidInputError('', 'must be valid UTF-8', 'The body'));
    }
    return parse(request, text, done);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (isBodyAbsent(request, body as Buffer)) return done(null, undefined);
    return done(new DomainError('unsupported_media_type', 'The Content-Type must be application/json'));
  });
}

/** Returns whether the body is empty and the route expects none. */
function isBodyAbsent({ routeOptions }: FastifyRequest, body: Buffer): boolean {
  return body.length === 0 && routeOptions.schema?.body === undefined;
}
