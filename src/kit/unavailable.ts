/** PostgreSQL is away, or the pool had no connection in time. Nobody can know whether the change was made. */
const codes = new Set([
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'ECONNREFUSED',
  'ECONNRESET',
  '53100',
  '53300',
  '57P01',
  '57P03',
]);

/** Whether an error says that the database cannot be reached for the moment. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.has(error.code);
}
