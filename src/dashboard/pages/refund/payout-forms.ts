import { t } from '../../language/texts.ts';
import type { RefundDetails } from './refund-query.ts';

type PayoutScheme = NonNullable<RefundDetails['payoutScheme']>;

/** Methods by which customers pay to an alias, so that they know one of their own. */
const aliasMethods: ReadonlySet<RefundDetails['method']> = new Set<RefundDetails['method']>([
  'fps',
  'paynow',
  'prompt_pay',
  'in_bank_transfer',
  'au_bank_transfer',
]);

/** Whether the refund is usually sent to an alias, as the customer's form assumes. */
export const isUsuallyAlias = (method: RefundDetails['method']) => aliasMethods.has(method);

/** The schemes by which refunds can be paid to an alias, by country. */
export const schemesByCountry: Readonly<Record<string, PayoutScheme>> = {
  HK: 'fps',
  SG: 'paynow',
  TH: 'prompt_pay',
  IN: 'upi',
  AU: 'pay_id',
};

/** The labels of the bank in countries that identify it by a number; null if the account number contains it. */
const bankLabels: Readonly<Record<string, string | null>> = {
  HK: t.refund.bankCode3Digits,
  AU: t.refund.bsb6Digits,
  IN: t.refund.ifsc,
  NZ: null,
};

export function getBankLabel(country: string): string | null {
  return country in bankLabels ? bankLabels[country]! : t.common.bank;
}

/** Returns whether the text is a phone number or an email address, and not an account number. */
export function isAlias(account: string): boolean {
  return /^\+|@/.test(account);
}

/** Matches the account of a payer with its bank, in countries that identify the bank by a number. */
const accountPatterns: Readonly<Record<string, RegExp>> = {
  HK: /^(\d{3})[ -](\d{6,12})$/,
  AU: /^\(?(\d{3}-?\d{3})\)?[ -](\d{5,})$/,
  IN: /^([A-Z]{4}0[A-Z0-9]{6})[ -](\d{9,})$/,
};
const namedBankPattern = /^(\p{L}.*) (\d[\dA-Z-]*)$/u;

/** Splits the account of a payer into the bank and the number; the bank is empty if it is not reported. */
export function splitPayerAccount(country: string, account: string): { bank: string; number: string } {
  const [, bank = '', number = account] = (accountPatterns[country] ?? namedBankPattern).exec(account) ?? [];
  return { bank, number };
}
