import type { TSchema } from 'typebox';
import { type Money, toDecimal } from '../kit/money.ts';
import { type MethodCode, paymentMethods } from './catalogue.ts';
import { asciiText } from './emv.ts';

/** One payment to be made: what goes into its code besides the receiving account. */
export type PaymentCodeInput = {
  /** In the method's currency, in its payable unit. */
  amount: Money;
  paymentReference: string;
  /** Name of the account's holder. */
  holder: string;
  /** A fictional account: the code must say DEMO. */
  demo: boolean;
};

/**
 * How one payment method receives money. `Details` are the merchant's receiving account as plain JSON: what
 * `parseDetails` gives is what is stored, and what every other function here takes.
 */
export type Scheme<Details> = {
  readonly method: MethodCode;
  /** Shape of the input of `parseDetails`, for the docs and the API. */
  readonly detailsSchema: TSchema;
  /** Well-formed details of an account that does not exist, for demo and sandbox. */
  readonly demoDetails: Details;
  /** Checks by the scheme's own rules and gives the normal form. Else `receiving_account_invalid` with faults. */
  readonly parseDetails: (input: unknown) => Details;
  /** What `destination.account` shows: an account number, phone number or id. */
  readonly getAccount: (details: Details) => string;
  /**
   * Equal for two details of one account, however they are spelled and whatever they show besides. Computed from what is
   * stored, never stored.
   */
  readonly getIdentity: (details: Details) => string;
  /** What feeds write in more than one way in an account number, besides case and separators. */
  readonly foldAccount?: (account: string) => string;
  /** The receiving bank or wallet as the customer's app shows it. */
  readonly getBank: (details: Details) => string;
  /** Whether the nonce travels with the payment. Where it does not, only amount and time tell payments apart. */
  readonly carriesReference: (details: Details) => boolean;
  /** The content of the QR code; `''` where there is no standard for one. */
  readonly qrCode: (details: Details, payment: PaymentCodeInput) => string;
  /** A link that opens the payment in an app on the same phone. */
  readonly deepLink?: (details: Details, payment: PaymentCodeInput) => string;
};

/** The amount as the method's codes write it: all of the currency's digits, or a whole number. */
export function codeAmount(method: MethodCode, amount: Money): string {
  const { currency, payableUnit } = paymentMethods[method];
  if (amount.currency !== currency)
    throw new Error(`${method} accepts only ${currency}, not ${amount.currency}`);
  const text = toDecimal(amount);
  if (payableUnit === 'minor') return text;
  const [whole = '', fraction = ''] = text.split('.');
  if (/[1-9]/.test(fraction))
    throw new Error(`${method} accepts only whole amounts in ${currency}, not ${text}`);
  return whole;
}

/** What codes say as name where a real one must not stand, and where none can be written. */
export const demoName = 'DEMO';
const fallbackName = 'NA';

/** The holder's name as codes can carry it, at most `max` characters of ASCII. */
export function codeName(payment: PaymentCodeInput, max = 25): string {
  return payment.demo ? demoName : asciiText(payment.holder, max) || fallbackName;
}
