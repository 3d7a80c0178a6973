import { DomainError } from '../../src/kit/errors.ts';

function withStatus(status: number) {
  return (value: unknown): boolean => value instanceof DomainError && value.status === status;
}

/**
 * The six GraphQL error types, as classes that a DomainError is an instance of by its status. A new code joins the type
 * of its status, so that it never changes a result union.
 */
export class InvalidRequestError extends DomainError {
  static override [Symbol.hasInstance] = withStatus(400);
}
export class PermissionError extends DomainError {
  static override [Symbol.hasInstance] = withStatus(403);
}
export class NotFoundError extends DomainError {
  static override [Symbol.hasInstance] = withStatus(404);
}
export class ConflictError extends DomainError {
  static override [Symbol.hasInstance] = withStatus(409);
}
export class UnprocessableError extends DomainError {
  static override [Symbol.hasInstance] = withStatus(422);
}
export class RateLimitedError extends DomainError {
  static override [Symbol.hasInstance] = withStatus(429);
}

/** In every result union. */
export const errorTypes = [
  InvalidRequestError,
  PermissionError,
  NotFoundError,
  ConflictError,
  UnprocessableError,
  RateLimitedError,
];
