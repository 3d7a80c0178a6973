import type { Subscription } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/** Returns the next reserved number in the series of the subscription's merchant and mode. */
export type GetInvoiceNumber = (subscription: Subscription) => number;

/** Reserves one invoice number for each of the subscriptions, in the series of its merchant and mode. */
export async function reserveInvoiceNumbers(
  tx: Tx,
  subscriptions: readonly Subscription[],
): Promise<GetInvoiceNumber> {
  const toSeriesKey = ({ merchantId, mode }: Subscription) => `${merchantId} ${mode}`;
  const groups = Map.groupBy(subscriptions, toSeriesKey);
  const numbers = new Map<string, number[]>();
  // A fixed order prevents deadlocks between workers.
  for (const [series, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    numbers.set(series, await reserveNumbersInSeries(tx, group[0]!, group.length));
  }
  return (subscription) => {
    const number = numbers.get(toSeriesKey(subscription))?.shift();
    if (number === undefined) throw new Error('more invoices were created than numbers reserved');
    return number;
  };
}

/**
 * Reserves the next `count` numbers of the merchant's series. Locks the series until the transaction ends, so that
 * there are no gaps.
 */
export async function reserveNumbersInSeries(
  tx: Tx,
  { merchantId, mode }: MerchantScope,
  count: number,
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ last: number }[]>`
    INSERT INTO invoice_counter AS counter (merchant_id, mode, last) VALUES (${merchantId}, ${mode}::mode, ${count})
    ON CONFLICT (merchant_id, mode) DO UPDATE SET last = counter.last + ${count} RETURNING last`;
  const first = rows[0]!.last - count + 1;
  return Array.from({ length: count }, (_, i) => first + i);
}
