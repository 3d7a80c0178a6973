import { DomainError } from './errors.ts';
import { noPrimaryCode } from './primary-finder.ts';
import { unwrapErrors } from './sql-state.ts';

/** The code of `StaleDataKeys`. */
export const staleDataKeysCode = 'STALE_DATA_KEYS';

/**
 * Codes of errors that occur when PostgreSQL is unreachable, shuts down, lacks resources or cannot write, when a
 * connection pooler reports that (08P01), when the pool has no connection in time, or when the data keys may have
 * changed. Whether the change was committed is unknown.
 */
const unavailableCodes = new Set<string>([
  staleDataKeysCode,
  noPrimaryCode,
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01',
  '25006',
  '53000',
  '53100',
  '53200',
  '53300',
  '53400',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '58000',
  '58030',
]);

/** Prisma's adapter maps some of these codes to its own kinds. */
const unavailableKinds = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
]);

/** The driver's messages for broken connections; these errors have no code. */
const brokenConnection =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

/**
 * Creates the error for callers. The message mentions idempotency keys, because REST and GraphQL both support
 * them.
 */
export function serviceUnavailableError(): DomainError {
  return new DomainError(
    'unavailable',
    'The service is temporarily unavailable. Retry the request; if it had an Idempotency-Key, with the same key',
  );
}

/** Returns whether the error, or an error that it wraps, means that the service is temporarily unavailable. */
export function isUnavailable(error: unknown): boolean {
  return unwrapErrors(error).some(
    ({ code, originalCode, kind, message }) =>
      unavailableCodes.has(String(code)) ||
      unavailableCodes.has(String(originalCode)) ||
      unavailableKinds.has(String(kind)) ||
      brokenConnection.test(String(message)),
  );
}
