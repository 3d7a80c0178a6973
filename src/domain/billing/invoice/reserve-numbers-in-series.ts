import type { Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

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
