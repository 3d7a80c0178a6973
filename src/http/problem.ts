import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify';
import { DomainError, type ErrorCode, errorCatalog, type InputError } from '../kit/errors.ts';
import { toMovingMerchantError } from '../kit/moving-merchant.ts';
import { toInputErrors } from '../kit/schema-errors.ts';
import { isUnavailable, serviceUnavailableError } from '../kit/unavailable.ts';
import { acceptsPage } from './accepts-page.ts';
import { toClientAbortedError } from './client-aborted.ts';
import { apiVersion } from './version.ts';

type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  requestId: string;
  errors?: InputError[];
};

/** Returns the RFC 9457 response body of an error. */
export function toProblem(error: DomainError, requestId: string): Problem {
  return {
    type: `urn:causeway:error:${error.code}`,
    title: errorCatalog[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.inputErrors.length > 0 && { errors: error.inputErrors }),
  };
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: DomainError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Basic realm="Causeway", charset="UTF-8"');
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  return reply
    .code(error.status)
    .header('x-request-id', request.id)
    .header('causeway-version', apiVersion)
    .type('application/problem+json')
    .send(JSON.stringify(toProblem(error, request.id)));
}

/**
 * Sends errors as problem+json, or as a page to browsers that open the job dashboard. Unexpected errors are
 * logged, and their responses contain no internal details.
 */
export function handleErrors(
  app: FastifyInstance,
  options: {
    handleUnknownRoute: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
    sendStaffErrorPage: (request: FastifyRequest, reply: FastifyReply, error: DomainError) => FastifyReply;
  },
): void {
  const { handleUnknownRoute, sendStaffErrorPage } = options;
  app.setErrorHandler<FastifyError | DomainError>((error, request, reply) => {
    // Handles unknown routes whose body was rejected first, and paths outside of the folder of static files.
    if (request.is404 || error.code === 'FST_STATIC_FORBIDDEN_PATH')
      return handleUnknownRoute(request, reply);
    const domainError = toDomainError(error, request);
    if (domainError.status >= 500) request.log.error({ err: error }, 'request failed');
    const isJobDashboard = /^\/jobs(?:[/?]|$)/.test(request.url);
    if (isJobDashboard && acceptsPage(request)) return sendStaffErrorPage(request, reply, domainError);
    return sendProblem(request, reply, domainError);
  });
}

function toDomainError(error: FastifyError | DomainError, request: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error;
  if (error.validation)
    return toValidationError(error.validation, error.validationContext ?? 'body', request);
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError('unsupported_media_type', 'The Content-Type must be application/json');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError('payload_too_large', 'The body must be at most 256 KiB');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new DomainError('invalid_request', 'The body is empty; it must be JSON');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new DomainError('invalid_request', 'The body is not valid JSON');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new DomainError('invalid_request', 'The body must have the length of the Content-Length header');
  }
  const abortError = toClientAbortedError(error, request);
  if (abortError) return abortError;
  const movingError = toMovingMerchantError(error);
  if (movingError) return movingError;
  if (isUnavailable(error)) return serviceUnavailableError();
  if (error.statusCode === 400) return new DomainError('invalid_request', error.message);
  // For other client errors of libraries, such as an unsatisfiable range, the message is omitted, because it may
  // contain paths of the server.
  if (Math.floor((error.statusCode ?? 500) / 100) === 4) return new DomainError('invalid_request');
  return new DomainError('internal_error');
}

/** The maximum number of errors in a response, because a small body can cause thousands. */
const errorsMax = 50;

function toValidationError(
  validationErrors: FastifySchemaValidationError[],
  context: string,
  request: FastifyRequest,
): DomainError {
  const memberNames = getMemberNames(request, context);
  const errors = validationErrors
    .slice(0, errorsMax)
    .flatMap((violation) => toErrorsWithSuggestion(violation, memberNames));
  const [firstError] = errors;
  return new DomainError(
    'invalid_request',
    firstError
      ? `${firstError.path || `The ${context === 'querystring' ? 'query' : context}`} ${firstError.message}`
      : undefined,
    errors,
  );
}

function toErrorsWithSuggestion(
  violation: FastifySchemaValidationError,
  memberNames: string[],
): InputError[] {
  const { keyword, instancePath, params } = violation;
  const isUnknownMember = keyword === 'additionalProperties' && instancePath === '';
  const suggestion = isUnknownMember && suggest(String(params.additionalProperty), memberNames);
  return toInputErrors(violation).map(({ path, message }) => ({
    path,
    message: suggestion ? `${message}; did you mean ${suggestion}?` : message,
  }));
}

function getMemberNames(request: FastifyRequest, context: string): string[] {
  const schema = request.routeOptions.schema as Record<string, { properties?: object }> | undefined;
  return Object.keys(schema?.[context]?.properties ?? {});
}

/** Returns the candidate closest to a mistyped name, or undefined if none is similar. */
function suggest(name: string, candidates: readonly string[]): string | undefined {
  const normalize = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 64);
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(normalize(name), normalize(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(2, Math.floor(best.candidate.length / 3))
    ? best.candidate
    : undefined;
}

/** Returns the Levenshtein distance, computed one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substituted));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
