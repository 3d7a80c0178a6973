import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * Creates the log, by default JSON lines on standard error. Requests are logged with method and path only, because the
 * query and the headers may contain tokens. The token in the path of a customer page is redacted.
 */
export function createLogger(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  const serializers = {
    err: serializeError,
    req: (request: { method: string; url: string; id: unknown }) => ({
      method: request.method,
      path: redactPath(request.url),
    }),
    res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
  };
  return pino({ level, serializers }, destination);
}

function redactPath(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.startsWith('/pay/') ? path.replace(/^(\/pay\/[^/]+\/)[^/]+/, '$1…') : path;
}

type LoggedError = {
  type: string;
  message: string;
  stack?: string | undefined;
  code?: string | number | undefined;
  constraint?: string | undefined;
  cause?: LoggedError | undefined;
  errors?: LoggedError[];
};

/** The maximum depth of the causes and inner errors that are logged. */
const causeDepthMax = 5;

/**
 * Omits the fields of an error that may contain personal data: PostgreSQL puts the whole rejected row, with customer
 * names and addresses, into `detail`, and Prisma copies `detail` into `meta`.
 */
function serializeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, code, constraint, cause, errors } = error as Error & Partial<LoggedError>;
  const wrappedError =
    cause ?? (error as { meta?: { driverAdapterError?: unknown } }).meta?.driverAdapterError;
  return {
    type: name,
    message: redactValues(name, message),
    // The stack starts with the unredacted message, so only the frames are logged.
    stack: stack?.slice(stack.search(/^ {4}at /m)),
    ...(code !== undefined && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(wrappedError instanceof Error &&
      depth < causeDepthMax && { cause: serializeError(wrappedError, depth + 1) }),
    ...(Array.isArray(errors) &&
      depth < causeDepthMax && { errors: errors.map((innerError) => serializeError(innerError, depth + 1)) }),
  };
}

/**
 * Removes quoted values from an error message: Prisma's validation errors quote the call with its values, and
 * PostgreSQL quotes values that it cannot parse.
 */
function redactValues(name: string, message: string): string {
  const text =
    name === 'PrismaClientValidationError' ? message.slice(message.lastIndexOf('\n\n') + 2) : message;
  return text.replace(/(invalid (?:input|byte)[^:\n]*: )"[^\n]*/g, '$1…');
}
