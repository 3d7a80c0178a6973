import { type Receiver, receive } from '../receive.ts';
import type { RawBody } from '../request.ts';

type FastifyRequestLike = { body: unknown; headers: Record<string, string | string[] | undefined> };
type FastifyReplyLike = { code(status: number): { send(): unknown } };
type FastifyLike = {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: BodyParser): unknown;
  route(options: RouteLike): unknown;
};
type RouteLike = {
  method: 'POST';
  url: string;
  handler(request: FastifyRequestLike, reply: FastifyReplyLike): Promise<unknown>;
};
type BodyParser = (request: never, body: never, done: (error: Error | null, body?: unknown) => void) => void;

/**
 * Returns a Fastify plugin that verifies notifications: `app.register(receiveWithFastify('/causeway', { username,
 * password, onEvent }))`. Other routes keep their parsers.
 */
export function receiveWithFastify(path: string, receiver: Receiver): (app: FastifyLike) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.route({
      method: 'POST',
      url: path,
      handler: async ({ body, headers }, reply) =>
        reply.code(await receive(receiver, { body: body as RawBody, headers })).send(),
    });
  };
}
