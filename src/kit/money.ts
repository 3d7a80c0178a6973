import { type CurrencyCode, getMinorDigits, getMinorPerMajor, isCurrencyCode } from './currency.ts';
import { DomainError, invalidInputError } from './errors.ts';

/** An exact amount in minor units (ISO 4217) of its currency. */
export type Money = { minor: bigint; currency: CurrencyCode };

/** The exclusive upper limit of amounts, in major units. */
export const majorLimit = 10n ** 12n;

/** Tolerance for JSON numbers, which are binary floats and rarely equal the decimal exactly. */
const numberTolerance = 1e-9;

/** Returns the error for a text that is not the code of a supported currency. */
export function unsupportedCurrencyError(text: string): DomainError {
  const upperCase = text.toUpperCase();
  const hint = text !== upperCase && isCurrencyCode(upperCase) ? `. Did you mean ${upperCase}?` : '';
  return new DomainError('currency_unsupported', `Unsupported currency: ${text}${hint}`);
}

/**
 * Parses an amount in major units: a JSON number (REST) or a decimal string (GraphQL, files). A number within
 * 10^-9 of an amount with the currency's digits is read as that amount. The amount must be above zero (or
 * from zero with `allowZero`) and below 10^12.
 */
export function parseMoney(
  value: number | string,
  currency: CurrencyCode,
  path: string,
  options: { allowZero?: boolean } = {},
): Money {
  if (!isCurrencyCode(currency)) throw unsupportedCurrencyError(currency);
  const minor = typeof value === 'number' ? numberToMinor(value, currency) : decimalToMinor(value, currency);
  if (minor === undefined) {
    const digits = getMinorDigits(currency);
    const format = digits === 0 ? 'a whole number' : `a number with at most ${digits} decimal places`;
    throw invalidInputError(path, `must be ${format} (${currency})`);
  }
  const isInRange = minor > 0n || (minor === 0n && options.allowZero === true);
  if (!isInRange)
    throw invalidInputError(path, options.allowZero ? 'must not be negative' : 'must be greater than zero');
  if (minor >= majorLimit * getMinorPerMajor(currency))
    throw invalidInputError(path, 'must be less than 10^12');
  return { minor, currency };
}

function numberToMinor(value: number, currency: CurrencyCode): bigint | undefined {
  if (!Number.isFinite(value)) return undefined;
  // The amount is out of range, so its decimals are not checked.
  if (Math.abs(value) >= Number(majorLimit)) return BigInt(Math.trunc(value)) * getMinorPerMajor(currency);
  const text = value.toFixed(getMinorDigits(currency));
  if (Math.abs(Number(text) - value) > numberTolerance) return undefined;
  return decimalToMinor(text, currency);
}

/**
 * Converts a plain decimal (`-12.50`) to minor units. Returns undefined for other formats or more decimals
 * than the currency has.
 */
export function decimalToMinor(text: string, currency: CurrencyCode): bigint | undefined {
  const match = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  if (!match) return undefined;
  const digits = getMinorDigits(currency);
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > digits) return undefined;
  const minor = BigInt(match[2] + fraction.padEnd(digits, '0'));
  return match[1] === '-' ? -minor : minor;
}

/**
 * Formats an amount in major units as a decimal string with all of the currency's digits: `12.50`, `1200` (KRW). For
 * GraphQL and files.
 */
export function toDecimal(money: Money): string {
  const digits = getMinorDigits(money.currency);
  const sign = money.minor < 0n ? '-' : '';
  const text = (money.minor < 0n ? -money.minor : money.minor).toString().padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Formats an amount with its currency, for messages: `12.50 HKD`. */
export function formatMoney(money: Money): string {
  return `${toDecimal(money)} ${money.currency}`;
}

/**
 * Converts an amount to a JSON number in major units, for REST. Amounts below 10^12 with at most 3 decimals are printed
 * exactly.
 */
export function toJsonNumber(money: Money): number {
  return Number(toDecimal(money));
}
