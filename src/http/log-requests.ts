import fastify, { type FastifyReply, type FastifyRequest, type LogController } from 'fastify';

/**
 * One line a request, when it has ended: what was asked and what became of it. What has only begun is told to `debug`.
 */
export function oneLineEach(): LogController {
  const incomingRequest = (request: FastifyRequest) =>
    request.log.debug({ req: request }, 'incoming request');
  const requestCompleted = (
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const told = { req: request, res: reply, responseTime: reply.elapsedTime };
    if (error) reply.log.error({ ...told, err: error }, 'request errored');
    else reply.log.info(told, 'request completed');
  };
  return Object.assign(new fastify.LogController(), { incomingRequest, requestCompleted });
}
