import { DomainError, invalidInputError } from '../kit/errors.ts';
import { auBankTransfer } from './au-bank-transfer.ts';
import type { MethodCode, MethodCountry } from './catalog.ts';
import { computeWeightedSum, readEmailAddress, readMobile, stripSeparators } from './details.ts';
import { fps } from './fps.ts';
import { inBankTransfer } from './in-bank-transfer.ts';
import { paynow } from './paynow.ts';
import { promptPay } from './prompt-pay.ts';

type AliasSchemeDefinition = {
  name: string;
  /** The name that customers see, with the script of the country. */
  localName: string;
  country: MethodCountry;
  /** Customers who paid by this method know the alias of their account rather than its number. */
  method: MethodCode;
  read: (text: string) => string;
};

/**
 * Schemes by which banks send money to a phone number, email address or ID. The keys are stored: do not
 * rename them.
 */
export const aliasSchemes = {
  fps: { name: 'FPS', localName: 'FPS 轉數快', country: 'HK', method: 'fps', read: readFpsAlias },
  paynow: { name: 'PayNow', localName: 'PayNow', country: 'SG', method: 'paynow', read: readPayNowAlias },
  prompt_pay: {
    name: 'PromptPay',
    localName: 'PromptPay พร้อมเพย์',
    country: 'TH',
    method: 'prompt-pay',
    read: readPromptPayAlias,
  },
  upi: { name: 'UPI', localName: 'UPI', country: 'IN', method: 'in-bank-transfer', read: readUpiAlias },
  pay_id: { name: 'PayID', localName: 'PayID', country: 'AU', method: 'au-bank-transfer', read: readPayId },
} as const satisfies Record<string, AliasSchemeDefinition>;

export type AliasScheme = keyof typeof aliasSchemes;

/** Returns the scheme of a country; undefined if it has none. */
export function findAliasScheme(country: string): AliasScheme | undefined {
  return (Object.keys(aliasSchemes) as AliasScheme[]).find(
    (scheme) => aliasSchemes[scheme].country === country,
  );
}

/**
 * Returns an alias in normalized form, without spaces and hyphens. Throws `invalid_request` for the path `/account`, or
 * for `/scheme` if the country does not have the scheme.
 */
export function parsePayoutAlias(country: string, scheme: AliasScheme, text: string): string {
  if (aliasSchemes[scheme].country !== country)
    throw invalidInputError('/scheme', 'must be a scheme of the country in which the customer paid');
  try {
    return aliasSchemes[scheme].read(text.trim());
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidInputError('/account', error.inputErrors[0]?.message ?? 'is invalid');
  }
}

/** Reads a mobile number. `message` lists all kinds of aliases, because the text is none of the other ones. */
function readMobileOr(text: string, country: 'HK' | 'SG' | 'TH' | 'AU', message: string): string {
  try {
    return readMobile(text, '/account', country);
  } catch (error) {
    if (error instanceof DomainError) throw invalidInputError('/account', message);
    throw error;
  }
}

/** An email address, a mobile number, or an FPS ID of 7 or 9 digits. */
function readFpsAlias(text: string): string {
  if (text.includes('@')) return fps.getAccount(fps.parseDetails({ email: text }));
  if (/^(?:\d{7}|\d{9})$/.test(stripSeparators(text)))
    return fps.getAccount(fps.parseDetails({ fpsId: text }));
  return readMobileOr(text, 'HK', 'must be a mobile number, an email address or an FPS ID');
}

/** A mobile number, the number of an identity card (NRIC or FIN), or the UEN of a business. */
function readPayNowAlias(text: string): string {
  const id = stripSeparators(text).toUpperCase();
  if (/^[STFGM]\d{7}[A-Z]$/.test(id)) return readNric(id);
  if (/[A-Z]/.test(id)) return paynow.getAccount(paynow.parseDetails({ uen: text }));
  return readMobileOr(text, 'SG', 'must be a mobile number, a UEN, or the number of an NRIC or FIN');
}

/** The check letters of each series, by the weighted sum modulo 11. */
const nricLetters: Record<string, string> = {
  S: 'JZIHGFEDCBA',
  T: 'GFEDCBAJZIH',
  F: 'XWUTRQPNMLK',
  G: 'RQPNMLKXWUT',
  M: 'TRQPNJLKXWU',
};

function readNric(id: string): string {
  const sum = computeWeightedSum(id.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]);
  if (nricLetters[id[0]!]![sum % 11] !== id[8])
    throw invalidInputError('/account', 'has an invalid check letter');
  return id;
}

/** A mobile number, an ID of 13 digits, or the number of an e-wallet. */
function readPromptPayAlias(text: string): string {
  const digits = stripSeparators(text);
  if (/^\d{13}$/.test(digits)) return promptPay.getAccount(promptPay.parseDetails({ taxId: digits }));
  if (/^\d{15}$/.test(digits)) return digits;
  return readMobileOr(text, 'TH', 'must be a mobile number, or an ID of 13 or 15 digits');
}

function readUpiAlias(text: string): string {
  return inBankTransfer.getAccount(inBankTransfer.parseDetails({ vpa: text }));
}

/** An email address, a mobile number, or an Australian Business Number. */
function readPayId(text: string): string {
  if (text.includes('@')) return readEmailAddress(text, '/account', 254);
  const digits = stripSeparators(text);
  if (/^[1-9]\d{10}$/.test(digits) && !digits.startsWith('614'))
    return auBankTransfer.getAccount(auBankTransfer.parseDetails({ abn: digits }));
  return readMobileOr(text, 'AU', 'must be a mobile number, an email address or an ABN');
}
