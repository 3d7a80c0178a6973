import fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type LogController,
} from 'fastify';

/**
 * One line a request, when it has ended: what was asked and what became of it. What has only begun is told to `debug`.
 */
export function oneLineEach(): LogController {
  const incomingRequest = (request: FastifyRequest) =>
    request.server.log.debug({ reqId: request.id, req: request }, 'incoming request');
  const requestCompleted = (
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const log = logOf(request);
    const told = { reqId: request.id, req: request, res: reply, responseTime: reply.elapsedTime };
    if (error) log.error({ ...told, err: error }, 'request errored');
    else log.info(told, 'request completed');
  };
  return Object.assign(new fastify.LogController(), { incomingRequest, requestCompleted });
}

/** With the level of its route, where that has one of its own. */
function logOf({ server, routeOptions }: FastifyRequest): FastifyBaseLogger {
  const { logLevel } = routeOptions;
  return logLevel ? server.log.child({}, { level: logLevel }) : server.log;
}

/**
 * A request's own logger, which names the request in all it says. It is made when something is said by it: most requests
 * have but their one line, and to make a logger takes as long as that.
 */
export function lateLogger(
  logger: FastifyBaseLogger,
  bindings: Record<string, unknown>,
  options: object,
): FastifyBaseLogger {
  let made: FastifyBaseLogger | undefined;
  const own = () => {
    made ??= logger.child(bindings, options);
    return made;
  };
  const by = (level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent') =>
    ((...said: unknown[]) => Reflect.apply(own()[level], own(), said)) as FastifyBaseLogger['info'];
  return {
    level: logger.level,
    fatal: by('fatal'),
    error: by('error'),
    warn: by('warn'),
    info: by('info'),
    debug: by('debug'),
    trace: by('trace'),
    silent: by('silent'),
    child: (more, how) => own().child(more, how),
  };
}
