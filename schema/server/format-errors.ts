import { PothosValidationError } from '@pothos/core';
import type { FastifyBaseLogger } from 'fastify';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { DomainError, type ErrorCode } from '../../src/kit/errors.ts';
import { isUnavailable } from '../../src/kit/unavailable.ts';

/** Where unexpected errors are written, and by which id they are found there. */
export type ErrorLogContext = { log: FastifyBaseLogger; requestId: string };

/**
 * A result as callers see it: each error says its code of the catalogue and the request's id. An error we did not
 * expect is logged and says nothing of the inside.
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
  // The plugins' word for arguments that break a rule, such as a cursor that is none.
  if (cause instanceof PothosValidationError) return new DomainError('invalid_request', cause.message);
  return new DomainError(isUnavailable(cause) ? 'unavailable' : 'internal_error');
}

/** What a resolver threw; the error itself where the engine found the fault: syntax, validation, input. */
function unwrapError(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError) {
    const inner = cause.originalError ?? cause.cause;
    if (inner === undefined) return cause;
    cause = inner;
  }
  return cause;
}

/** The engine gives a status to faults of the HTTP request. */
function toErrorCode(error: GraphQLError): ErrorCode {
  const { status } = (error.extensions.http ?? {}) as { status?: number };
  if (status === 405) return 'method_not_allowed';
  return status === 415 ? 'unsupported_media_type' : 'invalid_request';
}
