import { type CurrencyCode, isCurrencyCode, minorDigits, minorPerMajor } from './currency.ts';
import { DomainError, invalidInput } from './errors.ts';

/** An exact amount in minor units (ISO 4217) of its currency. */
export type Money = { minor: bigint; currency: CurrencyCode };

/** The exclusive upper limit of amounts, in major units. */
export const majorLimit = 10n ** 12n;

/** Tolerance for JSON numbers, which are binary floats and rarely equal the decimal exactly. */
const numberTolerance = 1e-9;

/**
 * Parses an amount in major units: a JSON number (REST) or a decimal string (GraphQL, files). A number within
 * 10^-9 of an amount with the currency's digits is read as that amount. The amount must be above zero (or
 * from zero with `allowZero`) and below 10^12. Throws `invalid_request` naming `path`, or
 * `currency_unsupported`.
 */
export function parseMoney(
  value: number | string,
  currency: CurrencyCode,
  path: string,
  options: { allowZero?: boolean } = {},
): Money {
  if (!isCurrencyCode(currency))
    throw new DomainError('currency_unsupported', `Unsupported currency: ${currency}`);
  const minor = typeof value === 'number' ? numberToMinor(value, currency) : decimalToMinor(value, currency);
  if (minor === undefined) {
    throw invalidInput(
      path,
      `must be an amount with at most ${minorDigits(currency)} decimals (${currency})`,
    );
  }
  const inRange = minor > 0n || (minor === 0n && options.allowZero === true);
  if (!inRange)
    throw invalidInput(path, options.allowZero ? 'must not be negative' : 'must be greater than zero');
  if (minor >= majorLimit * minorPerMajor(currency)) throw invalidInput(path, 'must be less than 10^12');
  return { minor, currency };
}

function numberToMinor(value: number, currency: CurrencyCode): bigint | undefined {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e12 + 1) return undefined;
  const text = value.toFixed(minorDigits(currency));
  if (Math.abs(Number(text) - value) > numberTolerance) return undefined;
  return decimalToMinor(text, currency);
}

/**
 * Converts a plain decimal (`-12.50`) to minor units. Returns undefined for other formats or more decimals
 * than the currency has.
 */
export function decimalToMinor(text: string, currency: CurrencyCode): bigint | undefined {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text);
  if (!match) return undefined;
  const digits = minorDigits(currency);
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > digits) return undefined;
  const minor = BigInt(match[2] + fraction.padEnd(digits, '0'));
  return match[1] === '-' ? -minor : minor;
}

/**
 * Formats major units as a decimal string with all of the currency's digits: `12.50`, `1200` (KRW). For
 * GraphQL and files.
 */
export function toDecimal(money: Money): string {
  const digits = minorDigits(money.currency);
  const sign = money.minor < 0n ? '-' : '';
  const text = (money.minor < 0n ? -money.minor : money.minor).toString().padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * Converts to major units as a JSON number, for REST. Amounts below 10^12 with at most 3 decimals print
 * exactly.
 */
export function toJsonNumber(money: Money): number {
  return Number(toDecimal(money));
}
