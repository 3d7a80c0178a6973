import { DomainError } from '../kit/errors.ts';
import { toStorableText } from '../kit/text.ts';

/** The error `invalid_statement` (422) for a statement file, with the line, counted from 1, and the reason. */
export class InvalidStatement extends DomainError {
  readonly line: number;
  readonly reason: string;

  constructor(line: number, reason: string) {
    super('invalid_statement', `line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/** Creates the error. The reason may contain a text of the file that was cut inside a surrogate pair. */
export function invalidStatementError(line: number, reason: string): InvalidStatement {
  return new InvalidStatement(line, toStorableText(reason));
}

/** Returns undefined instead of throwing `InvalidStatement`. */
export function withoutUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidStatement) return undefined;
    throw error;
  }
}

export function ambiguousAmountError(amount: string, line: number): InvalidStatement {
  return invalidStatementError(
    line,
    `"${amount.slice(0, 40)}" is not an amount that can be read in only one way`,
  );
}
