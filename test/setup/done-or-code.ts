import { DomainError } from '../../src/kit/errors.ts';

/** The code of a refusal; what is none is thrown on. */
export function codeOf(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  throw error;
}

/** `done`, or the code of the refusal. */
export function doneOrCode(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'done', codeOf);
}
