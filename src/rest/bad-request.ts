import { DomainError } from '../kit/errors.ts';

const asFourHundred = new Set([404, 409, 422]);

/**
 * `POST /sessions` answers 400, with the specific code, where others answer 404, 409 or 422. What an idempotency key is
 * refused for is no reason why a session cannot be made, and keeps its status.
 */
export async function asBadRequest<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code.startsWith('idempotency_')) throw error;
    throw asFourHundred.has(error.status) ? new BadRequest(error) : error;
  }
}

class BadRequest extends DomainError {
  constructor(error: DomainError) {
    super(error.code, error.message, error.faults);
  }

  override get status(): number {
    return 400;
  }
}
