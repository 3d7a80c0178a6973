/** What PostgreSQL says of an error, by its SQLSTATE. */
export const sqlStates = {
  uniqueViolation: '23505',
  /** It ended the transaction to break a deadlock: nothing of it is there. */
  deadlockDetected: '40P01',
  lockNotAvailable: '55P03',
} as const;

type SqlState = (typeof sqlStates)[keyof typeof sqlStates];

type Layer = { code?: unknown; originalCode?: unknown; kind?: unknown; message?: unknown };

/** An error and what stands behind it: Prisma and its adapter wrap what the driver says. */
export function* layersOf(error: unknown): Generator<Layer> {
  if (typeof error !== 'object' || error === null) return;
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  yield error;
  yield* layersOf(meta?.driverAdapterError);
  yield* layersOf(cause);
}

export function hasSqlState(error: unknown, state: SqlState): boolean {
  return layersOf(error).some(({ code, originalCode }) => code === state || originalCode === state);
}
