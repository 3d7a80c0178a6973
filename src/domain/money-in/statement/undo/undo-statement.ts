import type { Statement } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Db } from '../../../../kit/db.ts';
import { DomainError } from '../../../../kit/errors.ts';
import type { ScopedId } from '../../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../../platform/merchant/lock-merchant.ts';
import { statementTransitions } from '../statement-state.ts';
import { lockStatement, transitionStatement } from '../transition-statement.ts';
import { readUndoConsequences } from './read-undo-consequences.ts';

/**
 * Starts to undo a statement: a worker then undoes its transfers in batches. From then on, no refund of its money
 * can start. Errors: `statement_not_found`, `statement_not_undoable`, `statement_refunded` if a refund depends on
 * its money.
 */
export async function undoStatement(db: Db, options: ScopedId & { audit: AuditContext }): Promise<Statement> {
  const { merchantId, mode, id, audit } = options;
  return transact(db, async (uow) => {
    const { tx } = uow;
    // Serializes undos, so that only one of two statements that paid for the same refund can be undone.
    await lockMerchant(tx, merchantId);
    const statement = await lockStatement(tx, options);
    requireUndoable(statement);
    const { blockingRefundIds, transferCount } = await readUndoConsequences(tx, statement);
    requireNoRefunds(statement, blockingRefundIds);
    await recordAudit(uow, {
      ...audit,
      merchantId,
      mode,
      action: 'statement.undone',
      objectId: id,
      detail: { transferCount },
    });
    return transitionStatement(uow, statement, 'undoing', { data: { undoneBy: audit.actor } });
  });
}

/** Returns whether the undo can start: the status allows it, and entries were recorded. */
export function canUndo({ status, recordedCount }: Pick<Statement, 'status' | 'recordedCount'>): boolean {
  return status !== 'undoing' && statementTransitions[status].includes('undoing') && recordedCount > 0;
}

function requireUndoable(statement: Statement): void {
  if (canUndo(statement)) return;
  const { id, status, recordedCount } = statement;
  const reason =
    recordedCount === 0 && (status === 'failed' || status === 'cancelled')
      ? 'nothing of it was recorded'
      : `it has the status "${status}"`;
  throw new DomainError('statement_not_undoable', `The statement ${id} cannot be undone: ${reason}`);
}

const namedRefundsMax = 5;

function requireNoRefunds({ id }: Statement, refundIds: readonly string[]): void {
  if (refundIds.length === 0) return;
  const more = refundIds.length > namedRefundsMax ? ', …' : '';
  const detail = `The statement ${id} cannot be undone, because refunds depend on its money: ${refundIds.slice(0, namedRefundsMax).join(', ')}${more}`;
  throw new DomainError('statement_refunded', detail);
}
