import { getMinorDigits, isCurrencyCode, isWithdrawnCurrency } from '../kit/currency.ts';
import { decimalToMinor, type Money } from '../kit/money.ts';
import { invalidStatementError } from './invalid-statement.ts';

/**
 * Parses an amount exactly. `text` is a decimal with a point and no sign (`8.850`, `.5`, `007.`). Zeros beyond the
 * currency's decimals are ignored. Throws for any other digit there, because money is never rounded.
 */
export function parseStatementAmount(text: string, currency: string, line: number): Money {
  const minor = parseStatementMinor(text, currency, line);
  if (minor === undefined) {
    const digits = getMinorDigits(currency);
    const places = digits === 0 ? 'decimal places' : `more than ${digits} decimal places`;
    throw invalidStatementError(
      line,
      `the amount ${text.slice(0, 40)} has ${places}, which ${currency} does not allow`,
    );
  }
  return { minor, currency };
}

/** Parses an amount and returns it in minor units, or undefined if it has more decimals than its currency. */
export function parseStatementMinor(text: string, currency: string, line: number): bigint | undefined {
  if (!isCurrencyCode(currency) && !isWithdrawnCurrency(currency)) {
    throw invalidStatementError(line, `"${currency.slice(0, 20)}" is not an ISO 4217 currency`);
  }
  const match = text.length > 40 ? null : /^(?=\.?\d)0*(\d{0,15})(?:\.(\d*?)0*)?$/.exec(text);
  if (!match) throw invalidStatementError(line, `"${text.slice(0, 40)}" is not an amount`);
  const whole = match[1] || '0';
  const fraction = match[2] ?? '';
  return decimalToMinor(fraction === '' ? whole : `${whole}.${fraction}`, currency);
}
