import type { Secrets } from '../../kit/secrets.ts';
import type { PayoutDetails } from '../../method/payout-details.ts';

/** What `submitRefundDetails` sealed. */
export function readPayoutDetails(secrets: Secrets, sealed: string): PayoutDetails {
  return JSON.parse(secrets.unseal(sealed)) as PayoutDetails;
}
