import type { Prisma, Statement, StatementStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { getLeaseEnd } from '../../../kit/lease.ts';
import { statementTransitions } from './statement-state.ts';

/**
 * A process renews its lease after each batch and about every second while it reads; otherwise another one
 * takes over.
 */
const leaseMs = 8_000;

/** Another process has taken over the import, or a user has cancelled it; the transaction is rolled back. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export type StatementChange = {
  /** The time from which the lease of the process lasts; undefined for the decision of a user. */
  systemNow?: Date;
  /** Releases the lease although the work is not done. */
  isInterrupted?: boolean;
  data?: Pick<
    Prisma.StatementUncheckedUpdateInput,
    | 'errorLine'
    | 'failureReason'
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
 * Changes the status of a statement; no other code writes it. Fails if the status or the lease has changed since
 * the statement was read. A process acquires or renews its lease with `running` and `undoing`; every other change
 * releases it. Leases use the system time, not a test clock. Throws `LeaseLostError`.
 */
export async function transitionStatement(
  uow: UnitOfWork,
  statement: Statement,
  to: StatementStatus,
  { systemNow, isInterrupted = false, data }: StatementChange,
): Promise<Statement> {
  if (!statementTransitions[statement.status].includes(to)) throw new LeaseLostError();
  const isHeld = !isInterrupted && (to === 'running' || to === 'undoing');
  const leasedUntil = systemNow && isHeld ? getLeaseEnd(systemNow, leaseMs) : null;
  const [updated] = await uow.tx.statement.updateManyAndReturn({
    where: { id: statement.id, status: statement.status, leasedUntil: statement.leasedUntil },
    data: { ...data, status: to, leasedUntil },
  });
  if (!updated) throw new LeaseLostError();
  // Wakes the importers.
  if (to === 'queued' || (to === 'undoing' && leasedUntil === null))
    announceChange(uow, { objectId: updated.id, merchantId: updated.merchantId, mode: updated.mode });
  return updated;
}
