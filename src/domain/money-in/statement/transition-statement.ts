import type { Prisma, Statement, StatementStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { leaseMs, statementTransitions } from './statement-state.ts';

/** Another process has taken over the import; the transaction is rolled back. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** `systemNow` is the system time, because leases do not depend on a test clock. */
export type StatementChange = {
  leaseId: string;
  systemNow: Date;
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
  >;
};

/**
 * Changes the status of a statement; no other code writes it. Fails if the status or the lease holder has
 * changed since the statement was read. `running` acquires or renews the lease, every other status releases
 * it. Throws `LeaseLostError`.
 */
export async function transitionStatement(
  uow: UnitOfWork,
  statement: Statement,
  to: StatementStatus,
  { leaseId, systemNow, data }: StatementChange,
): Promise<Statement> {
  if (!statementTransitions[statement.status].includes(to)) throw new LeaseLostError();
  const isTakenOver = statement.status === 'running' && statement.leasedBy !== leaseId;
  const lease =
    to === 'running'
      ? { leasedBy: leaseId, leasedUntil: new Date(systemNow.getTime() + leaseMs) }
      : { leasedBy: null, leasedUntil: null };
  const [updated] = await uow.tx.statement.updateManyAndReturn({
    where: {
      id: statement.id,
      status: statement.status,
      leasedBy: statement.leasedBy,
      ...(isTakenOver && { leasedUntil: { lte: systemNow } }),
    },
    data: { ...data, status: to, ...lease },
  });
  if (!updated) throw new LeaseLostError();
  // Wakes the importers, which wait only for queued statements.
  if (to === 'queued')
    announceChange(uow, { objectId: updated.id, merchantId: updated.merchantId, mode: updated.mode });
  return updated;
}
