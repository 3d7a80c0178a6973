import { t } from '../../language/texts.ts';
import type { RefundDetails } from './refund-query.ts';

type PayoutScheme = NonNullable<RefundDetails['payoutScheme']>;

/** The schemes of countries in which a refund can go to an alias. */
export const schemesByCountry: Readonly<Record<string, PayoutScheme>> = {
  HK: 'fps',
  SG: 'paynow',
  TH: 'promptpay',
  IN: 'upi',
  AU: 'payid',
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

/** Whether the text is a phone number or an email address, and not an account number. */
export function isAlias(account: string): boolean {
  return /^\+|@/.test(account);
}
