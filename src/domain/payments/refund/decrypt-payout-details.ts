import type { Secrets } from '../../../kit/secrets.ts';
import type { PayoutDetails } from '../../../method/payout-details.ts';

/** Decrypts the payout details that `submitRefundDetails` stored. Returns null if the refund has none. */
export async function decryptPayoutDetails(
  secrets: Secrets,
  { id, detailsEncrypted }: { id: string; detailsEncrypted: string | null },
): Promise<PayoutDetails | null> {
  if (detailsEncrypted === null) return null;
  return JSON.parse(await secrets.decrypt(detailsEncrypted, 'refund.details_encrypted', id));
}
