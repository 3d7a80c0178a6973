import { hash } from 'node:crypto';
import type { Sql } from './sql.ts';

/**
 * Takes advisory locks of these names one after the other, to the end of the transaction. Where a transaction takes
 * several, all take them in the same order.
 */
export async function lockByName(tx: Sql, ...names: string[]): Promise<void> {
  if (names.length === 0) return;
  const keys = names.map((name) => String(getLockKey(name)));
  await tx.$executeRawUnsafe(
    'SELECT pg_advisory_xact_lock(number) FROM unnest($1::bigint[]) AS number',
    keys,
  );
}

/** The number of an advisory lock, which PostgreSQL knows by no name. */
export function getLockKey(name: string): bigint {
  return hash('sha256', name, 'buffer').readBigInt64BE();
}
