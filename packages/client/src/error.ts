import type { errorStatuses } from './generated/catalog.ts';

/** The codes of errors that the client, not the service, reports. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'timeout'
  | 'invalid_response'
  | 'error_not_selected'
  | 'verification_failed';

/** The service may add codes, so the type includes any string. */
export type CausewayErrorCode = keyof typeof errorStatuses | ClientErrorCode | (string & {});

export type InvalidInput = { path: string; message: string };

export type CausewayErrorDetails = {
  status?: number | undefined;
  requestId?: string | undefined;
  errors?: readonly InvalidInput[] | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/**
 * The error of a failed operation or verification. Base your handling on `code`. Invalid arguments throw a TypeError
 * instead, and an aborted signal throws its reason.
 */
export class CausewayError extends Error {
  override readonly name = 'CausewayError';
  readonly code: CausewayErrorCode;
  /**
   * The HTTP status of the response. For an error in a GraphQL result, the status of its code; for a failed
   * verification, 401.
   */
  readonly status: number | undefined;
  /** The ID of the request, by which the operator of the service finds its log entries. */
  readonly requestId: string | undefined;
  /** The invalid fields of the input; empty for other errors. */
  readonly errors: readonly InvalidInput[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: CausewayErrorCode, message: string, details: CausewayErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.errors = details.errors ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
