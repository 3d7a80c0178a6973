import type { Prisma, Statement, StatementStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { isLeased, leaseMs, statementTransitions } from './statement-state.ts';

/** Another process has taken over the import, or a user has cancelled it; the transaction is rolled back. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export type StatementChange = {
  /** The lease of the process; undefined for the decision of a user, who holds the row lock. */
  lease?: { leaseId: string; systemNow: Date };
  /** Releases the lease although the work is not done. */
  isInterrupted?: boolean;
  data?: Pick<
    Prisma.StatementUncheckedUpdateInput,
    | 'errorLine'
    | 'errorReason'
    | 'finishedAt'
    | 'resultCounts'
    | 'entryCount'
    | 'recordedCount'
    | 'bytesRead'
    | 'format'
    | 'fileAccount'
    | 'control'
    | 'discrepancies'
    | 'confirmedBy'
    | 'confirmedAt'
    | 'undoneAt'
    | 'undoneBy'
    | 'undoneCount'
  >;
};

/**
 * Changes the status of a statement; no other code writes it. Fails if the status or the lease holder has
 * changed since the statement was read. A process acquires or renews its lease with `running` and `undoing`;
 * every other change releases it. Leases use the system time, not a test clock. Throws `LeaseLostError`.
 */
export async function transitionStatement(
  uow: UnitOfWork,
  statement: Statement,
  to: StatementStatus,
  { lease, isInterrupted = false, data }: StatementChange,
): Promise<Statement> {
  if (!statementTransitions[statement.status].includes(to)) throw new LeaseLostError();
  const isTakenOver = lease && isLeased(statement) && statement.leasedBy !== lease.leaseId;
  const isHeld = lease && !isInterrupted && (to === 'running' || to === 'undoing');
  const [updated] = await uow.tx.statement.updateManyAndReturn({
    where: {
      id: statement.id,
      status: statement.status,
      leasedBy: statement.leasedBy,
      ...(isTakenOver && { leasedUntil: { lte: lease.systemNow } }),
    },
    data: {
      ...data,
      status: to,
      leasedBy: isHeld ? lease.leaseId : null,
      leasedUntil: isHeld ? new Date(lease.systemNow.getTime() + leaseMs) : null,
    },
  });
  if (!updated) throw new LeaseLostError();
  // Wakes the importers.
  if (to === 'queued' || (to === 'undoing' && !isHeld))
    announceChange(uow, { objectId: updated.id, merchantId: updated.merchantId, mode: updated.mode });
  return updated;
}
