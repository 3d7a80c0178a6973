/**
 * An error of the service, of the connection or of the element. `code` is an error code of Causeway,
 * `connection_failed` or `display_failed`.
 */
export class CheckoutError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const finalCodes = new Set([
  'unauthenticated',
  'account_disabled',
  'session_not_found',
  'permission_denied',
  'display_failed',
]);

/** Returns whether a retry cannot succeed, such as after the token has expired. */
export function isFinal(error: unknown): error is CheckoutError {
  return error instanceof CheckoutError && finalCodes.has(error.code);
}
