import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { type AuditInput, recordAudit } from '../../platform/audit/record-audit.ts';
import type { TransferInput } from './draft-transfer.ts';

/** So many go in one transaction: it is short, and a large file holds no locks for long. */
const perTransaction = 250;

/**
 * Records transfers in batches of one transaction each, of which the first writes the audit entry. The results are in the
 * order of the inputs.
 */
export async function inTransactions<S extends Db, Result>(
  service: S,
  inputs: readonly TransferInput[],
  record: (uow: UnitOfWork<S>, some: readonly TransferInput[]) => Promise<Result[]>,
  entry?: AuditInput,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < inputs.length; at += perTransaction) {
    const some = inputs.slice(at, at + perTransaction);
    const recorded = await transact(service, async (uow) => {
      if (entry && at === 0) await recordAudit(uow, entry);
      return record(uow, some);
    });
    results.push(...recorded);
  }
  return results;
}
