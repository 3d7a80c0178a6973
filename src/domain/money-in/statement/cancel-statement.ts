import type { Statement } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { statementTransitions } from './statement-state.ts';
import { lockStatement, transitionStatement } from './transition-statement.ts';

/**
 * Cancels an import that is queued, running or waiting for confirmation. The batch that a process is
 * recording is either complete or rolled back; entries that are already recorded stay recorded until the
 * statement is undone. Errors: `statement_not_found`, `statement_not_in_progress`.
 */
export async function cancelStatement(
  db: Db,
  options: ScopedId & { audit: AuditContext; now: MerchantTime },
): Promise<Statement> {
  const { merchantId, mode, id, audit, now } = options;
  return transact(db, async (uow) => {
    const statement = await lockStatement(uow.tx, options);
    const { status, recordedCount } = statement;
    if (!statementTransitions[status].includes('cancelled')) {
      const detail = `The import ${id} has the status "${status}" and cannot be cancelled`;
      throw new DomainError('statement_not_in_progress', detail);
    }
    await recordAudit(uow, {
      ...audit,
      merchantId,
      mode,
      action: 'statement.cancelled',
      objectId: id,
      detail: { recordedCount },
    });
    return transitionStatement(uow, statement, 'cancelled', { data: { finishedAt: now } });
  });
}
