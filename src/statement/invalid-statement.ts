import { DomainError } from '../kit/errors.ts';

/** The refusal of a statement file: 422 `invalid_statement`, naming the line (from 1) and the reason. */
export class InvalidStatement extends DomainError {
  readonly line: number;
  readonly reason: string;

  constructor(line: number, reason: string) {
    super('invalid_statement', `line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/** In the reason the file's text may have been cut inside a character. */
export function invalidStatement(line: number, reason: string): InvalidStatement {
  return new InvalidStatement(line, reason.toWellFormed());
}
