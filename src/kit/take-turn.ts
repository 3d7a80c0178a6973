import type { Tx } from './db.ts';

/**
 * Those who take a turn of the same name come one after the other: it lasts to the end of the transaction. Of several
 * names, everybody takes them in the same order.
 */
export async function takeTurn(tx: Tx, ...names: string[]): Promise<void> {
  for (const name of names) await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
