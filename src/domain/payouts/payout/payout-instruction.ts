import type { ReceivingAccount, Refund } from '../../../../prisma/client/client.ts';
import type { PayoutDetails } from '../../../method/payout-details.ts';

/** A refund as it is to be paid: from which account, to whom. */
export type PayoutInstruction = {
  refund: Refund;
  details: PayoutDetails;
  /** Of the bank the money goes to; ISO 3166-1 alpha-2. */
  country: string;
  payingAccount: ReceivingAccount;
};
