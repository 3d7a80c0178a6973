import { type Db, type Tx, transact } from '../../kit/db.ts';
import type { TransferInput } from './draft-transfer.ts';

/** So many go in one transaction: it is short, and a large file holds no locks for long. */
const perTransaction = 250;

/** Records what a source tells of in transactions of some each; answers in order. */
export async function inTransactions<Result>(
  db: Db,
  inputs: readonly TransferInput[],
  record: (tx: Tx, some: readonly TransferInput[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < inputs.length; at += perTransaction) {
    const some = inputs.slice(at, at + perTransaction);
    results.push(...(await transact(db, (tx) => record(tx, some))));
  }
  return results;
}
