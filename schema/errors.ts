import { type DomainError, type ErrorCode, errorCatalog, type InputError } from '../src/kit/errors.ts';
import { builder } from './kit/builder.ts';
import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitedError,
  UnprocessableError,
} from './kit/error-types.ts';
import { lowerFirstWord } from './kit/lower-first-word.ts';

const codes = Object.entries(errorCatalog) as [ErrorCode, { title: string }][];

/** Descriptions of codes whose title in REST does not explain the cause or the remedy. */
const codeDescriptions: Partial<Record<ErrorCode, string>> = {
  bank_feed_limit_reached: 'The mode already has 50 bank feeds, which is the maximum.',
  bank_feed_not_pollable: 'The bank feed is paused, or only receives deliveries.',
  bank_feed_unauthenticated:
    'The deliveries of the bank feed are not authenticated, so it cannot be confirmed. Enter the credentials of the bank’s API.',
  feed_delivery_not_processable:
    'The body of the delivery is not stored, or the delivery was changed concurrently.',
  statement_not_awaiting_confirmation: 'The statement does not have the status `awaiting_confirmation`.',
  statement_not_in_progress: 'The import is not queued, running or awaiting confirmation.',
  statement_not_undoable: 'The statement has no recorded transfers to undo, or its status does not allow it.',
  statement_refunded: 'Refunds depend on the money of the statement, so it cannot be undone.',
  statement_undo_in_progress: 'The statement that reported this money is being undone. Retry later.',
  account_disabled: 'An operator has disabled the merchant account.',
  merchant_moved: 'The merchant has moved to another installation, whose address the message contains.',
  merchant_paused: 'The merchant is paused while it moves to another installation. Retry later.',
  amount_exceeds_refundable:
    'The amount is greater than the amount of the charge that can still be refunded.',
  amount_out_of_range:
    'The amount is outside the limits of the payment method or the receiving account, or exceeds the unallocated amount of the transfer.',
  api_key_ended: 'The API key was revoked, has expired or was already replaced.',
  certificate_signing:
    'The certificate is the only one that signs callbacks in its mode, so it cannot be revoked.',
  charge_not_completed: 'The charge has not been completed, so there is nothing to refund.',
  charge_not_pending:
    'The charge has completed, has expired or was cancelled, or a customer cannot cancel it because money has arrived.',
  currency_unsupported:
    'The currency is not supported, or it differs from the currency that the operation requires.',
  event_cursor_expired: 'The cursor is older than 400 days or beyond the end of the event log.',
  hash_mismatch: 'The `hash` was created for a charge with another amount, currency, order or mode.',
  hash_required: 'Secure mode is on, and the input contains no `hash`.',
  idempotency_in_progress: 'A request with the same `Idempotency-Key` is still being processed. Retry later.',
  idempotency_key_reused: 'The `Idempotency-Key` was already used with a different request.',
  internal_error:
    'The service could not process the request because of an internal error. Retry once, then report the `requestId`.',
  invalid_request: 'The input is malformed or violates a validation rule.',
  invalid_statement: 'The statement file has an unsupported format or an error that prevents reading it.',
  invitation_not_found: 'No invitation with this ID is open.',
  invitation_email_used: 'The email address already belongs to a user, possibly of another merchant.',
  last_owner:
    'The user is the last owner of the merchant account, who can neither be removed nor get another role.',
  method_not_allowed: 'The REST route does not support the HTTP method.',
  method_unavailable:
    'The payment method is not available, for example because it has no active receiving account.',
  not_acceptable: 'The response is not available in a format that the `Accept` header allows.',
  permission_denied: 'The credentials do not permit the operation, or a password is incorrect.',
  plan_terms_fixed:
    'The terms of a plan, other than its orders and tax, cannot change after the first enrolment.',
  rate_limited: 'There were too many requests or attempts. Retry later.',
  rate_stale: 'The newest exchange rate is older than `Merchant.maxRateAgeDays` allows.',
  receiving_account_invalid:
    'The details or settings of the receiving account are invalid. The field `errors` lists all problems.',
  receiving_account_retired: 'The receiving account is retired and must be reactivated before it can change.',
  refund_not_initiated: 'The refund is not waiting for bank details.',
  refund_not_processing: 'The refund is not ready to be paid, or its completion cannot be undone.',
  restricted_endpoint:
    'The operation requires restricted access (`Merchant.restrictedAccess`), which the merchant does not have.',
  route_not_found: 'The URL belongs to no route of the REST API.',
  two_factor_code_required:
    'A two-factor authentication code is required. Provide it in the field `code` if the input has one; otherwise call `reauthenticate` first.',
  session_already_used: 'The session already has a charge.',
  subscription_plan_inactive: 'The plan accepts no new subscriptions.',
  target_refused: 'The URL points to a private or loopback address, which is not allowed.',
  test_clock_running: 'The test clock is being advanced. Retry when `TestClock.isAdvancing` is false.',
  transfer_already_allocated:
    'The transfer does not have the status `exception`, or its allocations do not allow the change.',
  two_factor_setup_required:
    'The merchant requires two-factor authentication, which the user has not enabled yet.',
  unauthenticated: 'The credentials are missing, invalid or expired.',
  unavailable: 'The service is temporarily unavailable. Retry with the same `Idempotency-Key`.',
  upload_not_found: 'No upload with this ID exists in the mode of the request, or it has expired.',
  user_not_found: 'The merchant has no user with this ID.',
  verification_code_invalid: 'The code is wrong, already used or expired.',
  webhook_limit_reached: 'The mode already has 50 webhooks, which is the maximum.',
};

