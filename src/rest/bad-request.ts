import { DomainError } from '../kit/errors.ts';

const remappedStatuses = new Set([404, 409, 422]);

/**
 * Runs the work of `POST /sessions`, which responds 400 with the same code where other routes respond 404, 409 or 422.
 * Errors of the idempotency key keep their status.
 */
export async function asBadRequest<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code.startsWith('idempotency_')) throw error;
    throw remappedStatuses.has(error.status) ? new BadRequestError(error) : error;
  }
}

class BadRequestError extends DomainError {
  constructor(error: DomainError) {
    super(error.code, error.message, error.inputErrors);
  }

  override get status(): number {
    return 400;
  }
}
