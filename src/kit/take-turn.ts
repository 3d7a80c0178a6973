import type { Tx } from './db.ts';

/** Those who take a turn of the same name come one after the other: it lasts to the end of the transaction. */
export async function takeTurn(tx: Tx, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