/** Describes a code: an unknown object by its noun, other codes by their own text or their title in REST. */
function describeCode(code: ErrorCode, title: string): string {
  const [, object] = /^(.+) not found$/.exec(title) ?? [];
  const description = codeDescriptions[code];
  if (description !== undefined) return description;
  return object === undefined
    ? `${title}.`
    : `No ${lowerFirstWord(object)} with this ID exists in the mode of the request.`;
}

/** Paths that errors of the domain report by the field's name in REST, with the name in this schema. */
const inputNames: readonly (readonly [restPath: RegExp, name: string])[] = [
  [/^(\/orders\/\d+)\/id$/, '$1/orderId'],
  [/^\/paymentMethods\b.*/, '/methods'],
  [/^\/usageLimit$/, '/usageLimit'],
  [/^\/gracePeriod$/, '/gracePeriodDays'],
  [/^\/invoiceNotice$/, '/invoiceNoticeDays'],
  [/^\/holder$/, '/accountName'],
];

function toInputPath(path: string): string {
  for (const [restPath, name] of inputNames) if (restPath.test(path)) return path.replace(restPath, name);
  return path;
}

/** Returns the input errors of an error, with the paths of the GraphQL input. */
function toFieldErrors({ inputErrors }: DomainError): InputError[] {
  return inputErrors.map(({ path, message }) => ({ path: toInputPath(path), message }));
}

/** Returns the message of an error. If it begins with the path of an input error, replaces that path. */
function toErrorMessage({ message, inputErrors: [first] }: DomainError): string {
  if (!first || !message.startsWith(`${first.path} `)) return message;
  return toInputPath(first.path) + message.slice(first.path.length);
}

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'A machine-readable error code. The codes are stable and the same in REST. New codes may be added, so handle an unknown code by the type of the error.',
  values: Object.fromEntries(
    codes.map(([code, { title }]) => [code, { description: describeCode(code, title) }]),
  ) as Record<ErrorCode, { description: string }>,
});

const ErrorInterface = builder.interfaceRef<DomainError>('UserError').implement({
  description:
    'An error that an operation returns. Every result union includes all types that implement this interface, so a new code never changes a union.',
  fields: (t) => ({
    code: t.expose('code', {
      type: ErrorCodeEnum,
      description: 'The machine-readable error code. Base your error handling on this code.',
    }),
    message: t.string({
      description: 'A human-readable explanation of the error. Its wording may change.',
      resolve: toErrorMessage,
    }),
  }),
});

const FieldErrorType = builder.objectRef<InputError>('FieldError').implement({
  description: 'An invalid part of the input, and the rule that it violates.',
  fields: (t) => ({
    path: t.exposeString('path', {
      description:
        'A JSON pointer to the invalid part of the input, such as `/orders/0/quantity`. Empty if the problem concerns the input as a whole.',
    }),
    message: t.exposeString('message', { description: 'The rule that the value at this path must satisfy.' }),
  }),
});

builder.objectType(InvalidRequestError, {
  name: 'InvalidRequestError',
  interfaces: [ErrorInterface],
  description: 'The input is malformed or violates a validation rule (HTTP 400 in REST).',
  fields: (t) => ({
    errors: t.field({
      type: [FieldErrorType],
      description: 'The problems with the input, each with its path.',
      resolve: toFieldErrors,
    }),
  }),
});

builder.objectType(PermissionError, {
  name: 'PermissionError',
  interfaces: [ErrorInterface],
  description: 'The credentials do not permit the operation (HTTP 403 in REST).',
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  interfaces: [ErrorInterface],
  description:
    'The object does not exist, or it belongs to another merchant or to the other mode (HTTP 404 in REST).',
});

builder.objectType(ConflictError, {
  name: 'ConflictError',
  interfaces: [ErrorInterface],
  description: 'The current state of the object does not allow the operation (HTTP 409 in REST).',
});

builder.objectType(UnprocessableError, {
  name: 'UnprocessableError',
  interfaces: [ErrorInterface],
  description: 'The input is well-formed, but the operation cannot be carried out (HTTP 422 in REST).',
  fields: (t) => ({
    errors: t.field({
      type: [FieldErrorType],
      description:
        'The problems with individual parts of the input, each with its path. Empty if the error does not concern individual parts.',
      resolve: toFieldErrors,
    }),
  }),
});

builder.objectType(RateLimitedError, {
  name: 'RateLimitedError',
  interfaces: [ErrorInterface],
  description: 'The caller sent too many requests or attempts and should retry later (HTTP 429 in REST).',
  fields: (t) => ({
    retryAfterSeconds: t.exposeInt('retryAfterSeconds', {
      nullable: true,
      description: 'The number of seconds to wait before a retry. Null if it is not known.',
    }),
  }),
});
