import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * The log: JSON lines on standard error, apart from what the service says to the person at the terminal. Of a request
 * it keeps method and path; the query and the headers may hold tokens, and are left out. So is the token in the path of
 * a customer's page. Of an error see `tellError`.
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

/** Causes of causes that are told. */
const depthMax = 5;

/**
 * What the log tells of an error: by name what is known to hold no data. PostgreSQL puts the whole row that it refuses,
 * customers' names and addresses in it, into `detail`, and Prisma keeps that in `meta`.
 */
function serializeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, code, constraint, cause, errors } = error as Error & Partial<LoggedError>;
  const wrappedError =
    cause ?? (error as { meta?: { driverAdapterError?: unknown } }).meta?.driverAdapterError;
  return {
    type: name,
    message: redactValues(name, message),
    // What stands before its first place is the message once more.
    stack: stack?.slice(stack.search(/^ {4}at /m)),
    ...(code !== undefined && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(wrappedError instanceof Error &&
      depth < depthMax && { cause: serializeError(wrappedError, depth + 1) }),
    ...(Array.isArray(errors) &&
      depth < depthMax && { errors: errors.map((innerError) => serializeError(innerError, depth + 1)) }),
  };
}

/** Prisma shows the call it cannot make with its values, and PostgreSQL quotes a value that it cannot read. */
function redactValues(name: string, message: string): string {
  const text =
    name === 'PrismaClientValidationError' ? message.slice(message.lastIndexOf('\n\n') + 2) : message;
  return text.replace(/(invalid (?:input|byte)[^:\n]*: )"[^\n]*/g, '$1…');
}
