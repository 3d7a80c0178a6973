import { unwrapErrors } from './sql-state.ts';

/** The code of StaleDataKeys. */
export const staleDataKeysCode = 'STALE_DATA_KEYS';

/**
 * PostgreSQL is away, cannot write (no room on its disk, only a copy of the database), or the pool had no connection in
 * time; then no one can know whether the change was committed. Or the data keys could not be read from it.
 */
const unavailableCodes = new Set<string>([
  staleDataKeysCode,
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

/** What Prisma's adapter makes of some of these. */
const unavailableKinds = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
]);

/** What the driver says of a connection that broke; these errors carry no code. */
const brokenConnection =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

/** Whether an error says that the database cannot be reached for the moment, in whatever layer the reason stands. */
export function isUnavailable(error: unknown): boolean {
  return unwrapErrors(error).some(
    ({ code, originalCode, kind, message }) =>
      unavailableCodes.has(String(code)) ||
      unavailableCodes.has(String(originalCode)) ||
      unavailableKinds.has(String(kind)) ||
      brokenConnection.test(String(message)),
  );
}
