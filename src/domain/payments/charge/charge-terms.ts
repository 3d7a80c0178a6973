import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Money } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import type { Rate } from '../../platform/forex/get-rate.ts';
import type { Order } from '../../platform/order.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';

/** What is asked of whom, checked; the same however the charge comes about. */
export type ChargeTerms = {
  merchantMoney: Money;
  method: MethodCode;
  customer: CustomerDetails;
  orders: Order[];
  notifyPayload?: string | null;
  notifyUrl?: string | null;
  redirectUrl?: string | null;
  sessionId?: string;
  checkoutLinkId?: string;
  subscriptionId?: string;
  invoiceId?: string;
  /** Whether an equal request may be answered with this charge while it is pending. */
  isMergeable?: boolean;
  /** Instead of the end of the method's payment window, where that is earlier. */
  payableUntil?: Date;
};

/** All that is worked out before the transaction begins. */
export type PreparedCharge = {
  terms: ChargeTerms;
  /** Those that take the amount, the one to be used first. */
  accounts: [ReceivingAccount, ...ReceivingAccount[]];
  rate: Rate;
  /** Before anything is added to tell it from others. */
  customerMoney: Money;
  usdMinor: bigint | null;
  /** The merchant's payment window for the method; the account may have its own. */
  windowMinutes: number;
};
