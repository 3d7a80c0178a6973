/**
 * The catalog of all error codes, shared by REST (problem+json) and GraphQL (typed errors). Codes are stable:
 * new ones may be added, but a code never changes its meaning or status.
 */
export const errorCatalog = {
  invalid_request: { status: 400, title: 'The request is invalid' },
  unauthenticated: { status: 401, title: 'Credentials are missing or invalid' },
  permission_denied: { status: 403, title: 'The credentials do not allow this operation' },
  restricted_endpoint: {
    status: 403,
    title: 'This operation requires approval by the operator',
  },
  sandbox_only: { status: 403, title: 'This operation is available only in the sandbox' },
  account_disabled: { status: 403, title: 'The merchant account is disabled' },
  merchant_moved: { status: 403, title: 'The merchant has moved to another installation' },
  two_factor_code_required: { status: 403, title: 'A recent two-factor authentication code is required' },
  two_factor_setup_required: { status: 403, title: 'Two-factor authentication must be enabled first' },
  route_not_found: { status: 404, title: 'Route not found' },
  charge_not_found: { status: 404, title: 'Charge not found' },
  refund_not_found: { status: 404, title: 'Refund not found' },
  session_not_found: { status: 404, title: 'Session not found' },
  subscription_not_found: { status: 404, title: 'Subscription not found' },
  subscription_plan_not_found: { status: 404, title: 'Subscription plan not found' },
  customer_not_found: { status: 404, title: 'Customer not found' },
  invoice_not_found: { status: 404, title: 'Invoice not found' },
  checkout_link_not_found: { status: 404, title: 'Checkout link not found' },
  transfer_not_found: { status: 404, title: 'Transfer not found' },
  receiving_account_not_found: { status: 404, title: 'Receiving account not found' },
  statement_not_found: { status: 404, title: 'Statement not found' },
  bank_feed_not_found: { status: 404, title: 'Bank feed not found' },
  feed_delivery_not_found: { status: 404, title: 'Feed delivery not found' },
  upload_not_found: { status: 404, title: 'Upload not found' },
  webhook_not_found: { status: 404, title: 'Webhook not found' },
  notification_not_found: { status: 404, title: 'Notification not found' },
  certificate_not_found: { status: 404, title: 'Certificate not found' },
  api_key_not_found: { status: 404, title: 'API key not found' },
  user_not_found: { status: 404, title: 'User not found' },
  invitation_not_found: { status: 404, title: 'Invitation not found' },
  alert_not_found: { status: 404, title: 'Alert not found' },
  export_not_found: { status: 404, title: 'Export not found' },
  method_not_allowed: { status: 405, title: 'The route does not support this method' },
  not_acceptable: { status: 406, title: 'The response is not available in an accepted format' },
  request_timeout: { status: 408, title: 'The request was not received in time' },
  charge_not_pending: { status: 409, title: 'The charge is no longer pending' },
  charge_not_completed: { status: 409, title: 'The charge has not been completed' },
  session_already_used: { status: 409, title: 'The session has already been used' },
  session_not_claimed: { status: 409, title: 'No browser has claimed the session' },
  session_expired: { status: 409, title: 'The session has expired' },
  session_cancelled: { status: 409, title: 'The session was cancelled' },
  subscription_plan_inactive: { status: 409, title: 'The subscription plan is closed to new subscriptions' },
  subscription_ended: { status: 409, title: 'The subscription is completed or cancelled' },
  subscription_unstarted: { status: 409, title: 'The first payment of the subscription is missing' },
  subscription_paused: { status: 409, title: 'The subscription is paused' },
  subscription_not_paused: { status: 409, title: 'You have not paused the subscription' },
  invoice_not_open: { status: 409, title: 'The invoice is paid or void' },
  refund_not_initiated: { status: 409, title: 'The refund is no longer awaiting bank details' },
  refund_not_processing: { status: 409, title: 'The refund is not being processed' },
  transfer_already_allocated: {
    status: 409,
    title: 'The state of the transfer does not allow this operation',
  },
  statement_not_in_progress: { status: 409, title: 'The import is not in progress' },
  statement_not_awaiting_confirmation: { status: 409, title: 'The import needs no confirmation' },
  statement_not_undoable: { status: 409, title: 'The statement cannot be undone' },
  statement_refunded: { status: 409, title: 'Payments of the statement were refunded' },
  statement_undo_in_progress: { status: 409, title: 'The statement is being undone' },
  receiving_account_retired: { status: 409, title: 'The receiving account is retired' },
  api_key_ended: { status: 409, title: 'The API key was revoked, has expired or was replaced' },
  webhook_disabled: { status: 409, title: 'The webhook is disabled' },
  webhook_limit_reached: { status: 409, title: 'Webhook limit reached' },
  webhook_unsigned: { status: 409, title: 'Signatures are not enabled for the webhook' },
  bank_feed_unauthenticated: { status: 409, title: 'The deliveries of the bank feed are not authenticated' },
  bank_feed_limit_reached: { status: 409, title: 'Bank feed limit reached' },
  bank_feed_not_pollable: { status: 409, title: 'The bank feed cannot be polled' },
  feed_delivery_not_processable: { status: 409, title: 'The delivery cannot be processed again' },
  certificate_signing: { status: 409, title: 'The only active certificate cannot be revoked' },
  two_factor_not_enabled: { status: 409, title: 'Two-factor authentication is not enabled' },
  last_owner: { status: 409, title: 'The user is the last owner of the account' },
  invitation_email_used: { status: 409, title: 'The email address is already registered elsewhere' },
  test_clock_running: { status: 409, title: 'The test clock is still advancing' },
  idempotency_in_progress: { status: 409, title: 'A request with this idempotency key is in progress' },
  event_cursor_expired: { status: 410, title: 'The event log cannot be continued from this cursor' },
  link_closed: { status: 410, title: 'The link was closed or replaced' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  amount_exceeds_refundable: { status: 422, title: 'The amount exceeds the refundable amount' },
  amount_out_of_range: { status: 422, title: 'The amount is outside the limits of the payment method' },
  method_unavailable: { status: 422, title: 'The payment method is not available' },
  currency_unsupported: { status: 422, title: 'The currency is not supported' },
  rate_unavailable: { status: 422, title: 'No exchange rate is available for these currencies' },
  rate_stale: { status: 422, title: 'The exchange rate is too old' },
  verification_code_invalid: {
    status: 422,
    title: 'The verification code is invalid, already used or expired',
  },
  hash_mismatch: { status: 422, title: 'The hash does not match the charge' },
  hash_required: { status: 422, title: 'Secure mode requires a hash' },
  link_invalid: { status: 422, title: 'The link is invalid, already used or expired' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used with a different request' },
  receiving_account_invalid: { status: 422, title: 'The receiving account is invalid' },
  plan_terms_fixed: { status: 422, title: 'The terms of a plan with subscriptions cannot be changed' },
  target_refused: {
    status: 422,
    title: 'The webhook or callback URL leads to an address that is not allowed',
  },
  invalid_statement: { status: 422, title: 'The statement file cannot be read' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal_error: { status: 500, title: 'The service failed to process the request' },
  merchant_paused: {
    status: 503,
    title: 'The merchant is paused while it moves to another installation',
  },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const;

export type ErrorCode = keyof typeof errorCatalog;

/** One error in the input: a JSON pointer and the rule that the value violates. */
export type InputError = { path: string; message: string };

/** An error that is shown to the caller of the API. Its `message` must not contain internal details. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly inputErrors: InputError[];
  /** Undefined if it is not known when a retry may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail?: string, inputErrors: InputError[] = [], retryAfterSeconds?: number) {
    super(detail ?? errorCatalog[code].title);
    this.code = code;
    this.inputErrors = inputErrors;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return errorCatalog[this.code].status;
  }
}

/**
 * Creates a 400 `invalid_request` for input that violates a rule at `path`. If `path` is empty, the message names the
 * input by `subject`.
 */
export function invalidInputError(path: string, message: string, subject = 'The input'): DomainError {
  return new DomainError('invalid_request', `${path === '' ? subject : path} ${message}`, [
    { path, message },
  ]);
}

/** Creates a 429 `rate_limited`. `retryAfterSeconds` becomes the `Retry-After` header. */
export function rateLimitedError(detail: string, retryAfterSeconds: number): DomainError {
  return new DomainError('rate_limited', detail, [], retryAfterSeconds);
}
