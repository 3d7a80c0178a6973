import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { DomainError, type InputError, invalidInput } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import { parseMoney } from '../../../kit/money.ts';
import { checkText } from '../../../kit/text.ts';
import { checkTimeZone } from '../../../kit/time-zone.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import { isPayable } from '../../../method/payable-amount.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import { getLimits } from './account-limits.ts';

/** The changeable terms of an account. Its number never changes. */
export type AccountTerms = Pick<
  ReceivingAccount,
  | 'bank'
  | 'holder'
  | 'minAmount'
  | 'maxAmount'
  | 'paymentWindowMinutes'
  | 'weight'
  | 'timeZone'
  | 'maxAmountOffset'
>;

/**
 * Unvalidated terms, with amounts in major units of the method's currency. Omitted members stay unchanged;
 * null removes the account's own limit.
 */
export type AccountTermsInput = {
  bank?: string | null | undefined;
  accountName?: string | null | undefined;
  minAmount?: string | null | undefined;
  maxAmount?: string | null | undefined;
  paymentWindowMinutes?: number | null | undefined;
  weight?: number | null | undefined;
  timeZone?: string | null | undefined;
  /** The largest number of whole units that may be added to make amounts unique; null disables this. */
  maxAmountOffset?: number | null | undefined;
};

const textMax = 140;
const integerRanges = {
  paymentWindowMinutes: { min: 5, max: 30 * 24 * 60 },
  weight: { min: 1, max: 100 },
  maxAmountOffset: { min: 1, max: 999 },
};

/** Runs parsers one after another and collects their input errors, so that a response lists all of them. */
export function createErrorCollector() {
  const errors: InputError[] = [];
  const collect = <T>(parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof DomainError) || error.inputErrors.length === 0) throw error;
      errors.push(...error.inputErrors);
      return undefined;
    }
  };
  return { errors, collect };
}

/** Throws `receiving_account_invalid` with all errors, if there are any. */
export function throwInputErrors(errors: readonly InputError[]): void {
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = `${first.path} ${first.message}${more}`;
  throw new DomainError('receiving_account_invalid', detail, [...errors]);
}

type Collect = ReturnType<typeof createErrorCollector>['collect'];

/** Returns the validated terms that are present; errors go to `collect`. */
export function parseTerms(
  method: MethodCode,
  input: AccountTermsInput,
  collect: Collect,
): Partial<AccountTerms> {
  const readText = (name: 'bank' | 'accountName') => parseText(input[name], `/${name}`);
  const readAmount = (name: 'minAmount' | 'maxAmount') => parseAmount(input[name], `/${name}`, method);
  const readInteger = (name: keyof typeof integerRanges) => {
    const value = input[name];
    return value == null ? value : checkInteger(value, `/${name}`, integerRanges[name]);
  };
  const { timeZone } = input;
  const terms = {
    bank: collect(() => readText('bank')) ?? undefined,
    holder: collect(() => readText('accountName')) ?? undefined,
    minAmount: collect(() => readAmount('minAmount')),
    maxAmount: collect(() => readAmount('maxAmount')),
    paymentWindowMinutes: collect(() => readInteger('paymentWindowMinutes')),
    weight: collect(() => readInteger('weight')) ?? undefined,
    timeZone: collect(() => (timeZone == null ? undefined : checkTimeZone(timeZone))),
    maxAmountOffset: collect(() => readInteger('maxAmountOffset')),
  };
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
}

/** Checks the terms of an account against each other. Throws 400 with the first error. */
export function checkTerms(
  terms: Pick<AccountTerms, 'minAmount' | 'maxAmount' | 'maxAmountOffset'>,
  { method, details }: { method: MethodCode; details: unknown },
): void {
  const { min, max } = getLimits({ ...terms, method, currency: paymentMethods[method].currency });
  if (min.minor > max.minor) {
    const path = terms.minAmount === null ? '/maxAmount' : '/minAmount';
    throw invalidInput(path, 'leaves no allowed amount: minAmount must not exceed maxAmount');
  }
  if (terms.maxAmountOffset === null) return;
  if (getScheme(method).carriesReference(details as ReceivingDetails)) {
    throw invalidInput('/maxAmountOffset', 'is allowed only for accounts whose payments carry no reference');
  }
}

function parseText(text: string | null | undefined, path: string): string | null | undefined {
  if (text == null) return text;
  const trimmed = text.trim();
  if (trimmed === '') throw invalidInput(path, 'must not be empty');
  if (/\p{Cc}/u.test(trimmed))
    throw invalidInput(path, 'must be a single line of text without control characters');
  return checkText(trimmed, path, textMax);
}

function parseAmount(
  value: string | null | undefined,
  path: string,
  code: MethodCode,
): bigint | null | undefined {
  if (value == null) return value;
  const method = paymentMethods[code];
  const money = parseMoney(value, method.currency, path);
  if (!isPayable(money, method)) throw invalidInput(path, `must be a whole amount in ${method.currency}`);
  return money.minor;
}
