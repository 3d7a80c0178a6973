import { DomainError } from '../kit/errors.ts';

/**
 * The refusal of a statement file: 422 `invalid_statement`, naming the line (from 1) and the reason, in which the
 * file's text may have been cut inside a character.
 */
export function invalidStatement(line: number, reason: string): DomainError {
  return new DomainError('invalid_statement', `line ${line}: ${reason.toWellFormed()}`);
}

/** Line and reason of such a refusal; undefined for any other error. */
export function statementFault(error: unknown): { line: number; reason: string } | undefined {
  if (!(error instanceof DomainError) || error.code !== 'invalid_statement') return undefined;
  const [, line = '1', reason = error.message] = /^line (\d+): (.*)$/s.exec(error.message) ?? [];
  return { line: Number(line), reason };
}
