import { DomainError } from '../../src/kit/errors.ts';

/** An error handler for tests without expected errors. */
export function throwError(error: Error): never {
  throw error;
}

export function getErrorCode(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  throw error;
}

/** Returns `done` if the work succeeds, or the code of its `DomainError`. */
export function doneOrCode(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'done', getErrorCode);
}
