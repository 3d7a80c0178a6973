import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { DomainError, type InputError, invalidInputError } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import { formatMoney, parseMoney } from '../../../kit/money.ts';
import { checkText, oneLineMessage } from '../../../kit/text.ts';
import { checkTimeZone } from '../../../kit/time-zone.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { isPayable } from '../../../method/payable-amount.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import { getLimits } from './account-limits.ts';

/** The settings of a receiving account that can be changed. */
export type AccountSettings = Pick<
  ReceivingAccount,
  | 'bank'
  | 'holder'
  | 'minAmount'
  | 'maxAmount'
  | 'paymentWindowMinutes'
  | 'weight'
  | 'timeZone'
  | 'maxAmountOffset'
  | 'maxBankFee'
  | 'maxBankFeeRate'
  | 'reusesBankReferences'
>;

/**
 * Unvalidated settings, with amounts in major units of the method's currency. Omitted properties stay
 * unchanged; null removes a limit of the account.
 */
export type AccountSettingsInput = {
  bank?: string | null | undefined;
  accountName?: string | null | undefined;
  minAmount?: string | null | undefined;
  maxAmount?: string | null | undefined;
  paymentWindowMinutes?: number | null | undefined;
  weight?: number | null | undefined;
  timeZone?: string | null | undefined;
  /** The largest addition, in whole major units, that makes an amount unique; null for none. */
  maxAmountOffset?: number | null | undefined;
  /** The largest fee that banks may deduct from a payment; null for none. */
  maxBankFee?: string | null | undefined;
  /** A fee limit as a fraction of the amount, at most 0.05; null for none. The larger of the two limits applies. */
  maxBankFeeRate?: string | null | undefined;
  /** Whether the bank gives several payments the same bank reference. */
  reusesBankReferences?: boolean | null | undefined;
  /** The ID of another receiving account that is the same bank account; null for none. */
  sameBankAccountAs?: string | null | undefined;
};

const textLengthMax = 140;
/** The maximum of `maxAmountOffset`, and its default for accounts whose payments carry no reference. */
export const amountOffsetMax = 999;

const integerRanges = {
  paymentWindowMinutes: { min: 5, max: 30 * 24 * 60 },
  weight: { min: 1, max: 100 },
  maxAmountOffset: { min: 1, max: amountOffsetMax },
};

/**
 * Creates `collect`, which runs a parser and adds its input errors to `errors`, so that a response lists the
 * errors of all parsers.
 */
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
  if (first) throw toAccountError([first, ...errors.slice(1)]);
}

export function toAccountError(errors: readonly [InputError, ...InputError[]]): DomainError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = `${first.path} ${first.message}${more}`;
  return new DomainError('receiving_account_invalid', detail, [...errors]);
}

type Collect = ReturnType<typeof createErrorCollector>['collect'];

/** Returns the validated settings that the input contains. Input errors go to `collect`. */
export function parseAccountSettings(
  method: MethodCode,
  input: AccountSettingsInput,
  collect: Collect,
): Partial<AccountSettings> {
  const readText = (name: 'bank' | 'accountName') => parseText(input[name], `/${name}`);
  const readAmount = (name: 'minAmount' | 'maxAmount') => parseAmount(input[name], `/${name}`, method);
  const readInteger = (name: keyof typeof integerRanges) => {
    const value = input[name];
    return value == null ? value : checkInteger(value, `/${name}`, integerRanges[name]);
  };
  const { timeZone } = input;
  const settings = {
    bank: collect(() => readText('bank')) ?? undefined,
    holder: collect(() => readText('accountName')) ?? undefined,
    minAmount: collect(() => readAmount('minAmount')),
    maxAmount: collect(() => readAmount('maxAmount')),
    paymentWindowMinutes: collect(() => readInteger('paymentWindowMinutes')),
    weight: collect(() => readInteger('weight')) ?? undefined,
    timeZone: collect(() => (timeZone == null ? undefined : checkTimeZone(timeZone))),
    maxAmountOffset: collect(() => readInteger('maxAmountOffset')),
    maxBankFee: collect(() => parseFee(input.maxBankFee, '/maxBankFee', method)),
    maxBankFeeRate: collect(() => parseFeeRate(input.maxBankFeeRate, '/maxBankFeeRate')),
    reusesBankReferences: input.reusesBankReferences ?? undefined,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Checks the settings of an account against each other. Throws 400 with the first error. */
export function checkAccountSettings(
  settings: Pick<AccountSettings, 'minAmount' | 'maxAmount' | 'maxAmountOffset'>,
  { method, details }: { method: MethodCode; details: unknown },
): void {
  const { min, max } = getLimits({ ...settings, method, currency: paymentMethods[method].currency });
  if (min.minor > max.minor) {
    if (settings.minAmount === null)
      throw invalidInputError(
        '/maxAmount',
        `must be at least ${formatMoney(min)}, the minimum of the payment method`,
      );
    const limit = settings.maxAmount === null ? 'the maximum of the payment method' : 'your maxAmount';
    throw invalidInputError('/minAmount', `must be at most ${formatMoney(max)}, ${limit}`);
  }
  if (settings.maxAmountOffset === null) return;
  if (getScheme(method).canCarryReference(details as ReceivingDetails)) {
    throw invalidInputError(
      '/maxAmountOffset',
      'is allowed only for accounts whose payments carry no reference',
    );
  }
}

function parseText(text: string | null | undefined, path: string): string | null | undefined {
  if (text == null) return text;
  const trimmed = text.trim();
  if (trimmed === '') throw invalidInputError(path, 'must not be empty');
  if (/\p{Cc}/u.test(trimmed)) throw invalidInputError(path, oneLineMessage);
  return checkText(trimmed, path, textLengthMax);
}

function parseAmount(
  value: string | null | undefined,
  path: string,
  code: MethodCode,
): bigint | null | undefined {
  if (value == null) return value;
  const method = paymentMethods[code];
  const money = parseMoney(value, method.currency, path);
  if (!isPayable(money, method)) throw invalidInputError(path, `must be a whole number (${method.currency})`);
  return money.minor;
}

function parseFee(
  value: string | null | undefined,
  path: string,
  method: MethodCode,
): bigint | null | undefined {
  return value == null ? value : parseMoney(value, paymentMethods[method].currency, path).minor;
}

const feeRateMax = '0.05';

function parseFeeRate(value: string | null | undefined, path: string): Decimal | null | undefined {
  if (value == null) return value;
  const rate = /^0?\.\d{1,4}$/.test(value) ? new Decimal(value) : undefined;
  if (!rate?.gt(0) || rate.gt(feeRateMax))
    throw invalidInputError(
      path,
      `must be a decimal number above 0 and at most ${feeRateMax}, such as 0.015`,
    );
  return rate;
}
