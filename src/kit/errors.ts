/**
 * The one catalogue of errors a caller may meet, shared by REST (problem+json) and GraphQL (typed errors).
 * Codes are stable: the list may grow, a code never changes its meaning or status.
 */
export const errorCatalogue = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'Credentials are missing or wrong' },
  permission_denied: { status: 403, title: 'The credentials do not allow this' },
  restricted_endpoint: {
    status: 403,
    title: 'This operation is open only to merchants with restricted access',
  },
  sandbox_only: { status: 403, title: 'This operation exists only in the sandbox' },
  account_disabled: { status: 403, title: 'The merchant account is switched off' },
  second_factor_required: { status: 403, title: 'A recent code of two-factor authentication is required' },
  two_factor_setup_required: { status: 403, title: 'Two-factor authentication must be enabled first' },
  route_not_found: { status: 404, title: 'There is no such route' },
  charge_not_found: { status: 404, title: 'There is no such charge' },
  refund_not_found: { status: 404, title: 'There is no such refund' },
  session_not_found: { status: 404, title: 'There is no such session' },
  subscription_not_found: { status: 404, title: 'There is no such subscription' },
  subscription_plan_not_found: { status: 404, title: 'There is no such subscription plan' },
  customer_not_found: { status: 404, title: 'There is no such customer' },
  invoice_not_found: { status: 404, title: 'There is no such invoice' },
  checkout_link_not_found: { status: 404, title: 'There is no such checkout link' },
  transfer_not_found: { status: 404, title: 'There is no such transfer' },
  receiving_account_not_found: { status: 404, title: 'There is no such receiving account' },
  statement_not_found: { status: 404, title: 'There is no such statement' },
  upload_not_found: { status: 404, title: 'There is no such upload' },
  webhook_not_found: { status: 404, title: 'There is no such webhook' },
  notification_not_found: { status: 404, title: 'There is no such notification' },
  certificate_not_found: { status: 404, title: 'There is no such certificate' },
  api_key_not_found: { status: 404, title: 'There is no such API key' },
  user_not_found: { status: 404, title: 'There is no such user' },
  invitation_not_found: { status: 404, title: 'There is no such invitation' },
  alert_not_found: { status: 404, title: 'There is no such alert' },
  export_not_found: { status: 404, title: 'There is no such export' },
  method_not_allowed: { status: 405, title: 'The route does not take this method' },
  not_acceptable: { status: 406, title: 'The answer exists in none of the accepted forms' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  charge_not_pending: { status: 409, title: 'The charge is no longer pending' },
  charge_not_completed: { status: 409, title: 'The charge has not been completed' },
  session_already_used: { status: 409, title: 'The session has been used' },
  session_not_claimed: { status: 409, title: 'The session has not been opened by the customer' },
  session_expired: { status: 409, title: 'The session has expired' },
  session_cancelled: { status: 409, title: 'The session was cancelled' },
  subscription_plan_inactive: { status: 409, title: 'The subscription plan takes no new subscriptions' },
  subscription_ended: { status: 409, title: 'The subscription is completed or cancelled' },
  invoice_not_open: { status: 409, title: 'The invoice is paid or void' },
  refund_not_initiated: { status: 409, title: 'The refund no longer waits for payout details' },
  refund_not_processing: { status: 409, title: 'The refund is not being processed' },
  transfer_already_allocated: { status: 409, title: 'The transfer has been allocated' },
  receiving_account_retired: { status: 409, title: 'The receiving account is retired' },
  api_key_ended: { status: 409, title: 'The API key was revoked, has expired or was replaced' },
  webhook_disabled: { status: 409, title: 'The webhook is switched off' },
  webhook_limit_reached: { status: 409, title: 'There are as many webhooks as there may be' },
  webhook_unsigned: { status: 409, title: 'Signatures of the webhook are not turned on' },
  certificate_signing: { status: 409, title: 'The certificate is the only one that signs' },
  second_factor_off: { status: 409, title: 'The second factor is not turned on' },
  last_owner: { status: 409, title: 'The user is the last owner of the account' },
  invitation_email_used: { status: 409, title: 'The e-mail address is that of a user elsewhere' },
  test_clock_running: { status: 409, title: 'The test clock is still catching up' },
  idempotency_in_progress: { status: 409, title: 'A request with this idempotency key is still running' },
  event_cursor_expired: { status: 410, title: 'Events after this cursor are no longer kept' },
  link_closed: { status: 410, title: 'The checkout link was closed' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  amount_exceeds_refundable: { status: 422, title: 'The amount exceeds what can still be refunded' },
  amount_out_of_range: { status: 422, title: 'The amount is outside the limits of the payment method' },
  method_unavailable: { status: 422, title: 'The payment method is not available' },
  currency_unsupported: { status: 422, title: 'The currency is not supported' },
  rate_unavailable: { status: 422, title: 'There is no exchange rate for these currencies' },
  rate_stale: { status: 422, title: 'The exchange rate is too old' },
  verification_code_invalid: { status: 422, title: 'The verification code is wrong, used or expired' },
  hash_mismatch: { status: 422, title: 'The hash does not fit the charge' },
  hash_required: { status: 422, title: 'Secure mode is on: a hash is required' },
  link_invalid: { status: 422, title: 'The link is wrong, was used or is too old' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used with another request' },
  receiving_account_invalid: { status: 422, title: 'The receiving account is not valid' },
  plan_terms_fixed: { status: 422, title: 'The terms of a plan with subscriptions are fixed' },
  target_refused: { status: 422, title: 'The target address is refused' },
  invalid_statement: { status: 422, title: 'The statement file cannot be read' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers of the request are too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The service is not available for the moment' },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** One fault in the input: a JSON pointer into it and what must be true there. */
export type InputFault = { path: string; message: string };

/** An expected refusal. `message` may be shown to the caller; it holds nothing of the inside. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly faults: InputFault[];
  /** When it is worth trying again, where that is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail?: string, faults: InputFault[] = [], retryAfterSeconds?: number) {
    super(detail ?? errorCatalogue[code].title);
    this.code = code;
    this.faults = faults;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** Input that breaks a rule of form, naming the place: 400 `invalid_request`. */
export function invalidInput(path: string, message: string): DomainError {
  return new DomainError('invalid_request', `${path === '' ? 'The input' : path} ${message}`, [
    { path, message },
  ]);
}

/** A limit that is counted over time: 429 `rate_limited`, with what `Retry-After` says. */
export function rateLimited(detail: string, retryAfterSeconds: number): DomainError {
  return new DomainError('rate_limited', detail, [], retryAfterSeconds);
}
