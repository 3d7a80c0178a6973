import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/**
 * Erases the content of processed deliveries with these transfers, and of all ignored deliveries. Keeps the content of
 * deliveries that have not been processed, because it is the only report of the money.
 */
export async function eraseFeedDeliveries(
  tx: Tx,
  { merchantId, mode, transferIds }: MerchantScope & { transferIds: string[] },
): Promise<void> {
  await tx.feedDelivery.updateMany({
    where: {
      merchantId,
      mode,
      bodyEncrypted: { not: null },
      OR: [{ status: 'ignored' }, { status: 'processed', transferIds: { hasSome: transferIds } }],
    },
    data: { headersEncrypted: null, bodyEncrypted: null },
  });
}
