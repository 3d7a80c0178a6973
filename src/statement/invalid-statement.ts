import { DomainError } from '../kit/errors.ts';

/** `invalid_statement` (422): rejects a statement file with the line, counted from 1, and the reason. */
export class InvalidStatement extends DomainError {
  readonly line: number;
  readonly reason: string;

  constructor(line: number, reason: string) {
    super('invalid_statement', `line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/** Repairs surrogate pairs: the reason may contain text of the file that was cut inside a character. */
export function invalidStatement(line: number, reason: string): InvalidStatement {
  return new InvalidStatement(line, reason.toWellFormed());
}
