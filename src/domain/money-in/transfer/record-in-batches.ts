import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { type AuditInput, recordAudit } from '../../platform/audit/record-audit.ts';
import type { TransferInput } from './draft-transfer.ts';

/** The number of transfers per transaction, few enough to keep locks short. */
const batchSize = 250;

/**
 * Records transfers in batches, with one transaction per batch. The first transaction writes the audit entry.
 * Returns the results in the order of the inputs.
 */
export async function recordInBatches<S extends Db, Result>(
  service: S,
  inputs: readonly TransferInput[],
  record: (uow: UnitOfWork<S>, batch: readonly TransferInput[]) => Promise<Result[]>,
  auditEntry?: AuditInput,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < inputs.length; start += batchSize) {
    const batch = inputs.slice(start, start + batchSize);
    const batchResults = await transact(service, async (uow) => {
      if (auditEntry && start === 0) await recordAudit(uow, auditEntry);
      return record(uow, batch);
    });
    results.push(...batchResults);
  }
  return results;
}
