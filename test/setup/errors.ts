import { DomainError } from '../../src/kit/errors.ts';

/** An error handler for tests without expected errors. */
export function throwError(error: Error): never {
  throw error;
}

/** The code of a `DomainError`; throws any other error. */
export function getErrorCode(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  throw error;
}

/** Returns `done`, or the code of the `DomainError`. */
export function doneOrCode(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'done', getErrorCode);
}
