import type { Statement } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { StatementDiscrepancies } from './check-statement.ts';
import { lockStatement, transitionStatement } from './transition-statement.ts';

/**
 * Continues an import that was stopped because of discrepancies, such as control totals that do not add up.
 * Errors: `statement_not_found`, `statement_not_awaiting_confirmation`.
 */
export async function confirmStatement(
  db: Db,
  options: ScopedId & { audit: AuditContext; now: MerchantTime },
): Promise<Statement> {
  const { merchantId, mode, id, audit, now } = options;
  return transact(db, async (uow) => {
    const statement = await lockStatement(uow.tx, options);
    if (statement.status !== 'awaiting_confirmation') {
      const detail = `The import ${id} has the status "${statement.status}" and needs no confirmation`;
      throw new DomainError('statement_not_awaiting_confirmation', detail);
    }
    const { count } = getDiscrepancies(statement);
    await recordAudit(uow, {
      ...audit,
      merchantId,
      mode,
      action: 'statement.confirmed',
      objectId: id,
      detail: { discrepancies: count },
    });
    return transitionStatement(uow, statement, 'queued', {
      data: { confirmedBy: audit.actor, confirmedAt: now },
    });
  });
}

export function getDiscrepancies({
  discrepancies,
}: Pick<Statement, 'discrepancies'>): StatementDiscrepancies {
  return (discrepancies as StatementDiscrepancies | null) ?? { count: 0, items: [] };
}
