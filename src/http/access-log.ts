import fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type LogController,
} from 'fastify';

/** Logs one line for each completed request and, at debug level, one for each incoming request. */
export function createAccessLog(): LogController {
  const incomingRequest = (request: FastifyRequest) =>
    request.server.log.debug({ reqId: request.id, req: request }, 'incoming request');
  const requestCompleted = (
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const log = getRouteLogger(request);
    const fields = { reqId: request.id, req: request, res: reply, responseTime: reply.elapsedTime };
    if (error) log.error({ ...fields, err: error }, 'request errored');
    else log.info(fields, 'request completed');
  };
  return Object.assign(new fastify.LogController(), { incomingRequest, requestCompleted });
}

/** Returns the logger with the level of the route, if it has its own. */
function getRouteLogger({ server, routeOptions }: FastifyRequest): FastifyBaseLogger {
  const { logLevel } = routeOptions;
  return logLevel ? server.log.child({}, { level: logLevel }) : server.log;
}

/**
 * Returns a logger that creates its child on first use. Most requests log only their access line, and
 * creating a child costs as much as that line.
 */
export function createLazyChildLogger(
  logger: FastifyBaseLogger,
  bindings: Record<string, unknown>,
  options: object,
): FastifyBaseLogger {
  let child: FastifyBaseLogger | undefined;
  const getChild = () => {
    child ??= logger.child(bindings, options);
    return child;
  };
  const forward = (level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent') =>
    ((...args: unknown[]) => Reflect.apply(getChild()[level], getChild(), args)) as FastifyBaseLogger['info'];
  return {
    level: logger.level,
    fatal: forward('fatal'),
    error: forward('error'),
    warn: forward('warn'),
    info: forward('info'),
    debug: forward('debug'),
    trace: forward('trace'),
    silent: forward('silent'),
    child: (childBindings, childOptions) => getChild().child(childBindings, childOptions),
  };
}
