import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { type AuditInput, recordAudit } from '../../platform/audit/record-audit.ts';
import type { TransferInput } from './draft-transfer.ts';

/** Transfers per transaction; small, so that a large file does not hold locks for long. */
const batchSize = 250;

/**
 * Records transfers in batches of one transaction each. The first batch writes the audit entry. Returns results
 * in input order.
 */
export async function recordInBatches<S extends Db, Result>(
  service: S,
  inputs: readonly TransferInput[],
  record: (uow: UnitOfWork<S>, batch: readonly TransferInput[]) => Promise<Result[]>,
  entry?: AuditInput,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < inputs.length; start += batchSize) {
    const batch = inputs.slice(start, start + batchSize);
    const batchResults = await transact(service, async (uow) => {
      if (entry && start === 0) await recordAudit(uow, entry);
      return record(uow, batch);
    });
    results.push(...batchResults);
  }
  return results;
}
