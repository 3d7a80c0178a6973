import type { Tx } from './db.ts';

/**
 * Takes advisory locks of these names one after the other, to the end of the transaction. Where a transaction takes
 * several, all take them in the same order.
 */
export async function takeTurn(tx: Tx, ...names: string[]): Promise<void> {
  if (names.length === 0) return;
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(${names}::text[]) AS name`;
}
