import { DomainError, type InputError, invalidInputError } from '../kit/errors.ts';
import { checkText } from '../kit/text.ts';
import type { MethodCountry } from './catalog.ts';
import { stripSeparators } from './details.ts';
import { readNzAccount } from './nz-account-number.ts';
import { type AliasScheme, parsePayoutAlias } from './payout-alias.ts';

/** The account a customer wants a refund sent to, in the form that banks of the country require. */
export type PayoutDetails = {
  /** Name or number of the bank, depending on the country; `''` if the account number identifies it. */
  bank: string;
  /** The number of the account, or the alias of the `scheme`. */
  account: string;
  holder: string;
  /** Undefined for a bank account. */
  scheme?: AliasScheme;
};

export type PayoutInput = {
  bank?: string | null | undefined;
  account: string;
  holder: string;
  /** If given, `account` is an alias of the scheme, and there is no bank. */
  scheme?: AliasScheme | null | undefined;
};

/** The form in which a country identifies the bank in a transfer. The pages have a label for each. */
export type BankIdentifier = 'bankName' | 'bankCode' | 'bsb' | 'ifsc' | 'none';

type PayoutRule = { bank: BankIdentifier; account: RegExp; accountMessage: string };

const digitsRule = (min: number, max: number) => ({
  account: new RegExp(`^\\d{${min},${max}}$`),
  accountMessage: `must have ${min} to ${max} digits`,
});

/** Account number lengths that banks of each country publish for their customers. */
const rules: Record<MethodCountry, PayoutRule> = {
  HK: { bank: 'bankCode', ...digitsRule(6, 12) },
  SG: { bank: 'bankName', ...digitsRule(7, 14) },
  VN: {
    bank: 'bankName',
    account: /^[0-9A-Z]{6,19}$/,
    accountMessage: 'must have 6 to 19 digits or letters',
  },
  MY: { bank: 'bankName', ...digitsRule(7, 17) },
  PH: { bank: 'bankName', ...digitsRule(7, 16) },
  TH: { bank: 'bankName', ...digitsRule(10, 13) },
  IN: { bank: 'ifsc', ...digitsRule(9, 18) },
  ID: { bank: 'bankName', ...digitsRule(8, 16) },
  AU: { bank: 'bsb', ...digitsRule(5, 9) },
  // `readNzAccount` checks the account number.
  NZ: { bank: 'none', account: /^/, accountMessage: '' },
  KR: { bank: 'bankName', ...digitsRule(10, 14) },
};

const bankFormats: Partial<Record<BankIdentifier, { pattern: RegExp; message: string }>> = {
  bankCode: { pattern: /^\d{3}$/, message: 'must have 3 digits' },
  bsb: { pattern: /^\d{6}$/, message: 'must have 6 digits' },
  // Four letters, a zero, six letters or digits (Reserve Bank of India).
  ifsc: { pattern: /^[A-Z]{4}0[A-Z0-9]{6}$/, message: 'must be an IFSC, such as HDFC0001234' },
};

const textMax = 140;

export function getBankIdentifier(country: string): BankIdentifier {
  return getRule(country).bank;
}

/**
 * Checks payout details for the country and strips spaces and hyphens. Throws `invalid_request` with all invalid
 * fields.
 */
export function parsePayoutDetails(country: string, input: PayoutInput): PayoutDetails {
  const errors: InputError[] = [];
  const collect = (path: string, parse: () => string): string => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors.push(
        ...error.inputErrors.map((inputError) =>
          inputError.path === '/scheme' ? inputError : { path, message: inputError.message },
        ),
      );
      return '';
    }
  };
  const rule = getRule(country);
  const { scheme } = input;
  const destination = scheme
    ? {
        bank: '',
        account: collect('/account', () => parsePayoutAlias(country, scheme, input.account)),
        scheme,
      }
    : {
        bank: collect('/bank', () => parseBank(rule.bank, input.bank ?? '')),
        account: collect('/account', () => parseAccount(country, rule, input.account)),
      };
  const details = {
    ...destination,
    holder: collect('/holder', () => parseText(input.holder, '/holder')),
  };
  if (errors.length > 0) throw new DomainError('invalid_request', 'The bank details are invalid', errors);
  return details;
}

function getRule(country: string): PayoutRule {
  const rule = (rules as Partial<Record<string, PayoutRule>>)[country];
  if (!rule) throw new Error(`payouts are not supported for ${country}`);
  return rule;
}

function parseBank(identifier: BankIdentifier, text: string): string {
  if (identifier === 'none') return '';
  if (identifier === 'bankName') return parseText(text, '/bank');
  const { pattern, message } = bankFormats[identifier]!;
  const code = stripSeparators(text).toUpperCase();
  if (!pattern.test(code)) throw invalidInputError('/bank', message);
  return code;
}

function parseAccount(country: string, rule: PayoutRule, text: string): string {
  if (country === 'NZ') return readNzAccount(text, '/account');
  const account = stripSeparators(text).toUpperCase();
  if (!rule.account.test(account)) throw invalidInputError('/account', rule.accountMessage);
  return account;
}

function parseText(text: string, path: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalidInputError(path, 'must not be empty');
  return checkText(trimmed, path, textMax);
}
