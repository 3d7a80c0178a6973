import type { Db } from '../../../kit/db.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { refundNotFoundError } from './lock-refund.ts';
import type { RefundWithCharge } from './transition-refund.ts';

/** Returns one refund with its charge. Throws `refund_not_found`. */
export async function getRefund(db: Db, options: ScopedId): Promise<RefundWithCharge> {
  const { merchantId, mode, id } = options;
  const row = await db.prisma.refund.findFirst({
    where: { id, merchantId, mode },
    include: { charge: true },
  });
  if (!row) throw refundNotFoundError(id);
  const { charge, ...refund } = row;
  return { refund, charge };
}
