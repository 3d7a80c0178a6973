import type { Prisma, Statement, StatementStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { leaseMs, statementTransitions } from './statement-state.ts';

/** Another process has taken over the import; the pending write is discarded. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** `at` is the machine's time: leases do not follow a test clock. */
export type StatementChange = {
  leaseId: string;
  at: Date;
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
  >;
};

/**
 * The only writer of a statement's status: compares and sets the status and, while it runs, the lease holder.
 * Every status but `running` releases the lease. Throws `LeaseLost`.
 */
export async function transitionStatement(
  uow: UnitOfWork,
  statement: Statement,
  to: StatementStatus,
  { leaseId, at, data }: StatementChange,
): Promise<Statement> {
  if (!statementTransitions[statement.status].includes(to)) throw new LeaseLost();
  const isTakenOver = statement.status === 'running' && statement.leasedBy !== leaseId;
  const lease =
    to === 'running'
      ? { leasedBy: leaseId, leasedUntil: new Date(at.getTime() + leaseMs) }
      : { leasedBy: null, leasedUntil: null };
  const [updated] = await uow.tx.statement.updateManyAndReturn({
    where: {
      id: statement.id,
      status: statement.status,
      leasedBy: statement.leasedBy,
      ...(isTakenOver && { leasedUntil: { lte: at } }),
    },
    data: { ...data, status: to, ...lease },
  });
  if (!updated) throw new LeaseLost();
  // Wakes the importers: of all changes, they wait only for this one.
  if (to === 'queued')
    announceChange(uow, { objectId: updated.id, merchantId: updated.merchantId, mode: updated.mode });
  return updated;
}
