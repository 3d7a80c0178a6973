import type { Tx } from '../../kit/db.ts';

/** Recordings on one account run one after the other, so that two importers cannot count the same money twice. */
export async function lockAccount(tx: Tx, receivingAccountId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM receiving_account WHERE id = ${receivingAccountId} FOR NO KEY UPDATE`;
}
