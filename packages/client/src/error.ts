import type { errorStatuses } from './generated/catalog.ts';

/** The codes of errors that the client detects without a response of the service. */
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

/** The only error that this package throws for a failed operation. Base your handling on `code`. */
export class CausewayError extends Error {
  override readonly name = 'CausewayError';
  readonly code: CausewayErrorCode;
  /** The HTTP status of the error; undefined if there was no response. */
  readonly status: number | undefined;
  /** Include it when you ask for help. */
  readonly requestId: string | undefined;
  /** The invalid fields of the input. */
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
