import type { ReceivingAccount, Refund } from '../../../../prisma/client/client.ts';
import type { PayoutDetails } from '../../../method/payout-details.ts';

export type PayoutInstruction = {
  refund: Refund;
  details: PayoutDetails;
  /** The country of the recipient's bank, ISO 3166-1 alpha-2. */
  country: string;
  payingAccount: ReceivingAccount;
};
