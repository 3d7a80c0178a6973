import { Prisma, type Statement, type StatementStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { getLeaseEnd, isLeaseFree } from '../../../kit/lease.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import { sharedIdsSql } from '../../accounts/receiving-account/bank-account.ts';
import { statementTransitions } from './statement-state.ts';

/** How long a lease lasts. A process renews it after each batch and about every second while it reads. */
const leaseMs = 8_000;

/**
 * Thrown if another process has taken over the statement, or a user has cancelled the import. The transaction
 * is rolled back.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export type StatementChange = {
  /** The time from which the lease of the process lasts; undefined for the decision of a user. */
  systemNow?: SystemTime;
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
 * Changes the status of a statement; no other code writes it. Throws `LeaseLostError` if the transition is
 * not allowed, or if the status or the lease has changed since the statement was read. A process acquires or
 * renews its lease with `running` and `undoing`; every other change releases it. Leases use the system time,
 * not a test clock.
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

/** Locks a statement until the end of the transaction and returns it. Throws `statement_not_found`. */
export async function lockStatement(tx: Tx, { merchantId, mode, id }: ScopedId): Promise<Statement> {
  await tx.$queryRaw`SELECT 1 FROM statement
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR NO KEY UPDATE`;
  const statement = await tx.statement.findFirst({ where: { id, merchantId, mode } });
  if (!statement) throw new DomainError('statement_not_found', `Statement not found: ${id}`);
  return statement;
}

/**
 * Claims the oldest statement to import or to undo that no process works on, or whose lease has expired; with
 * `id`, only that statement. Claims only one statement per bank account at a time, because recording locks the
 * account anyway. Returns undefined if there is none.
 */
export async function claimStatement(
  db: Db,
  { id, systemNow }: { id?: string | undefined; systemNow: SystemTime },
): Promise<Statement | undefined> {
  const idFilter = id === undefined ? Prisma.empty : Prisma.sql`AND id = ${id}`;
  return transact(db, async (uow) => {
    const [next] = await uow.tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM statement
      WHERE status IN ('queued', 'running', 'undoing') AND ${isLeaseFree(systemNow)} ${idFilter}
        AND ${isOfRunningMerchant}
        AND NOT EXISTS (
          SELECT 1 FROM statement other
          WHERE other.receiving_account_id = ANY (ARRAY(${sharedIdsSql(Prisma.sql`statement.receiving_account_id`)}))
            AND other.status IN ('running', 'undoing') AND other.leased_until > ${systemNow} AND other.id <> statement.id)
      ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!next) return undefined;
    const statement = await uow.tx.statement.findUniqueOrThrow({ where: { id: next.id } });
    const to = statement.status === 'undoing' ? 'undoing' : 'running';
    return transitionStatement(uow, statement, to, { systemNow });
  });
}
