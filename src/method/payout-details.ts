import { DomainError, type InputFault, invalidInput } from '../kit/errors.ts';
import { checkText } from '../kit/text.ts';
import type { MethodCountry } from './catalogue.ts';
import { compact } from './details.ts';
import { readNzAccount } from './nz-account-number.ts';

/** Where a customer wants money back: what a bank of the country needs to send it. */
export type PayoutDetails = {
  /** Name or number of the bank, whichever the country uses; `''` where the account number names it. */
  bank: string;
  account: string;
  /** The account's holder. */
  holder: string;
};

export type PayoutInput = { bank?: string | null | undefined; account: string; holder: string };

/** What a country calls the bank in a transfer: its pages have a label for each. */
export type BankWord = 'bankName' | 'bankCode' | 'bsb' | 'ifsc' | 'none';

type Rule = { bank: BankWord; account: RegExp; accountForm: string };

const digits = (min: number, max: number) => ({
  account: new RegExp(`^\\d{${min},${max}}$`),
  accountForm: `must have ${min} to ${max} digits`,
});

/** Lengths as the banks of each country give them to their customers. */
const rules: Record<MethodCountry, Rule> = {
  HK: { bank: 'bankCode', ...digits(6, 12) },
  SG: { bank: 'bankName', ...digits(7, 14) },
  VN: {
    bank: 'bankName',
    account: /^[0-9A-Z]{6,19}$/,
    accountForm: 'must have 6 to 19 digits or letters',
  },
  MY: { bank: 'bankName', ...digits(7, 17) },
  PH: { bank: 'bankName', ...digits(7, 16) },
  TH: { bank: 'bankName', ...digits(10, 13) },
  IN: { bank: 'ifsc', ...digits(9, 18) },
  ID: { bank: 'bankName', ...digits(8, 16) },
  AU: { bank: 'bsb', ...digits(5, 9) },
  NZ: { bank: 'none', account: /^/, accountForm: '' },
  KR: { bank: 'bankName', ...digits(10, 14) },
};

const bankForms: Partial<Record<BankWord, { pattern: RegExp; form: string }>> = {
  bankCode: { pattern: /^\d{3}$/, form: 'must have 3 digits' },
  bsb: { pattern: /^\d{6}$/, form: 'must have 6 digits' },
  // Four letters, a zero, six letters or digits (Reserve Bank of India).
  ifsc: { pattern: /^[A-Z]{4}0[A-Z0-9]{6}$/, form: 'must be an IFSC, such as HDFC0001234' },
};

const textMax = 140;

export function bankWordOf(country: string): BankWord {
  return ruleOf(country).bank;
}

/**
 * Payout details, checked for the country and without the spaces and hyphens people write. Error: `invalid_request` with
 * every fault.
 */
export function parsePayoutDetails(country: string, input: PayoutInput): PayoutDetails {
  const faults: InputFault[] = [];
  const read = (path: string, parse: () => string): string => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults.push(...error.faults.map(({ message }) => ({ path, message })));
      return '';
    }
  };
  const rule = ruleOf(country);
  const details = {
    bank: read('/bank', () => parseBank(rule.bank, input.bank ?? '')),
    account: read('/account', () => parseAccount(country, rule, input.account)),
    holder: read('/holder', () => parseText(input.holder, '/holder')),
  };
  if (faults.length > 0) throw new DomainError('invalid_request', 'The payout details are invalid', faults);
  return details;
}

function ruleOf(country: string): Rule {
  const rule = (rules as Partial<Record<string, Rule>>)[country];
  if (!rule) throw new Error(`payouts are not supported for ${country}`);
  return rule;
}

function parseBank(word: BankWord, text: string): string {
  if (word === 'none') return '';
  if (word === 'bankName') return parseText(text, '/bank');
  const { pattern, form } = bankForms[word]!;
  const code = compact(text).toUpperCase();
  if (!pattern.test(code)) throw invalidInput('/bank', form);
  return code;
}

function parseAccount(country: string, rule: Rule, text: string): string {
  if (country === 'NZ') return readNzAccount(text, '/account');
  const account = compact(text).toUpperCase();
  if (!rule.account.test(account)) throw invalidInput('/account', rule.accountForm);
  return account;
}

function parseText(text: string, path: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalidInput(path, 'must not be empty');
  return checkText(trimmed, path, textMax);
}
