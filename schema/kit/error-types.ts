import { DomainError } from '../../src/kit/errors.ts';

function matchesStatus(status: number) {
  return (value: unknown): boolean => value instanceof DomainError && value.status === status;
}

/**
 * The GraphQL error types. Pothos chooses the member of a result union with `instanceof`, which compares only the HTTP
 * status here. So a new error code never changes a union.
 */
export class InvalidRequestError extends DomainError {
  static override [Symbol.hasInstance] = matchesStatus(400);
}
export class PermissionError extends DomainError {
  static override [Symbol.hasInstance] = matchesStatus(403);
}
export class NotFoundError extends DomainError {
  static override [Symbol.hasInstance] = matchesStatus(404);
}
export class ConflictError extends DomainError {
  static override [Symbol.hasInstance] = matchesStatus(409);
}
export class UnprocessableError extends DomainError {
  static override [Symbol.hasInstance] = matchesStatus(422);
}
export class RateLimitedError extends DomainError {
  static override [Symbol.hasInstance] = matchesStatus(429);
}

/** The members of every result union. */
export const errorTypes = [
  InvalidRequestError,
  PermissionError,
  NotFoundError,
  ConflictError,
  UnprocessableError,
  RateLimitedError,
];
