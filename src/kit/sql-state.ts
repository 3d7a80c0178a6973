/** What PostgreSQL says of an error, by its SQLSTATE. */
export const sqlStates = {
  uniqueViolation: '23505',
  /** It ended the transaction to break a deadlock: nothing of it is there. */
  deadlockDetected: '40P01',
  lockNotAvailable: '55P03',
} as const;

type SqlState = (typeof sqlStates)[keyof typeof sqlStates];

type ErrorLayer = { code?: unknown; originalCode?: unknown; kind?: unknown; message?: unknown };

/** An error and what stands behind it: Prisma and its adapter wrap what the driver says. */
export function* unwrapErrors(error: unknown): Generator<ErrorLayer> {
  if (typeof error !== 'object' || error === null) return;
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  yield error;
  yield* unwrapErrors(meta?.driverAdapterError);
  yield* unwrapErrors(cause);
}

export function hasSqlState(error: unknown, state: SqlState): boolean {
  return unwrapErrors(error).some(({ code, originalCode }) => code === state || originalCode === state);
}
