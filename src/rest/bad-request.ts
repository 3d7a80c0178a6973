import { DomainError } from '../kit/errors.ts';

const remappedStatuses = new Set([404, 409, 422]);

/**
 * `POST /sessions` answers 400, with the specific code, where others answer 404, 409 or 422. What an idempotency key is
 * refused for is no reason why a session cannot be made, and keeps its status.
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
