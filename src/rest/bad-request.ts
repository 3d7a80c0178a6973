import { DomainError } from '../kit/errors.ts';

const asFourHundred = new Set([404, 409, 422]);

/** `POST /sessions` answers 400, with the specific code, where others answer 404, 409 or 422. */
export async function asBadRequest<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof DomainError && asFourHundred.has(error.status)) throw new BadRequest(error);
    throw error;
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
