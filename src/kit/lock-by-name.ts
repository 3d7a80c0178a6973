import { hash } from 'node:crypto';
import type { Sql } from './sql.ts';

/**
 * Takes an advisory lock for each name, in the given order, until the end of the transaction. Concurrent callers with
 * several common names must pass them in the same order to avoid deadlocks.
 */
export async function lockByName(tx: Sql, ...names: string[]): Promise<void> {
  if (names.length === 0) return;
  const keys = names.map((name) => String(getLockKey(name)));
  await tx.$executeRawUnsafe(
    'SELECT pg_advisory_xact_lock(number) FROM unnest($1::bigint[]) AS number',
    keys,
  );
}

/** Returns the key of a named advisory lock: PostgreSQL identifies advisory locks only by number. */
export function getLockKey(name: string): bigint {
  return hash('sha256', name, 'buffer').readBigInt64BE();
}
