import type { Db } from '../../../kit/db.ts';
import type { Owned } from '../../../kit/owner.ts';
import { refundNotFound } from './lock-refund.ts';
import type { RefundOfCharge } from './transition-refund.ts';

/** One refund of the merchant in this mode, with its charge. Error: `refund_not_found`. */
export async function getRefund(db: Db, options: Owned): Promise<RefundOfCharge> {
  const { merchantId, mode, id } = options;
  const found = await db.prisma.refund.findFirst({
    where: { id, merchantId, mode },
    include: { charge: true },
  });
  if (!found) throw refundNotFound(id);
  const { charge, ...refund } = found;
  return { refund, charge };
}
