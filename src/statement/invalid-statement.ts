import { DomainError } from '../kit/errors.ts';

/** The refusal of a statement file: 422 `invalid_statement`, naming the line (from 1) and the reason. */
export function invalidStatement(line: number, reason: string): DomainError {
  return new DomainError('invalid_statement', `line ${line}: ${reason}`);
}
