import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { lockCharge } from '../charge/lock-charge.ts';
import type { RefundWithCharge } from './transition-refund.ts';

/**
 * Locks the charge of a refund until the end of the transaction, so that no refund of the charge can change,
 * and returns both. Throws `refund_not_found`.
 */
export async function lockRefund(tx: Tx, options: ScopedId): Promise<RefundWithCharge> {
  const { merchantId, mode, id } = options;
  const where = { id, merchantId, mode };
  const row = await tx.refund.findFirst({ where, select: { chargeId: true } });
  if (!row) throw refundNotFoundError(id);
  const charge = await lockCharge(tx, { merchantId, mode, id: row.chargeId });
  return { refund: await tx.refund.findFirstOrThrow({ where }), charge };
}

export function refundNotFoundError(id: string): DomainError {
  return new DomainError('refund_not_found', `Refund not found: ${id}`);
}
