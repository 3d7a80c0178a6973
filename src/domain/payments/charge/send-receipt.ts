import type { Charge } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { brandColumns } from '../../../kit/brand.ts';
import { hourMs } from '../../../kit/duration.ts';
import { invalidInputError, rateLimitedError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { getReceiptAmount } from './charge-state.ts';
import { findDisplayedOrders } from './displayed-orders.ts';
import { lockCharge } from './lock-charge.ts';
import { toReceiptMessage } from './mail-receipts.ts';

/**
 * Emails the receipt of a completed charge to its customer at the merchant's request, at most once per clock
 * hour. Throws `charge_not_found`, `rate_limited`, or `invalid_request` for a charge that is not completed, has no
 * email address, or whose payment was reversed.
 */
export async function sendReceipt(
  service: Service,
  options: ScopedId & { audit: AuditContext },
): Promise<Charge> {
  const { merchantId, mode, id, audit } = options;
  return transact(service, async (uow) => {
    const charge = await lockCharge(uow.tx, options);
    if (charge.status !== 'completed' || charge.email === null)
      throw invalidInputError('/id', 'must be a completed charge of a customer with an email address');
    if (getReceiptAmount(charge) <= 0n)
      throw invalidInputError('/id', 'must be a charge whose payment was not reversed or unassigned');
    const merchant = await uow.tx.merchant.findUniqueOrThrow({
      where: { id: merchantId },
      select: { ...brandColumns, timeZone: true },
    });
    const systemNow = audit.now;
    const hour = Math.floor(systemNow.getTime() / hourMs);
    const message = toReceiptMessage(uow, {
      charge,
      orders: (await findDisplayedOrders(uow.tx, [charge])).get(id) ?? [],
      merchant,
      systemNow,
      dedupeKey: `receipt ${id} ${hour}`,
    });
    if ((await enqueueMessage(uow, { ...message, atLimit: 'reject' })) === null)
      throw rateLimitedError(
        `The receipt of ${id} was already sent in this hour`,
        Math.ceil(((hour + 1) * hourMs - systemNow.getTime()) / 1_000),
      );
    await recordAudit(uow, { ...audit, merchantId, mode, action: 'charge.receipt_sent', objectId: id });
    return charge;
  });
}
