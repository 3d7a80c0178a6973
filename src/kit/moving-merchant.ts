import { DomainError } from './errors.ts';
import { hasSqlState, sqlStates } from './sql-state.ts';

/** After this time, a client may try again; most moves take longer. */
const retryAfterSeconds = 60;

/** The error for a merchant that runs in another installation. */
export class MerchantMovedError extends DomainError {
  /** The address of the other installation, if it is known. */
  readonly movedTo: string | undefined;

  constructor(movedTo?: string) {
    super('merchant_moved', movedTo && `The merchant has moved to ${movedTo}: send the request there`);
    this.movedTo = movedTo;
  }
}

export function merchantPausedError(): DomainError {
  return new DomainError(
    'merchant_paused',
    'The merchant is paused while it moves to another installation. Retry the request later; if it had an Idempotency-Key, with the same key',
    [],
    retryAfterSeconds,
  );
}

/** Returns the error for callers if the database rejected a change because the merchant is paused or has moved. */
export function toMovingMerchantError(error: unknown): DomainError | undefined {
  if (hasSqlState(error, sqlStates.merchantPaused)) return merchantPausedError();
  return hasSqlState(error, sqlStates.merchantMoved) ? new MerchantMovedError() : undefined;
}
