import type { TSchema } from 'typebox';
import { DomainError } from '../kit/errors.ts';
import { formatMoney, type Money, toDecimal } from '../kit/money.ts';
import { type MethodCode, paymentMethods } from './catalog.ts';
import { toAsciiText } from './emv.ts';
import { amountLengthMax } from './payable-amount.ts';

/** The parts of a payment code that do not come from the receiving account. */
export type PaymentCodeInput = {
  /** In the method's currency and payable unit. */
  amount: Money;
  paymentReference: string;
  /** Name of the account's holder. */
  holder: string;
  /** Whether the account is fictional. If true, the code contains DEMO as the holder's name. */
  demo: boolean;
};

/**
 * Defines how one payment method receives money. `Details` is the merchant's receiving account as plain JSON.
 * The output of `parseDetails` is stored, and all other functions here take it.
 */
export type Scheme<Details> = {
  readonly method: MethodCode;
  /** JSON schema of the input of `parseDetails`, for the docs and the API. */
  readonly detailsSchema: TSchema;
  /** Well-formed details of an account that does not exist, for demo and sandbox. */
  readonly demoDetails: Details;
  /** Checks the scheme's own rules and returns the normal form. Throws `receiving_account_invalid` with the errors. */
  readonly parseDetails: (input: unknown) => Details;
  /** Returns the account number, phone number or ID that `destination.account` shows. */
  readonly getAccount: (details: Details) => string;
  /**
   * Returns a key that is equal for all spellings of one account, even if their codes show different texts. The key is
   * never stored, so its format can change.
   */
  readonly getIdentity: (details: Details) => string;
  /** Normalizes an account number that feeds write in several ways, apart from case and separators. */
  readonly foldAccount?: (account: string) => string;
  /** Returns the receiving bank or wallet as the customer's app shows it. */
  readonly getBank: (details: Details) => string;
  /** Returns whether the transfer carries the payment reference. If not, only amount and time distinguish payments. */
  readonly canCarryReference: (details: Details) => boolean;
  /** Returns the content of the QR code; `''` if there is no standard. */
  readonly qrCode: (details: Details, payment: PaymentCodeInput) => string;
  /** Returns a link that opens the payment in an app on the same phone. */
  readonly deepLink?: (details: Details, payment: PaymentCodeInput) => string;
};

/**
 * Returns the amount as the method's codes write it: with all digits of the currency, or as a whole number. Throws
 * `amount_out_of_range` if it is too long.
 */
export function formatCodeAmount(method: MethodCode, amount: Money): string {
  const { currency, payableUnit } = paymentMethods[method];
  if (amount.currency !== currency)
    throw new Error(`${method} accepts only ${currency}, not ${amount.currency}`);
  const text = toDecimal(amount);
  if (payableUnit === 'minor') return checkLength(text, amount);
  const [whole = '', fraction = ''] = text.split('.');
  if (/[1-9]/.test(fraction))
    throw new Error(`${method} accepts only whole amounts in ${currency}, not ${text}`);
  return checkLength(whole, amount);
}

function checkLength(text: string, amount: Money): string {
  if (text.length > amountLengthMax)
    throw new DomainError('amount_out_of_range', `No payment code can contain ${formatMoney(amount)}`);
  return text;
}

/** The holder's name in codes of fictional accounts. */
export const demoName = 'DEMO';
/** The holder's name in codes if it has no ASCII form. */
const fallbackName = 'NA';

/** Returns the holder's name for codes, at most `max` characters of ASCII. */
export function toCodeName(payment: PaymentCodeInput, max = 25): string {
  return payment.demo ? demoName : toAsciiText(payment.holder, max) || fallbackName;
}
