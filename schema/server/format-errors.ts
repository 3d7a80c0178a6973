import { PothosValidationError } from '@pothos/core';
import type { FastifyBaseLogger } from 'fastify';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { DomainError, type ErrorCode } from '../../src/kit/errors.ts';
import { toMovingMerchantError } from '../../src/kit/moving-merchant.ts';
import { isUnavailable, serviceUnavailableError } from '../../src/kit/unavailable.ts';

/** The logger for unexpected errors, and the request ID, which log entries and responses contain. */
export type ErrorLogContext = { log: FastifyBaseLogger; requestId: string };

/**
 * Adds the error code and request ID to each error of a result. Unexpected errors are logged and reveal no
 * internals.
 */
export function formatErrors<Result extends ExecutionResult>(
  result: Result,
  logContext: ErrorLogContext,
): Result {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => formatError(error, logContext)) };
}

export function formatError(error: unknown, { log, requestId }: ErrorLogContext): GraphQLError {
  const domainError = toDomainError(error);
  if (domainError.status >= 500)
    log.error({ err: unwrapError(error), requestId }, 'GraphQL operation failed');
  const { code, message, inputErrors: errors } = domainError;
  const extensions = { code, requestId, ...(errors.length > 0 && { errors }) };
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

function toDomainError(error: unknown): DomainError {
  const cause = unwrapError(error);
  if (cause instanceof DomainError) return cause;
  if (error instanceof GraphQLError && cause instanceof GraphQLError) {
    return new DomainError(toErrorCode(error), error.message);
  }
  // Pothos throws this for invalid arguments, such as an invalid cursor.
  if (cause instanceof PothosValidationError) return new DomainError('invalid_request', cause.message);
  const movingError = toMovingMerchantError(cause);
  if (movingError) return movingError;
  return isUnavailable(cause) ? serviceUnavailableError() : new DomainError('internal_error');
}

/**
 * Returns the error that a resolver threw, or the error itself if GraphQL found it during parsing, validation
 * or coercion.
 */
function unwrapError(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError) {
    const inner = cause.originalError ?? cause.cause;
    if (inner === undefined) return cause;
    cause = inner;
  }
  return cause;
}

/** Returns the code for an error of GraphQL. Yoga attaches a status to errors of the HTTP request. */
function toErrorCode(error: GraphQLError): ErrorCode {
  const { status } = (error.extensions.http ?? {}) as { status?: number };
  if (status === 405) return 'method_not_allowed';
  return status === 415 ? 'unsupported_media_type' : 'invalid_request';
}
