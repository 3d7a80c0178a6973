import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { lockCharge } from '../charge/lock-charge.ts';
import type { RefundWithCharge } from './transition-refund.ts';

/**
 * Reads a refund under the lock of its charge, so that no other refund of the charge can change. Throws
 * `refund_not_found`.
 */
export async function lockRefund(tx: Tx, options: ScopedId): Promise<RefundWithCharge> {
  const { merchantId, mode, id } = options;
  const where = { id, merchantId, mode };
  const row = await tx.refund.findFirst({ where, select: { chargeId: true } });
  if (!row) throw refundNotFound(id);
  const charge = await lockCharge(tx, { merchantId, mode, id: row.chargeId });
  return { refund: await tx.refund.findFirstOrThrow({ where }), charge };
}

export function refundNotFound(id: string): DomainError {
  return new DomainError('refund_not_found', `Refund not found: ${id}`);
}
