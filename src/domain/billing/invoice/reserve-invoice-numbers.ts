import type { Subscription } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { reserveNumbersInSeries } from './reserve-numbers-in-series.ts';

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
