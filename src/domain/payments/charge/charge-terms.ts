import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Money } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { Rate } from '../../platform/forex/get-rate.ts';
import type { MetadataEntry } from '../../platform/metadata.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';

/** The validated terms of a new charge. */
export type ChargeTerms = {
  merchantMoney: Money;
  method: MethodCode;
  customer: CustomerDetails;
  orders: OrderLine[];
  notifyPayload?: string | null;
  metadata?: MetadataEntry[] | null;
  notifyUrl?: string | null;
  redirectUrl?: string | null;
  /** The customer's language; the default is that of the method's country. */
  language?: string | null;
  sessionId?: string;
  checkoutLinkId?: string;
  subscriptionId?: string;
  invoiceId?: string;
  replacesId?: string;
  /** Whether an equal request can return this charge instead of creating another. */
  isReusable?: boolean;
  /** Extends the payment window to this time if it is later than the window's end. */
  payableUntil?: Date;
};

/** The values of a new charge that are computed before the transaction. */
export type PreparedCharge = {
  terms: ChargeTerms;
  /** The accounts that accept the amount, in order of preference. */
  accounts: [ReceivingAccount, ...ReceivingAccount[]];
  rate: Rate;
  /** The amount before the offset that makes it unique is added. */
  customerMoney: Money;
  /** The merchant's amount in US cents; null if there is no rate. */
  usdMinor: bigint | null;
  /** The merchant's payment window for the method; an account may override it. */
  paymentWindowMinutes: number;
};
