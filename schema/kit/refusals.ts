import { DomainError } from '../../src/kit/errors.ts';

/**
 * The six GraphQL error types, as classes that a DomainError is an instance of by its status. A new code joins the type
 * of its status, so that it never changes a result union.
 */
export class InvalidRequestError extends DomainError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasStatus(value, 400);
  }
}

export class PermissionError extends DomainError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasStatus(value, 403);
  }
}

export class NotFoundError extends DomainError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasStatus(value, 404);
  }
}

export class ConflictError extends DomainError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasStatus(value, 409);
  }
}

export class UnprocessableError extends DomainError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasStatus(value, 422);
  }
}

export class RateLimitedError extends DomainError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasStatus(value, 429);
  }
}

function hasStatus(value: unknown, status: number): boolean {
  return value instanceof DomainError && value.status === status;
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
