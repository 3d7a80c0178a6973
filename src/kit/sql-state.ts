/** SQLSTATE codes. */
export const sqlStates = {
  foreignKeyViolation: '23503',
  /** Since version 18, PostgreSQL reports violations of ON DELETE RESTRICT separately. */
  restrictViolation: '23001',
  uniqueViolation: '23505',
  /** PostgreSQL rolled the transaction back to break a deadlock. */
  deadlockDetected: '40P01',
  lockNotAvailable: '55P03',
  /** Raised by the triggers of the migrations. */
  merchantPaused: 'CWPSD',
  merchantMoved: 'CWMVD',
} as const;

type SqlState = (typeof sqlStates)[keyof typeof sqlStates];

type ErrorLayer = { code?: unknown; originalCode?: unknown; kind?: unknown; message?: unknown };

/** Yields an error and its nested causes, because Prisma and its adapter wrap the driver's errors. */
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
